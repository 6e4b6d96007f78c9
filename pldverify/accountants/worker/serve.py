"""Serve: what a process of :class:`pldverify.accountants.worker.Worker` runs in our own environment."""

from typing import cast

from pldverify.accountants import standalone
from pldverify.accountants.accountant import Accountant
from pldverify.accountants.ask import Answer, ask
from pldverify.accountants.standalone import Message, Say
from pldverify.accountants.worker import messages, objects
from pldverify.errors import SubjectFailure
from pldverify.mechanisms.query import Query
from pldverify.named import one_line


def serve(memory: int) -> None:
    """Answer questions on standard input, within ``memory`` bytes of address space, until its end of file."""
    standalone.serve(memory, _answer)


def _answer(question: Message, say: Say) -> None:
    try:
        accountant = cast(Accountant, objects.read(question["accountant"]))
        query = cast(Query, objects.read(question["query"]))
    except Exception as error:  # the subject's module may raise anything
        text = f"the worker can't make the accountant: {type(error).__name__}: {one_line(error)}"
        return say(messages.report(Answer("", 0.0, failure=SubjectFailure(text, "RAISED"))))
    answer = ask(accountant, query, lambda version: say(messages.loaded(version)))
    try:
        say(messages.report(answer))
    except (standalone.TooLarge, MemoryError) as error:
        text = f"{accountant.name} {answer.version} returned a claim of {one_line(error)}"
        say(messages.report(Answer("", answer.seconds, failure=SubjectFailure(text, "INVALID"))))
