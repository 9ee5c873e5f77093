"""A campaign in pictures: Plotly figures by name, and one HTML file of them that needs no network."""

from snakebo.report.figures import FIGURES
from snakebo.report.html import ReportError, render_report, write_report

__all__ = ["FIGURES", "ReportError", "render_report", "write_report"]
