"""Everything snakebo raises on purpose.

SnakeboError
├── InputError (ValueError)          an argument, a point, a value that cannot be used
│   ├── RegionError                  a region with (almost) no room in it
│   ├── CostError                    a movement cost that returned NaN, negatives or the wrong shape
│   ├── SpecError                    a written definition of a campaign; `path` leads to the place
│   └── KeyReusedError               a key that stands for another request already
├── CampaignError                    a request that does not fit the state of the campaign
│   ├── UnknownTrialError (KeyError) no trial has that id
│   ├── TrialStateError              told, failed or abandoned already
│   └── BudgetSpentError             no step or no cost left
└── StorageError                     a database that cannot be used now; nothing was changed
    ├── StorageBusyError             locked by somebody else for too long; trying again may help
    ├── StorageFormatError           not a database of ours, damaged, or of a newer snakebo
    ├── UnknownCampaignError (KeyError)   the storage has no campaign of that name
    └── CampaignExistsError          it has one already

Beside these, each where it is raised: EvaluationError (loop), ReportError (report), ServiceError with
ServiceUnavailableError and TokenError (client), SuggestionError (gest).
"""

from collections.abc import Iterable, Mapping


class SnakeboError(Exception):
    """The root of all errors of this package."""


class InputError(SnakeboError, ValueError):
    """An argument, a point or a value cannot be used; the message says which and why."""


class RegionError(InputError):
    """A region is empty, or so small that points inside it cannot be found."""


class CostError(InputError):
    """A movement cost returned NaN, a negative number or the wrong shape."""


class SpecError(InputError):
    """A written definition of a campaign cannot be used; `path` holds the keys and indices to the place."""

    def __init__(self, path: Iterable[str | int], message: str) -> None:
        self.path = tuple(path)
        self.message = message
        super().__init__(f"{place(self.path)}: {message}" if self.path else message)

    def __reduce__(self) -> tuple[type["SpecError"], tuple[object, ...]]:
        return SpecError, (self.path, self.message)


def place(path: Iterable[str | int]) -> str:
    """Return a path as people write it: `variables[1].low`."""
    return "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in path).removeprefix(".")


def reword(error: Exception, words: Mapping[str, str]) -> str:
    """Return the message of an error for people who do not write Python; `words` replaces what names it."""
    message = str(error)
    for python, other in words.items():
        message = message.replace(python, other)
    return message


class KeyReusedError(InputError):
    """A key stands for one request, and was used for another one before."""


class CampaignError(SnakeboError):
    """A request does not fit the present state of the campaign."""


class UnknownTrialError(CampaignError, KeyError):
    """No trial of this campaign has the given id."""

    def __str__(self) -> str:
        return str(self.args[0])  # KeyError would print the repr


class TrialStateError(CampaignError):
    """The trial is told or failed already."""


class BudgetSpentError(CampaignError):
    """The campaign has no step, or not enough cost budget, left."""


class StorageError(SnakeboError):
    """A storage cannot be used now. What was stored before is as it was."""


class StorageBusyError(StorageError):
    """Somebody else holds the storage; the same request may succeed later."""


class StorageFormatError(StorageError):
    """The file is no database of ours, is damaged, or was written by a newer snakebo."""


class UnknownCampaignError(StorageError, KeyError):
    """The storage has no campaign of the given name."""

    def __str__(self) -> str:
        return str(self.args[0])  # KeyError would print the repr


class CampaignExistsError(StorageError):
    """The storage has a campaign of the given name already."""
