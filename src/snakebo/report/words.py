"""The parts of the page that are text: the headline and the table of trials."""

from __future__ import annotations

from html import escape

from snakebo.report.snapshot import Snapshot
from snakebo.report.theme import number
from snakebo.trial import State, Trial


def write_headline(snapshot: Snapshot) -> str:
    """Return the best result of each objective with its setting, and what it took."""
    best = "\n".join(_best(snapshot, name) for name in snapshot.objectives)
    facts = "\n".join(_fact(*fact) for fact in _facts(snapshot))
    return (
        '<section class="headline" aria-label="Summary">\n'
        f'{best}\n<dl class="facts">\n{facts}\n</dl>\n</section>'
    )


def _best(snapshot: Snapshot, objective: str) -> str:
    word = "Highest" if snapshot.sign(objective) > 0 else "Lowest"
    head = f"{word} {escape(objective)} so far"
    trial = snapshot.best_by(objective)
    if trial is None:
        return f'<div class="best"><h2>{head}</h2><p class="empty">Nothing told yet.</p></div>'
    settings = "".join(
        f"<li>{escape(each.name)} <b>{number(trial.x[each.name])}</b>{escape(_unit(each.unit))}</li>"
        for each in snapshot.space.variables
    )
    return (
        f'<div class="best"><h2>{head}</h2><p class="value">{number(trial.values[objective])}</p>'
        f"<ul><li>trial <b>{trial.id}</b> at</li>{settings}</ul></div>"
    )


def _unit(unit: str) -> str:
    return f" {unit}" if unit else ""


def _facts(snapshot: Snapshot) -> list[tuple[str, str, str]]:
    settings, used = snapshot.settings, len(snapshot.trials)
    limit = "" if settings.cost_budget is None else f"of at most {number(settings.cost_budget)}"
    told, waiting, failed = (
        len(snapshot.within(state)) for state in (State.TOLD, State.OUTSTANDING, State.FAILED)
    )
    earlier = len(snapshot.seen.told) - told
    return [
        ("Cost spent", number(snapshot.total), limit or "for all moves"),
        ("Steps used", f"{used} of {settings.budget}", f"{settings.budget - used} left"),
        ("Results told", str(told), f"and {earlier} from before" if earlier > 0 else "values measured"),
        ("Outstanding", str(waiting), "asked, no result yet"),
        ("Failed", str(failed), "gave no result"),
    ]


def _fact(name: str, value: str, note: str) -> str:
    return f"<div><dt>{name}</dt><dd>{value}<small>{note}</small></dd></div>"


def write_table(snapshot: Snapshot) -> str:
    """Return the table of all trials, one row each."""
    names = snapshot.space.names
    heads = [
        *(f"{each.name} ({each.unit})" if each.unit else each.name for each in snapshot.space.variables),
        *snapshot.objectives,
    ]
    columns = [
        ("trial", ""),
        ("state", "word"),
        *((head, "") for head in heads),
        ("cost of move", ""),
        ("cost spent", ""),
        ("notes", "word"),
    ]
    head = "".join(
        f'<th scope="col"{_class(kind)}><button type="button">{escape(name)}</button></th>'
        for name, kind in columns
    )
    best = snapshot.best_by(snapshot.objectives[0])
    rows = []
    for trial, spent in zip(snapshot.trials, snapshot.spent.tolist(), strict=True):
        numbers = [
            *(trial.x[name] for name in names),
            *(trial.values.get(name) for name in snapshot.objectives),
            trial.cost,
            spent,
        ]
        cells = "".join(f"<td>{'' if each is None else number(each)}</td>" for each in numbers)
        kind = f"{trial.state} top" if trial is best else str(trial.state)
        rows.append(
            f'<tr class="{kind}"><th scope="row">{trial.id}</th><td class="word state">{trial.state}</td>'
            f'{cells}<td class="word">{escape(_notes(trial, best))}</td></tr>'
        )
    empty = "" if rows else '<p class="empty">Nothing was asked yet.</p>'
    return (
        '<section aria-labelledby="trials">\n<h2 id="trials">All trials</h2>\n'
        '<div class="scroll" tabindex="0" role="region" aria-labelledby="trials">\n'
        f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{chr(10).join(rows)}\n</tbody>\n</table>\n</div>\n"
        f"{empty}</section>"
    )


def _class(kind: str) -> str:
    return f' class="{kind}"' if kind else ""


def _notes(trial: Trial, best: Trial | None) -> str:
    marks = {"the best so far": trial is best, "a point of your own": trial.attached}
    return "; ".join([*(mark for mark, holds in marks.items() if holds), *filter(None, [trial.reason])])
