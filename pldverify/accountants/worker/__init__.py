"""Worker: accountants in a process of their own, and the JSON that is spoken with it."""

from pldverify.accountants.worker.worker import GIB, Worker

__all__ = ["GIB", "Worker"]
