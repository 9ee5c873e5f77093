"""Errors that go through a problem document and come back as what they were."""

from typing import Any

import pytest

from snakebo import errors
from snakebo.client.failures import PROBLEMS, ServiceError, TokenError, as_error

problems = pytest.importorskip("snakebo.service.problems", reason="needs snakebo[service]")

OURS = [each for each in problems.STATUSES if each.__module__ == errors.__name__]


@pytest.mark.parametrize("kind", OURS)
def test_every_error_of_the_package_comes_back(kind: Any) -> None:
    error = kind(("variables", 1, "low"), "must be a number.") if kind is errors.SpecError else kind("No.")
    back = as_error(problems.describe(error))
    assert type(back) is kind
    assert str(back) == str(error)
    assert getattr(back, "path", None) == getattr(error, "path", None)


def test_every_type_of_the_table_is_one_that_services_send() -> None:
    assert set(PROBLEMS) <= {f"urn:snakebo:{kind}" for _, kind in problems.STATUSES.values()}


def test_refusals_before_anybody_looks() -> None:
    assert type(as_error(problems.describe(problems.TokenError("The token is wrong.")))) is TokenError
    assert type(as_error(problems.describe(problems.FieldError("Bad.", "x")))) is errors.InputError
    assert type(as_error(problems.describe(problems.HostError("Elsewhere.")))) is ServiceError


@pytest.mark.parametrize(
    ("problem", "words"),
    [
        ({}, "The service gave no reason."),
        ({"title": "Teapot"}, "Teapot"),
        ({"type": ["odd"], "detail": 5}, "5"),
        ({"type": "about:blank", "detail": "Odd."}, "Odd."),
    ],
)
def test_a_problem_of_somebody_else(problem: dict[str, Any], words: str) -> None:
    error = as_error(problem)
    assert type(error) is ServiceError
    assert str(error) == words


def test_a_spec_error_without_a_proper_path() -> None:
    error = as_error({"type": "urn:snakebo:spec", "detail": "budget: no.", "path": [None, "budget"]})
    assert isinstance(error, errors.SpecError)
    assert (error.path, str(error)) == (("budget",), "budget: no.")
