"""Figures are drawn in threads, beside tables that are written in others."""

import subprocess
import sys


def test_pandas_is_there_before_the_first_thread() -> None:
    program = "import sys, snakebo.service; print('pandas' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["True"], done.stderr
