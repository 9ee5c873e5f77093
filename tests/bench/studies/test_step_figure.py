"""The figure of a step: what the caption of the paper's figure promises is there."""

from pathlib import Path

import numpy as np
from matplotlib.figure import Figure
from matplotlib.patches import Circle

from snakebo.bench.experiment_file import parse_experiment
from snakebo.bench.studies import FIGURES
from snakebo.bench.studies.step import take_step

EXPERIMENT = parse_experiment(
    {
        "title": "A try", "kind": "step", "problem": "branin2d", "budget": 12, "step": 4, "epsilon": 0.1,
        "seed": 0,
    },
    "try",
)  # fmt: skip


def test_plan_samples_and_new_plan(drawn: list[Figure], tmp_path: Path) -> None:
    FIGURES["step"](EXPERIMENT, tmp_path / "none.db", tmp_path, "png")
    step, (figure,) = take_step(EXPERIMENT.parameters), drawn
    before, samples, after = figure.axes
    for panel, plan in ((before, step.plan), (after, step.new_plan)):
        shown = {str(line.get_label()): np.asarray(line.get_xydata()) for line in panel.get_lines()}
        np.testing.assert_array_equal(shown["queried"], step.asked)
        np.testing.assert_array_equal(shown["planned"], np.vstack([step.asked[-1], plan]))
    shown = {str(line.get_label()): np.asarray(line.get_xydata()) for line in samples.get_lines()}
    np.testing.assert_array_equal(shown["accepted"], step.samples[step.kept])
    np.testing.assert_array_equal(shown["deleted"], step.samples[~step.kept])
    circles = [patch for patch in samples.patches if isinstance(patch, Circle)]
    centres = np.array([circle.get_center() for circle in circles])
    np.testing.assert_array_equal(np.unique(centres, axis=0), np.unique(step.asked, axis=0))
    assert {circle.get_radius() for circle in circles} == {0.1}
    labels = [text.get_text() for text in figure.legends[0].get_texts()]
    assert labels == ["queried", "planned", "accepted", "deleted"]
