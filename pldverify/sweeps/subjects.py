"""Subjects: the processes of accountants that this process has started, a few at a time."""

import atexit
from collections import OrderedDict

from pldverify.accountants.accountant import Accountant
from pldverify.accountants.ask import Answer
from pldverify.accountants.worker import Worker
from pldverify.mechanisms.query import Query

MOST = 2
"""Libraries that stay loaded: each takes some hundred MiB."""

_workers: "OrderedDict[tuple[str, float, int], Worker]" = OrderedDict()


def ask(accountant: Accountant, query: Query, timeout: float, memory: int) -> Answer:
    """Ask in the process of the accountant's library, within limits."""
    key = (accountant.library, timeout, memory)
    if key not in _workers:
        _workers[key] = Worker(timeout=timeout, memory=memory)
    _workers.move_to_end(key)
    while len(_workers) > MOST:
        _workers.popitem(last=False)[1].close()
    return _workers[key].ask(accountant, query)


@atexit.register
def close() -> None:
    """End all of them."""
    while _workers:
        _workers.popitem()[1].close()
