"""What every storage promises, and what a campaign makes of it: memory, SQLite and a real PostgreSQL."""

import pickle
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import snakebo as sb
from snakebo.errors import (
    CampaignExistsError,
    InputError,
    KeyReusedError,
    SpecError,
    StorageError,
    TrialStateError,
    UnknownCampaignError,
)
from snakebo.storage import Change, Event, MemoryStorage, Storage

Connect = Callable[[], Storage]
SPACE = sb.Space([sb.Variable("temperature", 40, 120, unit="°C"), sb.Variable("flow", 1, 5, step=0.1)])
SMALL = "snake:candidates=64,features=64,climbs=4"
SPEC = {"name": "a", "budget": 3}


def height(x: Any) -> float:
    return float(-(((x["temperature"] - 70) / 80) ** 2) - ((x["flow"] - 2) / 4) ** 2)


def append(storage: Storage, name: str, kind: str, payload: Any, plan: Any = None) -> Event:
    with storage.change(name, after=0) as change:
        return change.write(kind, payload, plan)


# --- journals ----------------------------------------------------------------------------------------


def test_campaigns_are_kept_by_name(connect: Connect) -> None:
    storage = connect()
    assert storage.names() == ()
    storage.create("ünïcode °C / 7", {"name": "z", "x": [1.5, None, "é"]})
    storage.create("a", SPEC)
    assert connect().names() == ("ünïcode °C / 7", "a")
    assert connect().spec("ünïcode °C / 7") == {"name": "z", "x": [1.5, None, "é"]}
    with pytest.raises(CampaignExistsError, match="'a' already"):
        connect().create("a", SPEC)
    assert connect().names() == ("ünïcode °C / 7", "a")


def test_an_unknown_name_is_answered_with_the_known_ones(connect: Connect) -> None:
    storage = connect()
    with pytest.raises(UnknownCampaignError, match="no campaign 'b'; it has none yet"):
        storage.spec("b")
    storage.create("a", SPEC)
    for ask in (storage.spec, storage.read, lambda name: append(storage, name, "asked", {})):
        with pytest.raises(UnknownCampaignError, match="no campaign 'b'; it has 'a'"):
            ask("b")


@pytest.mark.parametrize("name", ["", "a\nb", "nul\0", "\ud800", "x" * 201])
def test_names_that_a_database_cannot_hold_are_refused(connect: Connect, name: str) -> None:
    with pytest.raises(InputError, match="name of a stored campaign"):
        connect().create(name, SPEC)


def test_events_come_back_in_order_and_unchanged(connect: Connect) -> None:
    storage = connect()
    storage.create("a", SPEC)
    storage.create("b", SPEC)
    first = append(storage, "a", "asked", {"x": {"é": 0.1 + 0.2}, "known": 0}, [[0.1, 1 / 3]])
    second = append(storage, "a", "told", {"reason": "nul \0, half \ud800, 'quote\"", "values": [-0.0]})
    append(storage, "b", "failed", {})
    journal = connect().read("a")
    assert journal.events == (first, second)
    assert [(event.seq, event.kind) for event in journal.events] == [(1, "asked"), (2, "told")]
    assert journal.events[0].payload["x"]["é"] == 0.1 + 0.2
    assert journal.plans == {1: [[0.1, 1 / 3]]}
    assert journal.events[0].at <= journal.events[1].at
    later = connect().read("a", after=1)
    assert (later.events, later.plans) == ((second,), {})
    assert connect().read("a", after=2).events == ()


def test_the_last_two_plans_come_back(connect: Connect) -> None:
    storage = connect()
    storage.create("a", SPEC)
    for number, plan in enumerate([[[0.1]], None, [[0.2], [0.3]], None, [], None]):
        append(storage, "a", "asked", {"id": number}, plan)
    assert connect().read("a").plans == {3: [[0.2], [0.3]], 5: []}
    assert connect().read("a", after=3).plans == {5: []}
    assert connect().read("a", after=5).plans == {}


def test_a_change_shows_what_was_missed_and_is_alone(connect: Connect) -> None:
    storage = connect()
    storage.create("a", SPEC)
    first = append(storage, "a", "asked", {"id": 0}, [[0.5]])
    second = append(connect(), "a", "told", {"id": 0})
    with storage.change("a", after=1) as change:
        assert (change.journal.events, change.journal.plans, change.seq) == ((second,), {}, 2)
    assert storage.read("a").events == (first, second)


def test_a_change_that_raises_leaves_nothing(connect: Connect) -> None:
    storage = connect()
    storage.create("a", SPEC)
    append(storage, "a", "asked", {"id": 0}, [[0.5]])

    def fall() -> None:
        with storage.change("a", after=0) as change:
            change.write("told", {}, [[0.7]])
            raise RuntimeError("in the middle")

    with pytest.raises(RuntimeError, match="in the middle"):
        fall()
    assert [event.kind for event in connect().read("a").events] == ["asked"]
    assert connect().read("a").plans == {1: [[0.5]]}
    assert append(storage, "a", "told", {}).seq == 2


def test_not_a_number_never_enters(connect: Connect) -> None:
    storage = connect()
    storage.create("a", SPEC)
    for bad in (float("nan"), float("inf")):
        with pytest.raises(ValueError, match="JSON"):
            append(storage, "a", "told", {"value": bad})
    assert storage.read("a").events == ()


@given(value=st.floats(allow_nan=False, allow_infinity=False))
@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_floats_survive_exactly(connect: Connect, value: float) -> None:
    storage = connect()
    if not storage.names():
        storage.create("a", SPEC)
    seq = len(storage.read("a").events)
    append(storage, "a", "told", {"value": value}, [[value]])
    journal = storage.read("a", after=seq)
    (plan,) = journal.plans.values()
    for back in (journal.events[0].payload["value"], plan[0][0]):
        assert np.float64(back).tobytes() == np.float64(value).tobytes()


def test_threads_may_share_a_storage(connect: Connect) -> None:
    storage = connect()
    storage.create("a", SPEC)

    def write(worker: int) -> None:
        for number in range(10):
            append(storage, "a", "x", {"w": [worker, number]})

    threads = [threading.Thread(target=write, args=(worker,)) for worker in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    written = [tuple(event.payload["w"]) for event in storage.read("a").events]
    assert sorted(written) == [(worker, number) for worker in range(4) for number in range(10)]


# --- campaigns ---------------------------------------------------------------------------------------


def test_a_name_is_used_once(connect: Connect) -> None:
    sb.Campaign(SPACE, 3, storage=connect(), name="run")
    with pytest.raises(CampaignExistsError, match=r"Go on with Campaign\.load, or choose"):
        sb.Campaign(SPACE, 3, storage=connect(), name="run")
    sb.Campaign(SPACE, 3, storage=connect(), name="another")
    assert connect().names() == ("run", "another")


@pytest.mark.parametrize("method", [SMALL, "random-tour", "ei"])
@pytest.mark.parametrize("delay", [0, 3])
def test_reloading_at_every_step_changes_no_point(connect: Connect, method: str, delay: int) -> None:
    def drive(campaign: sb.Campaign, again: Callable[[sb.Campaign], sb.Campaign]) -> list[dict[str, float]]:
        while not campaign.finished:
            trial = campaign.ask()
            campaign = again(campaign)
            if trial.id >= delay:
                due = campaign.trial(trial.id - delay)
                campaign.tell(due.id, height(due.x))
            campaign = again(campaign)
        return [dict(trial.x) for trial in campaign.trials]

    kept = sb.Campaign(SPACE, 8, method, storage=connect(), name="run", seed=3)
    plain = sb.Campaign(SPACE, 8, method, seed=3)
    assert drive(kept, lambda _: sb.Campaign.load(connect(), "run")) == drive(plain, lambda same: same)


def test_everything_that_happened_is_there_after_a_load(connect: Connect) -> None:
    settings: dict[str, Any] = {
        "start": {"temperature": 40, "flow": 1},
        "objectives": ("yield", "waste"),
        "direction": {"yield": "maximize", "waste": "minimize"},
    }
    kept = sb.Campaign(SPACE, 8, SMALL, storage=connect(), name="run", **settings)
    plain = sb.Campaign(SPACE, 8, SMALL, name="run", **settings)
    for campaign in (kept, plain):
        campaign.add_data([{"temperature": 50, "flow": 2, "yield": 0.3, "waste": 1.0}])
        for _ in range(3):
            campaign.ask()
        campaign.tell(1, {"yield": 0.7, "waste": 0.1}, x={"temperature": 66.6, "flow": 1.234})
        campaign.tell(1, {"yield": 0.8, "waste": 0.1}, replace=True)
        campaign.fail(0, "pump stalled")
        campaign.tell(0, {"yield": 0.1, "waste": 2}, replace=True)
        campaign.fail(2, "°C")
        campaign.attach({"temperature": 100, "flow": 3})
    loaded = sb.Campaign.load(connect(), "run")
    for campaign in (kept, loaded):
        assert campaign.trials == plain.trials
        assert campaign.best == plain.best
        assert campaign.spent == plain.spent
        assert campaign.position == plain.position
        assert campaign.outstanding == plain.outstanding
        assert campaign.settings == plain.settings
        assert campaign.plan() == plain.plan()
        assert campaign.view().told.X.tolist() == plain.view().told.X.tolist()
        assert campaign.view().told.Y.tolist() == plain.view().told.Y.tolist()
    told = [event for event in connect().read("run").events if event.kind == "told"]
    assert [event.payload["values"]["yield"] for event in told] == [0.7, 0.8, 0.1]
    assert [event.payload["replaced"] for event in told] == [False, True, True]
    assert loaded.trial(0).asked_at is not None
    assert loaded.trial(0).told_at is not None
    assert loaded.trial(3).told_at is None
    assert [trial.asked_at for trial in loaded.trials] == [trial.asked_at for trial in kept.trials]


def test_two_hands_on_one_campaign_see_each_other_at_once(connect: Connect) -> None:
    mine = sb.Campaign(SPACE, 6, "random-tour", storage=connect(), name="run")
    yours = sb.Campaign.load(connect(), "run")
    first, second = mine.ask(), yours.ask()
    assert (first.id, second.id) == (0, 1)
    assert first.x != second.x
    assert mine.outstanding == yours.outstanding == (first, second)
    yours.tell(0, 1.0)
    assert mine.best is not None
    assert mine.best.id == 0
    mine.tell(0, 1.0)
    with pytest.raises(TrialStateError, match="told 1 already"):
        mine.tell(0, 2.0)
    yours.fail(1, "no")
    assert mine.trial(1).reason == "no"
    mine.attach({"temperature": 50, "flow": 2})
    assert yours.position == {"temperature": 50, "flow": 2}
    assert yours.ask().id == 3
    yours.add_data([{"temperature": 50, "flow": 2, "value": 0.3}])
    assert len(mine.view().told) == 2
    assert mine.plan() == yours.plan()


def test_what_was_left_of_the_plan_before_is_kept(connect: Connect) -> None:
    campaign = sb.Campaign(SPACE, 8, SMALL, storage=connect(), name="run")
    assert campaign.history().previous.tolist() == []
    campaign.ask()
    campaign.ask()
    before, at = campaign.look_ahead()[1].tolist(), campaign.history().planned
    campaign.tell(0, 1.0)
    campaign.ask()  # with a new plan
    campaign.ask()
    for seen in (campaign.history(), sb.Campaign.load(connect(), "run").history()):
        assert (seen.previous.tolist(), seen.previous_planned) == (before, at)
        assert (at, seen.planned) == (1, 4)


# --- requests that are repeated -----------------------------------------------------------------------


def test_the_same_key_is_the_same_trial_from_anywhere(connect: Connect) -> None:
    campaign = sb.Campaign(SPACE, 4, "random-tour", storage=connect(), name="run")
    first = campaign.ask(key="a")
    second = campaign.ask(key="b")
    there = {"temperature": 50.0, "flow": 2.0}
    mine = campaign.attach(there, key="mine")
    for again in (campaign, sb.Campaign.load(connect(), "run")):
        assert again.ask(key="b") == second
        assert again.ask(key="a") == first
        assert again.attach(there, key="mine") == mine
    campaign.tell(first.id, 1.0)
    assert campaign.ask(key="a") == campaign.trial(first.id)
    campaign.ask()
    assert campaign.ask(key="b") == second  # though nothing is left
    kinds = [(event.kind, event.payload.get("key")) for event in connect().read("run").events]
    assert kinds == [("asked", "a"), ("asked", "b"), ("attached", "mine"), ("told", None), ("asked", None)]


def test_a_key_stands_for_one_request(connect: Connect) -> None:
    campaign = sb.Campaign(SPACE, 4, "random-tour", storage=connect(), name="run")
    campaign.ask(key="a")
    campaign.attach({"temperature": 50, "flow": 2}, key="b")
    calls: list[Callable[[], sb.Trial]] = [
        lambda: campaign.attach({"temperature": 50, "flow": 2}, key="a"),
        lambda: campaign.attach({"temperature": 51, "flow": 2}, key="b"),
        lambda: campaign.ask(key="b"),
    ]
    for call in calls:
        with pytest.raises(KeyReusedError, match="A key stands for one request"):
            call()
    assert len(campaign.trials) == 2


@pytest.mark.parametrize("key", ["", "two words", "x" * 201, "é", "\n", 7])
def test_unfit_keys_are_refused(connect: Connect, key: Any) -> None:
    campaign = sb.Campaign(SPACE, 4, "random-tour", storage=connect(), name="run")
    with pytest.raises(InputError, match="1 to 200 visible ASCII characters"):
        campaign.ask(key=key)
    with pytest.raises(InputError, match="1 to 200 visible ASCII characters"):
        campaign.attach({"temperature": 50, "flow": 2}, key=key)
    assert campaign.trials == ()


def test_a_key_that_another_hand_uses_while_planning_is_found(connect: Connect) -> None:
    campaign = interrupted(connect(), lambda other: other.ask(key="k"))
    trial = campaign.ask(key="k")
    assert trial.id == 2
    assert len(campaign.trials) == 3


def test_threads_with_one_key_get_one_trial(connect: Connect) -> None:
    sb.Campaign(SPACE, 20, "random-tour", storage=connect(), name="run")
    hands = [sb.Campaign.load(connect(), "run") for _ in range(3)]
    found: list[tuple[str, int]] = []

    def ask(number: int) -> None:
        key = f"k{number % 4}"
        found.append((key, hands[number % 3].ask(key=key).id))

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(24)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 24
    assert len(set(found)) == 4
    assert len(hands[0].trials) == 4


class Interrupted:
    """A storage in which something else happens just before a campaign is held."""

    def __init__(self, inner: Storage, meanwhile: Callable[[], object]) -> None:
        self.inner, self.meanwhile = inner, [meanwhile]
        self.url = inner.url

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    def change(self, name: str, after: int) -> Any:
        while self.meanwhile:
            self.meanwhile.pop()()
        return self.inner.change(name, after)


def interrupted(storage: Storage, meanwhile: Callable[[sb.Campaign], object]) -> sb.Campaign:
    """A campaign with two asked trials whose next event is overtaken by what another hand does."""
    other = sb.Campaign(SPACE, 8, SMALL, storage=storage, name="run")
    other.ask()
    other.ask()
    wrapped: Any = Interrupted(storage, lambda: meanwhile(other))
    campaign = sb.Campaign.__new__(sb.Campaign)
    campaign._begin(other.settings, wrapped)
    return campaign


def test_a_result_that_comes_while_planning_is_news_for_the_next_ask(connect: Connect) -> None:
    storage = connect()
    campaign = interrupted(storage, lambda other: other.tell(0, 1.0))
    before = campaign.plan()
    trial = campaign.ask()
    assert trial.id == 2
    assert dict(trial.x) == before[0]
    asked = storage.read("run").events[-1]
    assert (asked.seq, asked.payload["known"]) == (4, 2)
    assert campaign._ledger.history.news
    again = sb.Campaign.load(storage, "run")
    assert again._ledger.history.news
    assert again.plan() == campaign.plan()


def test_an_ask_that_comes_while_planning_is_not_repeated(connect: Connect) -> None:
    campaign = interrupted(connect(), lambda other: other.ask())
    ahead = campaign.plan()
    trial = campaign.ask()
    assert trial.id == 3
    assert dict(trial.x) == ahead[1]
    assert [dict(each.x) for each in campaign.trials[2:]] == ahead[:2]


def test_an_ask_that_lost_takes_the_plan_of_the_winner(connect: Connect) -> None:
    def overtake(other: sb.Campaign) -> None:
        other.ask()  # with a plan that knows as much
        other.tell(2, 1.0)

    storage = connect()
    campaign = interrupted(storage, overtake)
    assert campaign.ask().id == 3
    first, told, second = storage.read("run").events[-3:]
    assert (told.kind, first.payload["known"], second.payload["known"]) == ("told", 2, 2)
    assert campaign.history().news  # the result is for the next ask


def test_a_moved_position_changes_the_cost_of_an_ask_under_way(connect: Connect) -> None:
    elsewhere = {"temperature": 120.0, "flow": 5.0}
    campaign = interrupted(connect(), lambda other: other.tell(1, 1.0, x=elsewhere))
    trial = campaign.ask()
    assert trial.cost == campaign._ledger.history.move(trial.x, elsewhere)


def test_a_tell_that_comes_first_wins(connect: Connect) -> None:
    campaign = interrupted(connect(), lambda other: other.tell(0, 1.0))
    with pytest.raises(TrialStateError, match="told 1 already; got 2"):
        campaign.tell(0, 2.0)
    assert campaign.trial(0).value == 1.0


def test_the_same_tell_from_two_hands_is_one(connect: Connect) -> None:
    storage = connect()
    campaign = interrupted(storage, lambda other: other.tell(0, 1.0))
    assert campaign.tell(0, 1.0).value == 1.0
    assert [event.kind for event in storage.read("run").events].count("told") == 1


def test_the_last_step_is_not_handed_out_twice(connect: Connect) -> None:
    storage = connect()
    other = sb.Campaign(SPACE, 1, "random-tour", storage=storage, name="run")
    wrapped: Any = Interrupted(storage, other.ask)
    campaign = sb.Campaign.__new__(sb.Campaign)
    campaign._begin(other.settings, wrapped)
    with pytest.raises(sb.errors.BudgetSpentError):
        campaign.ask()
    assert len(other.trials) == 1


def test_a_cost_budget_holds_for_several_hands(connect: Connect) -> None:
    start = {"temperature": 40, "flow": 1}
    mine = sb.Campaign(SPACE, 30, "random-tour", cost_budget=1.5, start=start, storage=connect(), name="run")
    yours = sb.Campaign.load(connect(), "run")
    while not mine.finished:
        mine.ask()
        if not yours.finished:
            yours.ask()
    assert mine.spent == yours.spent <= 1.5


class Broken:
    """A storage that fails to write."""

    def __init__(self, inner: Storage) -> None:
        self.inner, self.url = inner, inner.url

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    @contextmanager
    def change(self, name: str, after: int) -> Iterator[Change]:
        with self.inner.change(name, after) as change:
            yield change
            raise StorageError("no room left")


def test_what_was_not_written_did_not_happen(connect: Connect) -> None:
    storage = connect()
    sb.Campaign(SPACE, 5, SMALL, storage=storage, name="run").ask()
    campaign = sb.Campaign.load(storage, "run")
    broken: Any = Broken(storage)
    campaign._ledger.storage = broken
    before, ahead = campaign.trials, campaign.plan()
    for change in (
        campaign.ask,
        lambda: campaign.tell(0, 1.0),
        lambda: campaign.fail(0),
        lambda: campaign.attach({"temperature": 50, "flow": 2}),
        lambda: campaign.add_data([{"temperature": 50, "flow": 2, "value": 0.3}]),
    ):
        with pytest.raises(StorageError, match="no room left"):
            change()
        assert campaign.trials == before
        assert campaign.plan() == ahead
    campaign._ledger.storage = storage
    assert dict(campaign.ask().x) == ahead[0]


def test_parts_that_are_code_are_given_again(connect: Connect) -> None:
    def fuel(a: Any, b: Any) -> Any:
        return np.abs(a[:, None, 0] - b[None, :, 0])

    def shallow(x: Any) -> Any:
        return x["temperature"] < 100

    space = sb.Space(SPACE.variables, region=sb.Predicate(shallow))
    campaign = sb.Campaign(space, 4, "random-tour", cost=fuel, storage=connect(), name="run")
    first = campaign.ask()
    with pytest.raises(SpecError, match=r"region: is code \(Predicate\).*Campaign\.load\(…, region=…\)"):
        sb.Campaign.load(connect(), "run", cost=fuel)
    with pytest.raises(SpecError, match=r"cost: is code \(Function\).*Campaign\.load\(…, cost=…\)"):
        sb.Campaign.load(connect(), "run", region=sb.Predicate(shallow))
    with pytest.raises(InputError, match="stored as data already; leave method=… out"):
        sb.Campaign.load(connect(), "run", method="ei")
    with pytest.raises(InputError, match="Only method, region, cost, protocol"):
        sb.Campaign.load(connect(), "run", budget=7)
    loaded = sb.Campaign.load(connect(), "run", cost=fuel, region=sb.Predicate(shallow))
    assert loaded.settings == campaign.settings
    assert loaded.trials == (first,)


def test_a_stored_campaign_travels_by_its_name(connect: Connect) -> None:
    storage = connect()
    campaign = sb.Campaign(SPACE, 4, SMALL, storage=storage, name="run")
    campaign.tell(campaign.ask().id, 1.0)
    if isinstance(storage, MemoryStorage):
        with pytest.raises(StorageError, match="stays in its process"):
            pickle.dumps(campaign)
        return
    there = pickle.loads(pickle.dumps(campaign))
    there.ask()
    assert campaign.trials == there.trials
    assert campaign.plan() == there.plan()
    there.storage.close()
