"""What a service answers instead of a result, as the exceptions that a local campaign raises.

SnakeboError
└── ServiceError                     a service that cannot be used, or an answer that makes no sense
    ├── ServiceUnavailableError      no answer for as long as patience lasted
    └── TokenError                   the token is missing or wrong
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from snakebo.errors import (
    BudgetSpentError,
    CampaignExistsError,
    InputError,
    KeyReusedError,
    SnakeboError,
    SpecError,
    StorageBusyError,
    StorageError,
    StorageFormatError,
    TrialStateError,
    UnknownCampaignError,
    UnknownTrialError,
    place,
)


class ServiceError(SnakeboError):
    """The service cannot be used, or gave an answer that makes no sense."""


class ServiceUnavailableError(ServiceError):
    """The service did not answer for as long as patience lasted. Whether it did what it should is unknown."""


class TokenError(ServiceError):
    """The service wants a token, or another one."""


# By the `type` of a problem document. What is not listed here is a ServiceError.
PROBLEMS: Mapping[str, type[SnakeboError]] = {
    "urn:snakebo:token": TokenError,
    "urn:snakebo:unknown-campaign": UnknownCampaignError,
    "urn:snakebo:unknown-trial": UnknownTrialError,
    "urn:snakebo:campaign-exists": CampaignExistsError,
    "urn:snakebo:trial-state": TrialStateError,
    "urn:snakebo:budget-spent": BudgetSpentError,
    "urn:snakebo:key-reused": KeyReusedError,
    "urn:snakebo:spec": SpecError,
    "urn:snakebo:input": InputError,
    "urn:snakebo:body": InputError,
    "urn:snakebo:too-large": InputError,
    "urn:snakebo:storage-busy": StorageBusyError,
    "urn:snakebo:storage-format": StorageFormatError,
    "urn:snakebo:storage": StorageError,
}


def as_error(problem: Mapping[str, Any]) -> SnakeboError:
    """Return the exception that a problem document stands for."""
    kind = PROBLEMS.get(str(problem.get("type")), ServiceError)
    detail = str(problem.get("detail") or problem.get("title") or "The service gave no reason.")
    if kind is SpecError:
        path = tuple(each for each in problem.get("path") or () if isinstance(each, str | int))
        return SpecError(path, detail.removeprefix(f"{place(path)}: "))
    return kind(detail)
