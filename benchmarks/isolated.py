"""Work in a process of its own: processor time, peak memory, limits; a death is an outcome.

A child is forked from a process that has imported what the work needs, so it starts warm, and remembers
nothing of other work.
"""

import faulthandler
import gc
import multiprocessing
import resource
import signal
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Generic, TypeVar

Task = TypeVar("Task")
Value = TypeVar("Value")
_PATIENCE = 20
"""Wall seconds for each second of processor time: a child that sleeps is killed in the end."""
_MOST = 60.0
"""Wall seconds more."""
_FORK = multiprocessing.get_context("fork")


@dataclass(frozen=True)
class Outcome(Generic[Value]):
    """What came of it: ``value`` is None where ``failure`` says why there is none.

    Attributes:
        seconds: processor time; the limit where it was exceeded.
        mebibytes: peak resident memory of the process.
    """

    value: Value | None
    seconds: float
    mebibytes: float
    failure: str = ""


def alone(work: Callable[[], Value], *, seconds: float, address_space: int | None = None) -> Outcome[Value]:
    """Do ``work`` in a forked child with so much processor time, and so many bytes of address space."""
    here, there = _FORK.Pipe(duplex=False)
    process = _FORK.Process(target=_serve, args=(work, seconds, address_space, there))
    process.start()
    there.close()
    try:
        if here.poll(_MOST + _PATIENCE * seconds):
            outcome: Outcome[Value] = here.recv()
            return outcome
        failure = "hangs"
    except EOFError:
        process.join()
        code = process.exitcode or 0
        failure = "out of time" if code == -signal.SIGPROF else f"died with exit code {code}"
    finally:
        process.kill()
        process.join()
        here.close()
    return Outcome(None, seconds, 0.0, failure)


def _serve(work: Callable[[], Value], seconds: float, address_space: int | None, pipe: Connection) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent
    faulthandler.disable()
    gc.freeze()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if address_space is not None:
        resource.setrlimit(resource.RLIMIT_AS, (address_space, address_space))
    signal.setitimer(signal.ITIMER_PROF, seconds)
    start = time.process_time()
    value, failure = None, ""
    try:
        value = work()
    except MemoryError:
        failure = "out of memory"
    except Exception as error:
        failure = f"{type(error).__name__}: {' '.join(str(error).split())[:300]}"
    spent = time.process_time() - start
    signal.setitimer(signal.ITIMER_PROF, 0)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    pipe.send(Outcome(value, spent, peak, failure))


def spread(
    work: Callable[[Task], Value], tasks: Iterable[Task], workers: int
) -> Iterator[tuple[Task, Value]]:
    """Results as they come, from so many processes; from this one if it is one."""
    if workers == 1:
        for task in tasks:
            yield task, work(task)
        return
    with ProcessPoolExecutor(workers, mp_context=_FORK) as pool:
        futures = {pool.submit(work, task): task for task in tasks}
        try:
            for future in as_completed(futures):
                yield futures[future], future.result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
