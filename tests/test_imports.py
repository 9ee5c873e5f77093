"""What importing the package must not load: a fresh interpreter tells."""

import subprocess
import sys

import pytest

HEAVY = ("torch", "gpytorch", "botorch", "numba", "shapely")


@pytest.mark.parametrize(
    "program",
    [
        "import snakebo as sb; sb.problems.names()",
        "import snakebo as sb; sb.Space([sb.Variable('temperature', 40, 120, unit='°C')])",
        "import snakebo as sb; sb.problems.get('branin2d').space",
    ],
)
def test_light_use_loads_nothing_heavy(program: str) -> None:
    report = f"import sys; print(*[name for name in {HEAVY!r} if name in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", f"{program}\n{report}"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == []


def test_databases_are_loaded_for_a_url_alone() -> None:
    program = (
        "import sys, snakebo as sb; space = sb.Space([sb.Variable('a', 0, 1)]); "
        "sb.Campaign(space, 3, 'random-tour'); sb.Campaign(space, 3, 'random-tour', storage='memory:'); "
        "print('sqlalchemy' in sys.modules, 'torch' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["False", "False"], done.stderr
