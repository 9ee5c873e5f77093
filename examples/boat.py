"""A boat on a lake with an island: two quantities at every place, the way by water, and one tank of fuel.

Everything is kept in a database, so that the same command goes on after Ctrl-C or a kill. Fuel for the way
home is set aside beforehand. Run it with `python examples/boat.py`, and look at boat.html afterwards.
"""

import argparse
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

import numpy as np

import snakebo as sb
from snakebo.errors import SnakeboError
from snakebo.storage import Storage

SHORE = sb.Polygon(
    vertices=[(0.2, 0.4), (2.0, 0.0), (4.4, 0.3), (6.0, 1.6), (5.2, 3.4), (3.2, 3.9), (1.2, 3.2), (0.0, 1.8)],
    holes=[[(2.4, 1.2), (3.6, 1.5), (3.3, 2.5), (2.6, 2.2)]],  # an island
    variables=("east", "north"),
)
LAKE = sb.Space(
    [sb.Variable("east", 0, 6, unit="km", step=0.01), sb.Variable("north", 0, 4, unit="km", step=0.01)], SHORE
)
JETTY = {"east": 0.6, "north": 0.6}
FUEL_PER_KM = 0.4  # litres
FUEL = FUEL_PER_KM * sb.Geodesic(SHORE)
QUANTITIES: Mapping[str, Literal["maximize", "minimize"]] = {"chlorophyll": "maximize", "oxygen": "minimize"}


def main() -> None:
    """Go on with the campaign, or begin it, until the tank or the jars are used up."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--jars", type=int, default=40, help="places that can be sampled at most")
    parser.add_argument("--tank", type=float, default=12.0, help="litres of fuel, the way home included")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--stop-after", type=int, default=10**6, help="measurements this time")
    parser.add_argument("--folder", type=Path, default=Path(), help="where boat.db and boat.html go")
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)

    campaign = open_campaign(sb.open_storage(f"sqlite:///{arguments.folder / 'boat.db'}"), arguments)
    rng = np.random.default_rng([arguments.seed, len(campaign.trials)])
    try:
        for _ in range(arguments.stop_after):
            waiting = campaign.outstanding  # asked for when the last run was ended
            if not waiting and campaign.finished:
                break
            trial = waiting[0] if waiting else campaign.ask()
            print_line(campaign, campaign.tell(trial.id, sample(trial.x, rng)))
    except KeyboardInterrupt:
        print("interrupted; the same command goes on from here")
    print_summary(campaign)
    print(f"Report: {campaign.report(arguments.folder / 'boat.html')}")


def open_campaign(storage: Storage, arguments: argparse.Namespace) -> sb.Campaign:
    """Load the campaign of that storage, or begin a new one there."""
    if "boat" in storage.names():
        campaign = sb.Campaign.load(storage, "boat")
        print(
            f"Going on after {len(campaign.trials)} places, with the jars and the tank of the beginning; "
            f"{campaign.spent:.2f} of {campaign.settings.cost_budget:.2f} L (less the way home) are burnt."
        )
        return campaign
    home = farthest_way_home()
    if not home < arguments.tank:
        raise SystemExit(f"A tank of {arguments.tank:g} L is too small: the way home may take {home:.2f} L.")
    print(f"A new campaign; {home:.2f} L of {arguments.tank:g} L are set aside for the way home.")
    return sb.Campaign(
        LAKE,
        arguments.jars,
        cost=FUEL,
        cost_budget=arguments.tank - home,
        start=JETTY,
        objectives=tuple(QUANTITIES),
        direction=QUANTITIES,
        seed=arguments.seed,
        storage=storage,
        name="boat",
    )


def farthest_way_home() -> float:
    """Return the fuel from the farthest place to the jetty; that place is a corner of the shore."""
    corners = np.array(SHORE.vertices)
    return float(FUEL.bind(LAKE)(corners, LAKE.point(JETTY)[None]).max())


def sample(x: Mapping[str, float], rng: np.random.Generator) -> dict[str, float]:
    """Return what the probe says: algae in the north-east, stale water in the south."""
    east, north = x["east"], x["north"]

    def bump(at_east: float, at_north: float, width: float) -> float:
        return math.exp(-((east - at_east) ** 2 + (north - at_north) ** 2) / (2 * width**2))

    chlorophyll = 8 + 30 * bump(4.7, 2.8, 1.0) + rng.normal(0, 0.5)
    oxygen = 9.5 - 5.0 * bump(4.1, 0.8, 1.0) + rng.normal(0, 0.1)
    return {"chlorophyll": chlorophyll, "oxygen": oxygen}


def print_line(campaign: sb.Campaign, trial: sb.Trial) -> None:
    """Print one line of the log."""
    print(
        f"{trial.id:4d}  east {trial.x['east']:5.2f} km  north {trial.x['north']:5.2f} km  "
        f"chlorophyll {trial.values['chlorophyll']:5.1f} µg/L  oxygen {trial.values['oxygen']:5.2f} mg/L  "
        f"fuel {trial.cost:5.2f} L, {campaign.spent:5.2f} L in all",
        flush=True,
    )


def print_summary(campaign: sb.Campaign) -> None:
    """Print the extremes that were found, and what is left."""
    for quantity, direction in QUANTITIES.items():
        best = campaign.best_by(quantity)
        if best is not None:
            place = f"east {best.x['east']:.2f} km, north {best.x['north']:.2f} km"
            most = "Most" if direction == "maximize" else "Least"
            print(f"{most} {quantity}: {best.values[quantity]:.2f} at {place}")
    left = (campaign.settings.cost_budget or 0.0) - campaign.spent
    print(
        f"{campaign.steps_left} jars and {left:.2f} L are left, besides what is set aside for the way home."
    )


if __name__ == "__main__":
    try:
        main()
    except SnakeboError as error:
        raise SystemExit(f"Error: {error}") from None
