"""Campaigns over HTTP: an API, the stream of what happens, and a dashboard, over any storage."""

from snakebo.service.app import create_app

__all__ = ["create_app"]
