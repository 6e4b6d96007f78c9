"""Serve: what runs inside the process of :class:`pldverify.accountants.worker.Worker`."""

import contextlib
import copyreg
import os
import pickle
import signal
import threading
import time
from collections.abc import Callable
from types import MappingProxyType
from typing import BinaryIO, TypeAlias

from pldverify.accountants.accountant import Answer, ask
from pldverify.errors import InvalidInput, PldverifyError

_Proxy: TypeAlias = "MappingProxyType[str, str]"


def serve(memory: int) -> None:
    """Answer requests on standard input, within ``memory`` bytes of address space, until its end of file."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to handle
    requests, answers = _take_over_standard_streams()
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _limit_address_space(memory)
    copyreg.pickle(MappingProxyType, _reduce_proxy)  # Claim.parameters is one
    while True:
        try:
            request = pickle.load(requests)
        except EOFError:
            return
        pickle.dump(pickle.dumps(_answer(request)), answers)
        answers.flush()


def _answer(request: bytes) -> Answer | PldverifyError:
    try:
        accountant, query = pickle.loads(request)
    except (AttributeError, ImportError) as error:
        return InvalidInput(f"accountant must be importable in the worker process: {error}")
    try:
        return ask(accountant, query)
    except PldverifyError as error:
        return error


def _take_over_standard_streams() -> tuple[BinaryIO, BinaryIO]:
    """Private copies of standard input and output; the subject gets the null device for both."""
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.dup2(null, 1)
    return requests, answers


def _limit_address_space(memory: int) -> None:
    with contextlib.suppress(ImportError, OSError, ValueError):  # not on every system
        import resource

        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        soft = memory if hard == resource.RLIM_INFINITY else min(memory, hard)
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def _end_with_parent() -> None:
    """End when the parent is gone, even in the middle of a claim: no orphans."""
    parent = os.getppid()
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)


def _reduce_proxy(proxy: _Proxy) -> tuple[Callable[[dict[str, str]], _Proxy], tuple[dict[str, str]]]:
    return _proxy, (dict(proxy),)


def _proxy(mapping: dict[str, str]) -> _Proxy:
    return MappingProxyType(mapping)
