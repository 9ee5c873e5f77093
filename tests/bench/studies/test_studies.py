"""Everything that an experiment file may name is there."""

import subprocess
import sys

from snakebo.bench.experiment import FIGURES as NAMES
from snakebo.bench.experiment import KINDS
from snakebo.bench.studies import FIGURES, RUNS


def test_every_kind_and_figure_has_a_function() -> None:
    assert {"grid", *RUNS} == set(KINDS)
    assert {"curves", *FIGURES} == set(NAMES)


def test_matplotlib_waits_until_something_is_drawn() -> None:
    code = (
        "import sys; import snakebo.bench.studies, snakebo.bench.studies.non_escape_study;"
        "sys.exit('matplotlib' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
