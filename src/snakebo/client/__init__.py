"""Campaigns of a service, from Python: the verbs of a local campaign, over HTTP.

>>> service = sb.connect("http://lab-server:8765", token="…")
>>> campaign = service.campaign("snar")
>>> trial = campaign.ask()
>>> campaign.tell(trial.id, measure(trial.x))

A service that is away for a while is waited for, and nothing is asked twice.
"""

from __future__ import annotations

from importlib.util import find_spec

from snakebo.client.failures import ServiceError, ServiceUnavailableError, TokenError
from snakebo.client.remote import RemoteCampaign
from snakebo.client.service import Service
from snakebo.errors import InputError

__all__ = ["RemoteCampaign", "Service", "ServiceError", "ServiceUnavailableError", "TokenError", "connect"]


def connect(url: str, token: str | None = None, *, patience: float = 60.0, timeout: float = 30.0) -> Service:
    """Return the service at a URL such as `http://localhost:8765`; ServiceUnavailableError if there is none.

    token: what the service wants to be shown; else the environment variable SNAKEBO_TOKEN, if it is set.
    patience: seconds for which a request is repeated while the service is away. timeout: seconds to wait for
    one answer. The token goes over the wire as it is: outside of a closed network, use an https:// URL.
    """
    if find_spec("httpx") is None:
        raise InputError("The client needs httpx: pip install 'snakebo[client]'.")
    from snakebo.client.transport import Transport

    service = Service(Transport(url, token, patience, timeout))
    service.check()
    return service
