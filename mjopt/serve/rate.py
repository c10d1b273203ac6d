"""How often an address may ask: a bucket for each, which fills by itself."""

import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Any, Final

PER_SECOND: Final = 50.0
BURST: Final = 200.0
MOST_ADDRESSES: Final = 4096


class Rate:
    """Requests that each address has left.

    Parameters
    ----------
    per_second
        Requests a second that anybody may go on with: more than a person asks for.
    burst
        Requests at once.
    most
        Addresses that are remembered; whoever asked longest ago is forgotten first.
    clock
        Tells the time, in seconds.

    Examples
    --------
    >>> rate = Rate(1, 2, clock=lambda: 0)
    >>> [rate.takes(("127.0.0.1", 1)) for _ in range(3)], rate.takes(("127.0.0.2", 1))
    ([True, True, False], True)
    """

    def __init__(
        self,
        per_second: float = PER_SECOND,
        burst: float = BURST,
        *,
        most: int = MOST_ADDRESSES,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._per_second = per_second
        self._burst = burst
        self._most = most
        self._clock = clock
        self._left: OrderedDict[bytes, tuple[float, float]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._left)

    def takes(self, client: Sequence[Any] | None) -> bool:
        """Count a request, and say whether it is answered.

        Parameters
        ----------
        client
            Address and port, as ASGI has them. What has no address is in this process, or on
            this machine, and is not counted.
        """
        whose = _whose(client)
        if whose is None:
            return True
        now = self._clock()
        left, since = self._left.pop(whose, (self._burst, now))
        left = min(self._burst, left + (now - since) * self._per_second)
        is_taken = left >= 1
        self._left[whose] = (left - is_taken, now)
        if len(self._left) > self._most:
            self._left.popitem(last=False)
        return is_taken


def _whose(client: Sequence[Any] | None) -> bytes | None:
    """Return the address; of version 6, the half that a subscriber is given."""
    address = read_address(client)
    return None if address is None else address.packed[:8]


def read_address(client: Sequence[Any] | None) -> IPv4Address | IPv6Address | None:
    """Return the address in what ASGI says of an end of a connection; None if it is a mere name.

    Examples
    --------
    >>> read_address(("::ffff:192.168.1.5", 8000)), read_address(("testserver", 80))
    (IPv4Address('192.168.1.5'), None)
    """
    try:
        address = ip_address(str(client[0]).partition("%")[0]) if client else None
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address
