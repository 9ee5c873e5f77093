"""Where all campaigns stand; those not in use are not kept loaded for it."""

from __future__ import annotations

from collections import OrderedDict

from snakebo.errors import StorageBusyError, StorageError
from snakebo.history import History
from snakebo.service.documents import Document, describe_summary
from snakebo.service.problems import NeedsCodeError
from snakebo.service.shelf import Shelf

_REMEMBERED = 2000  # summaries of about 1 kB


class Overview:
    """The summaries of all campaigns; each is made anew only after something has happened."""

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf
        self._known: OrderedDict[str, tuple[int, Document]] = OrderedDict()

    def summaries(self) -> list[Document]:
        """Return where each campaign stands, oldest first; of those that cannot be used, why."""
        return [self._summary(name) for name in self._shelf.storage.names()]

    def _summary(self, name: str) -> Document:
        try:
            loaded = self._shelf.peek(name)
            if loaded is not None:
                history = loaded.campaign.history()
                return self._describe(history, loaded.exhausted(history.seq))
            known = self._known.get(name)
            if known is not None and not self._shelf.storage.read(name, after=known[0]).events:
                return known[1]
            return self._describe(self._shelf.load(name).history(), nothing_left=False)
        except StorageBusyError:
            raise
        except (NeedsCodeError, StorageError) as error:
            self._known.pop(name, None)
            return {"name": name, "error": str(error)}

    def _describe(self, history: History, nothing_left: bool) -> Document:
        name, known = history.settings.name, self._known.get(history.settings.name)
        if known is None or known[0] != history.seq or (nothing_left and not known[1]["finished"]):
            known = self._known[name] = (history.seq, describe_summary(history, nothing_left))
            while len(self._known) > _REMEMBERED:
                self._known.popitem(last=False)
        return known[1]
