"""Problem documents: every error of the package has a status that fits."""

from collections.abc import Iterator
from http import HTTPStatus

import pytest

from snakebo import errors
from snakebo.errors import InputError, KeyReusedError, SnakeboError, SpecError
from snakebo.service import problems
from snakebo.service.problems import FieldError, describe, naming


def subclasses(kind: type[Exception]) -> Iterator[type[Exception]]:
    for each in kind.__subclasses__():
        yield each
        yield from subclasses(each)


@pytest.mark.parametrize(
    ("kind", "status"),
    [
        (errors.InputError, 422),
        (errors.RegionError, 422),
        (errors.CostError, 422),
        (errors.KeyReusedError, 422),
        (errors.UnknownTrialError, 404),
        (errors.TrialStateError, 409),
        (errors.BudgetSpentError, 409),
        (errors.StorageError, 503),
        (errors.StorageBusyError, 503),
        (errors.StorageFormatError, 503),
        (errors.UnknownCampaignError, 404),
        (errors.CampaignExistsError, 409),
        (RuntimeError, 500),
    ],
)
def test_errors_of_the_package_have_a_status(kind: type[Exception], status: int) -> None:
    document = describe(kind("what happened"))
    assert document["status"] == status
    assert document["title"] == HTTPStatus(status).phrase
    assert (document["detail"] == "what happened") is (status != 500)


def test_no_error_on_purpose_is_a_fault_of_the_service() -> None:
    ours: set[type[Exception]] = {
        each for each in vars(errors).values() if isinstance(each, type) and issubclass(each, SnakeboError)
    }
    ours |= {each for each in subclasses(SnakeboError) if each.__module__ == problems.__name__}
    for kind in ours - {SnakeboError, errors.CampaignError, SpecError, problems.RequestError}:
        assert describe(kind("x"))["status"] != 500, kind


def test_types_tell_errors_apart() -> None:
    kinds = [name for kind, (_, name) in problems.STATUSES.items() if kind is not FieldError]
    assert len(set(kinds)) == len(kinds)


def test_a_place_in_a_definition_is_named() -> None:
    document = describe(SpecError(("variables", 1, "low"), "must be a number."))
    assert (document["path"], document["field"]) == (["variables", 1, "low"], "variables[1].low")


def test_an_unusable_value_is_named_after_its_field() -> None:
    with pytest.raises(FieldError) as caught, naming("x"):
        raise InputError("too hot")
    assert describe(caught.value)["field"] == "x"
    with pytest.raises(KeyReusedError), naming("x"):
        raise KeyReusedError("another request")
