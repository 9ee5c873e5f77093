"""Settings in one line: equal settings give equal texts, and every text gives its settings back."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from snakebo.bench.inline import read_settings, write_settings

plain = st.text(st.characters(min_codepoint=32, max_codepoint=0x2FFF, exclude_characters="\x7f"), max_size=8)
scalars = (
    st.booleans() | st.integers(-(10**9), 10**9) | st.floats(allow_nan=False, allow_infinity=False) | plain
)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(plain, inner, max_size=3),
    max_leaves=6,
)


@given(st.dictionaries(plain, values, max_size=4))
def test_what_is_written_is_read_again(settings: dict[str, Any]) -> None:
    assert read_settings(write_settings(settings)) == settings


@pytest.mark.parametrize(
    ("settings", "text"),
    [
        ({}, ""),
        ({"noise": 0.1}, "noise=0.1"),
        ({"noise": 1e-5, "cost": "geodesic"}, 'cost="geodesic",noise=1e-05'),
        ({"mean": [0.5, 1.0], "by": {"b c": 2}}, 'by={"b c"=2},mean=[0.5,1]'),
    ],
)
def test_the_text_is_the_one_that_keys_in_order_give(settings: dict[str, Any], text: str) -> None:
    assert write_settings(settings) == text
    assert write_settings(dict(reversed(settings.items()))) == text


def test_a_whole_number_is_the_same_with_and_without_a_point() -> None:
    assert write_settings({"noise": 1.0}) == write_settings({"noise": 1})
