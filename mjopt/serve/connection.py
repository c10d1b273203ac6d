"""A connection that waits so long for its request, and for its answer to be read, and no longer."""

import asyncio
from typing import Final

from uvicorn.protocols.http.h11_impl import H11Protocol

PATIENCE: Final = 30.0
"""Seconds in which a whole request must have come, or an answer go on to be read."""

MOST_CONNECTIONS: Final = 512
"""Open at once; more are cut. A process may mostly have 1,024 files open."""


class Connection(H11Protocol):
    """HTTP/1.1, without the connections that are held open by saying nothing or little."""

    patience = PATIENCE
    _ends: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for a request."""
        super().connection_made(transport)
        if len(self.connections) > MOST_CONNECTIONS:
            transport.abort()
        else:
            self._wait()

    def handle_events(self) -> None:
        """Wait no longer once the request is there."""
        super().handle_events()
        if self._is_answering():
            self._wait_no_more()

    def on_response_complete(self) -> None:
        """Begin to wait for the next one."""
        self._wait()
        super().on_response_complete()

    def pause_writing(self) -> None:
        """Wait for somebody to read what has been sent."""
        self._wait()
        super().pause_writing()

    def resume_writing(self) -> None:
        """Go on with the answer, or wait for the next request."""
        if self._is_answering():
            self._wait_no_more()
        super().resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait for nothing."""
        self._wait_no_more()
        super().connection_lost(exc)

    def _is_answering(self) -> bool:
        cycle = self.cycle
        return cycle is not None and not (cycle.more_body or cycle.response_complete)

    def _wait(self) -> None:
        self._wait_no_more()
        self._ends = self.loop.call_later(self.patience, self.transport.abort)

    def _wait_no_more(self) -> None:
        if self._ends is not None:
            self._ends.cancel()
            self._ends = None
