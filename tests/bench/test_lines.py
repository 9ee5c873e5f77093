"""Lines: one for each method that cannot be mistaken for another, and ours stands out."""

from itertools import combinations

from snakebo import methods
from snakebo.bench.lines import choose_lines, set_apart

DRAWN = [*methods.names(), *(f"snake-paper:epsilon={epsilon}" for epsilon in ("0", "0.1", "1"))]


def test_no_two_methods_look_alike() -> None:
    lines = choose_lines(DRAWN)
    for one, other in combinations(lines.values(), 2):
        assert (one.color, one.dashes) != (other.color, other.dashes)


def test_snake_is_strongest() -> None:
    lines = choose_lines(DRAWN)
    others = [line for method, line in lines.items() if method != "snake"]
    assert lines["snake"].weight > max(line.weight for line in others)
    assert all(line.color != lines["snake"].color for line in others)


def test_a_method_looks_the_same_whatever_is_beside_it() -> None:
    assert choose_lines(["mine", "ei"])["ei"] == choose_lines(["ei", "ucb"])["ei"]


def test_another_protocol_keeps_colour_and_dashes() -> None:
    for line in choose_lines(DRAWN).values():
        assert set_apart(line).color == line.color
        assert set_apart(line).dashes == line.dashes
        assert set_apart(line).marker != line.marker


def test_unknown_methods_get_lines_of_their_own() -> None:
    lines = choose_lines(["snake:polish=0", "snake:keep=1", "snake"])
    assert len({line.color for line in lines.values()}) == 3
