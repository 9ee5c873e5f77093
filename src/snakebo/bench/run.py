"""Run: one optimisation of an experiment, named by everything that decides its outcome."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import Any

from snakebo import methods, problems
from snakebo.bench.inline import read_settings, write_settings
from snakebo.problems.problem import Problem

RANDOM = "random"  # the start that is a uniform random point of the seed


@dataclass(frozen=True)
class Run:
    """What a run is, in texts and numbers that mean the same in every process and every year.

    problem: as `find_problem` reads it. protocol: "paper", "cold", or "fixed:" and hyper-parameters.
    cost_budget: None where there is none. start: "random", or the first setting as JSON.
    """

    problem: str
    budget: int
    delay: int
    method: str
    protocol: str
    cost_budget: float | None
    start: str
    seed: int

    def __str__(self) -> str:
        limits = f"T={self.budget}" + (f" delay={self.delay}" if self.delay else "")
        protocol = self.protocol.partition(":")[0]
        return f"{self.problem} {limits} {self.method} ({protocol}) seed {self.seed}"


KEY = tuple(field.name for field in fields(Run))


def name_problem(name: str, settings: Mapping[str, Any]) -> str:
    """Return the text for a problem with settings; no noise is what a problem has by itself."""
    told = {key: value for key, value in settings.items() if (key, value) != ("noise", 0)}
    return f"{name}:{write_settings(told)}" if told else name


@lru_cache(maxsize=64)
def find_problem(text: str) -> Problem:
    """Build the problem of a run: `branin2d`, `branin2d:noise=0.1`. Raises InputError."""
    name, _, settings = text.partition(":")
    return problems.get(name, **read_settings(settings))


def name_method(method: str) -> str:
    """Return the one text for a method; InputError if it is unknown."""
    return methods.name_of(methods.get(method)) or method


def name_start(start: Mapping[str, float] | None) -> str:
    """Return the text for where a run begins."""
    return RANDOM if start is None else json.dumps(start, sort_keys=True, separators=(",", ":"))
