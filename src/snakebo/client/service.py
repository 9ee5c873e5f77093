"""A service: the campaigns that it keeps, and new ones."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self

from snakebo.client.failures import ServiceError
from snakebo.client.remote import RemoteCampaign
from snakebo.errors import CampaignExistsError, InputError

if TYPE_CHECKING:
    from snakebo.client.transport import Transport


class Service:
    """A snakebo service, as `connect` returns it. May be shared by threads."""

    def __init__(self, transport: Transport) -> None:
        self._http = transport

    def check(self) -> None:
        """Raise ServiceUnavailableError or ServiceError unless a service answers, now."""
        answer = self._http.send("GET", "api", "health", patient=False).result()
        if not {"status", "version"} <= answer.keys():
            raise ServiceError(f"{self.url} is not the address of a snakebo service.")

    @property
    def url(self) -> str:
        """Where it is."""
        return self._http.url

    def campaigns(self) -> list[dict[str, Any]]:
        """Return where each campaign stands, oldest first; `error` says why one cannot be used."""
        return list(self._http.send("GET", "api", "campaigns").result()["campaigns"])

    def campaign(self, name: str) -> RemoteCampaign:
        """Return a campaign by its name. Raises UnknownCampaignError."""
        if not isinstance(name, str) or not name:
            raise InputError(f"The name of a campaign is a non-empty text; got {name!r}.")
        return RemoteCampaign(self._http, self._http.send("GET", "api", "campaigns", name).result())

    def create(self, spec: Mapping[str, Any] | str | None = None, **settings: Any) -> RemoteCampaign:
        """Create a campaign from a spec, the text of a TOML spec, or the arguments of `sb.Campaign`.

        Raises SpecError or InputError for an unfit definition, CampaignExistsError for a name that is taken.
        """
        if (spec is None) == (not settings):
            raise InputError("create needs either a spec or the arguments of a Campaign, such as space=….")
        if spec is None:
            spec = _written(settings)
        if not isinstance(spec, Mapping | str):
            raise InputError(f"A spec is a mapping, or a text of TOML; got {spec!r}.")
        answer = self._http.send("POST", "api", "campaigns", body=spec)
        try:
            return RemoteCampaign(self._http, answer.result())
        except CampaignExistsError:
            if answer.tries > 1 and (found := self._created(spec)):
                return found
            raise

    def _created(self, spec: Mapping[str, Any] | str) -> RemoteCampaign | None:
        """The campaign of that spec, as yet unused: what a try made whose answer was lost."""
        from snakebo.spec import from_spec
        from snakebo.toml_spec import parse_spec

        arguments = parse_spec(spec) if isinstance(spec, str) else from_spec(spec)
        found = self.campaign(arguments["name"])
        return found if found.summary()["seq"] == 0 and found.spec == _written(arguments) else None

    def close(self) -> None:
        """Close the connections; the service goes on."""
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Service {self.url}>"


def _written(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The spec of a campaign that is given by the arguments of `Campaign`."""
    from snakebo.campaign import Campaign
    from snakebo.spec import to_spec

    if "storage" in arguments:
        raise InputError("The service has a storage of its own; leave storage=… out.")
    spec: dict[str, Any] = json.loads(json.dumps(to_spec(Campaign(**arguments).settings)))
    return spec
