"""Worker: accountants in a process of their own, and the JSON that is spoken with it."""

from pldverify.accountants.worker.worker import GIB, Limits, Worker

__all__ = ["GIB", "Limits", "Worker"]
