"""Sizes of definitions that the service takes."""

from typing import Any

import pytest

from snakebo.errors import SpecError
from snakebo.service.limits import check_keys, check_size

RING = [[0, 0]] * 501


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"budget": 100_001}, ("budget",)),
        ({"budget": 10**400}, ("budget",)),
        ({"variables": [{}] * 31}, ("variables",)),
        ({"objectives": [{}] * 11}, ("objectives",)),
        ({"region": [{}] * 51}, ("region",)),
        ({"region": {"vertices": RING * 2}}, ("region", "vertices")),
        ({"region": {"points": [[0]] * 20_001}}, ("region", "points")),
        ({"cost": {"costs": ["euclidean"] * 51}}, ("cost", "costs")),
        ({"method": "snake:candidates=100000"}, ("method",)),
        ({"method": "snake-paper:n_global=401"}, ("method",)),
        ({"method": "x" * 1001}, ()),
        ({"k" * 1001: 1}, ()),
    ],
)
def test_what_is_too_large_is_refused_with_its_place(change: Any, path: tuple[str, ...]) -> None:
    with pytest.raises(SpecError) as caught:
        check_size(change)
    assert caught.value.path == path


def test_what_is_too_large_all_in_all_is_refused() -> None:
    rings = {"region": {"vertices": RING}, "cost": {"polygon": {"vertices": RING}}}
    with pytest.raises(SpecError, match="at most 1000 entries, all in all"):
        check_size(rings)
    sums: Any = {"costs": ["euclidean"] * 10}
    for _ in range(5):
        sums = {"costs": [sums, *["euclidean"] * 9]}
    with pytest.raises(SpecError, match="at most 50 entries, all in all"):
        check_size({"cost": sums})


def test_what_is_too_deep_is_refused() -> None:
    deep: Any = 1
    for _ in range(100_000):
        deep = {"a": deep}
    with pytest.raises(SpecError, match="nested"):
        check_size(deep)
    while isinstance(deep, dict):  # or its end would be a recursion too
        deep = deep.pop("a")


@pytest.mark.parametrize("spec", [None, 1, [], "x", {}, {"budget": "x", "method": 3, "variables": 1}, {1: 2}])
def test_form_is_not_its_business(spec: Any) -> None:
    check_size(spec)


def test_usual_settings_of_a_method_are_fine() -> None:
    check_size({"method": "snake:candidates=2048,starts=6", "budget": 100_000, "variables": [{}] * 30})


@pytest.mark.parametrize("part", ["a", '"a"', '"a#="', "1", "'a.b'", " a ", "0"])
def test_a_key_of_very_many_parts_is_an_answer_not_a_fault(client: Any, problem: Any, part: str) -> None:
    text = ".".join([part] * 100_000) + " = 1"
    answer = client.post(
        "/api/campaigns", content=text.encode(), headers={"Content-Type": "application/toml"}
    )
    assert "dots" in problem(answer, 422, "spec")


def test_many_numbers_in_a_line_are_fine() -> None:
    check_keys("vertices = [" + "[0.5, -1.25e3], [+3.0,0.1]," * 500 + "]")


def test_a_deep_toml_is_an_answer_not_a_fault(client: Any) -> None:
    text = "a = " + "[" * 5000 + "]" * 5000
    answer = client.post(
        "/api/campaigns", content=text.encode(), headers={"Content-Type": "application/toml"}
    )
    assert answer.status_code == 422
