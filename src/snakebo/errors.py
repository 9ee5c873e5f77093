"""Everything snakebo raises on purpose.

SnakeboError
├── InputError (ValueError)          an argument, a point, a value that cannot be used
│   ├── RegionError                  a region with (almost) no room in it
│   └── CostError                    a movement cost that returned NaN, negatives or the wrong shape
└── CampaignError                    a request that does not fit the state of the campaign
    ├── UnknownTrialError (KeyError) no trial has that id
    ├── TrialStateError              told, failed or abandoned already
    └── BudgetSpentError             no step or no cost left
"""


class SnakeboError(Exception):
    """The root of all errors of this package."""


class InputError(SnakeboError, ValueError):
    """An argument, a point or a value cannot be used; the message says which and why."""


class RegionError(InputError):
    """A region is empty, or so small that points inside it cannot be found."""


class CostError(InputError):
    """A movement cost returned NaN, a negative number or the wrong shape."""


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
