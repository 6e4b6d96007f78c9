"""Work in a process of its own: processor time, peak memory, limits; a death is an outcome.

A child is forked from a process that has imported what the work needs, so it starts warm, and remembers
nothing of other work.
"""

import faulthandler
import gc
import multiprocessing
import os
import resource
import signal
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from typing import Generic, NoReturn, TypeVar

Task = TypeVar("Task")
Value = TypeVar("Value")
_PATIENCE = 20
"""Wall seconds for each second of processor time: a child that sleeps is killed in the end."""
_MOST = 60.0
"""Wall seconds more."""


@dataclass(frozen=True)
class Outcome(Generic[Value]):
    """What came of it: ``value`` is None where ``failure`` says why there is none.

    Attributes:
        seconds: processor time of the work; the limit where the process died.
        mebibytes: peak resident memory of the process, what it was forked with included.
    """

    value: Value | None
    seconds: float
    mebibytes: float
    failure: str = ""


def alone(work: Callable[[], Value], *, seconds: float, address_space: int | None = None) -> Outcome[Value]:
    """Do ``work`` in a forked child with so much processor time, and so many bytes of address space."""
    here, there = multiprocessing.Pipe(duplex=False)
    child = os.fork()
    if child == 0:
        _serve(work, seconds, address_space, there)
    there.close()
    outcome: Outcome[Value] = Outcome(None, seconds, 0.0, "hangs")
    try:
        if here.poll(_MOST + _PATIENCE * seconds):
            outcome = here.recv()
        else:
            os.kill(child, signal.SIGKILL)
    except EOFError:
        outcome = replace(outcome, failure="")
    except BaseException:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        raise
    finally:
        here.close()
    _, status, usage = os.wait4(child, 0)
    if outcome.value is None and not outcome.failure:
        code = os.waitstatus_to_exitcode(status)
        died = "out of time" if code == -signal.SIGPROF else f"died with exit code {code}"
        outcome = replace(outcome, failure=died)
    return replace(outcome, mebibytes=usage.ru_maxrss / 1024)


def _serve(
    work: Callable[[], Value], seconds: float, address_space: int | None, pipe: Connection
) -> NoReturn:
    """The child's life."""
    status = 1
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent
        faulthandler.disable()
        gc.freeze()
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if address_space is not None:
            resource.setrlimit(resource.RLIMIT_AS, (address_space, address_space))
        signal.setitimer(signal.ITIMER_PROF, seconds)
        pipe.send(_done(work))
        status = 0
    finally:
        os._exit(status)


def _done(work: Callable[[], Value]) -> Outcome[Value]:
    start = time.process_time()
    value, failure = None, ""
    try:
        value = work()
    except MemoryError:
        failure = "out of memory"
    except Exception as error:
        failure = f"{type(error).__name__}: {' '.join(str(error).split())[:300]}"
    return Outcome(value, time.process_time() - start, 0.0, failure)


def spread(
    work: Callable[[Task], Value], tasks: Iterable[Task], workers: int
) -> Iterator[tuple[Task, Value]]:
    """Results as they come, from so many processes; from this one if it is one."""
    if workers == 1:
        for task in tasks:
            yield task, work(task)
        return
    fork = multiprocessing.get_context("fork")
    quiet = (signal.SIGINT, signal.SIG_IGN)
    with ProcessPoolExecutor(workers, fork, initializer=signal.signal, initargs=quiet) as pool:
        futures = {pool.submit(work, task): task for task in tasks}
        try:
            for future in as_completed(futures):
                yield futures[future], future.result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
