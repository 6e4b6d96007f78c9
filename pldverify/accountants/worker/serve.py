"""Serve: what runs inside the process of :class:`pldverify.accountants.worker.Worker`."""

import contextlib
import os
import signal
import threading
import time
from collections.abc import Callable
from functools import partial
from typing import cast

from pldverify.accountants.accountant import Accountant
from pldverify.accountants.ask import Answer, ask
from pldverify.accountants.worker import frames, messages, objects
from pldverify.accountants.worker.frames import JSON, Message
from pldverify.errors import SubjectFailure
from pldverify.mechanisms.query import Query
from pldverify.named import one_line

Say = Callable[[Message], None]


def serve(memory: int) -> None:
    """Answer questions on standard input, within ``memory`` bytes of address space, until its end of file."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to handle
    questions, answers = _take_over_standard_streams()
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _limit_address_space(memory)
    while (question := frames.read(questions)) is not None:
        _answer(question, partial(_say, answers, question["id"]))


def _answer(question: Message, say: Say) -> None:
    try:
        accountant = cast(Accountant, objects.read(question["accountant"]))
        query = cast(Query, objects.read(question["query"]))
    except Exception as error:  # the subject's module may raise anything
        text = f"the worker can't make the accountant: {type(error).__name__}: {one_line(error)}"
        say(messages.report(Answer("", 0.0, failure=SubjectFailure(text, "RAISED"))))
        return
    answer = ask(accountant, query, lambda version: say(messages.loaded(version)))
    try:
        say(messages.report(answer))
    except (frames.TooLarge, MemoryError) as error:
        text = f"{accountant.name} {answer.version} returned a claim of {one_line(error)}"
        say(messages.report(Answer("", answer.seconds, failure=SubjectFailure(text, "INVALID"))))


def _say(answers: frames.Sink, number: JSON, message: Message) -> None:
    frames.write(answers, frames.encode({"id": number, **message}))


def _take_over_standard_streams() -> tuple[frames.Source, frames.Sink]:
    """Private copies of standard input and output; the subject gets the null device for both."""
    questions, answers = os.fdopen(os.dup(0), "rb", 0), os.fdopen(os.dup(1), "wb", 0)
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.dup2(null, 1)
    return questions, answers


def _limit_address_space(memory: int) -> None:
    with contextlib.suppress(ImportError, OSError, ValueError):  # not on every system
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # a crash leaves no dump of that size
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        soft = memory if hard == resource.RLIM_INFINITY else min(memory, hard)
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def _end_with_parent() -> None:
    """End when the parent is gone, even in the middle of a claim, with all that was started here."""
    parent = os.getppid()
    while os.getppid() == parent:
        time.sleep(1)
    if hasattr(os, "killpg") and os.getpgrp() == os.getpid():
        os.killpg(os.getpid(), signal.SIGKILL)
    os._exit(1)
