import pytest

import snakebo as sb
from snakebo.report.theme import DARK, LIGHT, SHADES, label, number, plain


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.0, "0"), (84.23456, "84.235"), (123456.7, "123457"), (-1234567.0, "-1234567"), (1e-7, "1e-07"),
     (2.5e12, "2.5e+12"), (0.00012345678, "0.00012346")],
)  # fmt: skip
def test_numbers_read_well(value: float, text: str) -> None:
    assert number(value) == text


def test_plain_text_has_no_tags_templates_colours_or_formulas() -> None:
    assert plain("<b>\n a & %{x}  #fff $y$") == "&lt;b&gt; a &amp; &#37;{x} &#35;fff &#36;y&#36;"


def test_a_label_is_short_and_has_its_unit() -> None:
    assert label(sb.Variable("T", 0, 1, unit="°C")) == "T (°C)"
    assert len(label(sb.Variable("t" * 100, 0, 1))) == 28


def _contrast(one: str, other: str) -> float:
    def luminance(color: str) -> float:
        parts = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    low, high = sorted([luminance(one), luminance(other)])
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("colors", [LIGHT, DARK])
@pytest.mark.parametrize("text", ["accent", "ink", "quiet", "fault"])
@pytest.mark.parametrize("ground", ["paper", "card"])
def test_texts_stand_out_from_their_ground(colors: dict[str, str], text: str, ground: str) -> None:
    assert _contrast(colors[text], colors[ground]) >= 4.5  # WCAG AA


def test_every_colour_has_a_dark_partner() -> None:
    assert len(SHADES) == len(LIGHT) + 9
    assert SHADES[LIGHT["accent"]] == DARK["accent"]
