"""Methods by name, and settings written after a colon."""

import pytest

import snakebo as sb
from snakebo.errors import InputError
from snakebo.methods.improvement_per_cost import ImprovementPerCost


def test_settings_are_read_from_the_name() -> None:
    assert sb.methods.get("eipu:gamma=0.5") == ImprovementPerCost(gamma=0.5)
    assert sb.methods.get("snake:epsilon=0.1,keep=1") == sb.SnAKe(epsilon=0.1, keep=1)
    assert sb.methods.get("snake: epsilon = lengthscale") == sb.SnAKe()


def test_every_name_gives_a_method_with_its_defaults() -> None:
    for name in sb.methods.names():
        assert sb.methods.get(name) == type(sb.methods.get(name))()


def test_a_campaign_takes_settings_by_name() -> None:
    space = sb.Space([sb.Variable("a", 0, 1)])
    campaign = sb.Campaign(space, 5, method="ucb:weight=0.5")
    assert campaign.settings.method == sb.methods.get("ucb:weight=0.5")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("snak", "did you mean 'snake'"),
        ("", "choose one of snake"),
        ("snake:eps=1", "its settings are: epsilon"),
        ("snake:epsilom=1", "did you mean 'epsilon'"),
        ("snake:", "field=value"),
        ("snake:epsilon", "field=value"),
        ("snake:epsilon=", "field=value"),
        ("snake:epsilon=0.1,epsilon=0.2", "given twice"),
        ("snake:epsilon=-1", "epsilon"),
        ("snake:epsilon=nan", "epsilon"),
        ("snake:candidates=many", "candidates"),
        ("eipu:gamma=0", "gamma"),
        ("eipu:gamma=inf", "gamma"),
        ("eipu:gamma=wide", "gamma"),
        ("ucb:weight=-0.1", "weight"),
        ("ts:features=1.5", "features"),
        ("ei:gamma=1", "its settings are: none"),
    ],
)
def test_what_cannot_be_read_is_an_error_that_says_what_can(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        sb.methods.get(text)


def test_an_object_needs_a_plan() -> None:
    with pytest.raises(InputError, match="plan"):
        sb.methods.get(sb.SnAKe)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="plan"):
        sb.methods.get(3)  # type: ignore[arg-type]
