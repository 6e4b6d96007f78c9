"""Cluster: a Dask cluster that somebody has started, by the address of its scheduler.

Every worker must have this very version of pldverify and the accountants' libraries. Dask sends pickles and
runs what it is sent: only a cluster that is trusted as this machine is. A task whose worker dies is run by
another one; a cell that ends several workers is a finding.
"""

from concurrent.futures import Executor
from importlib import import_module
from typing import Any

from pldverify.errors import InvalidInput
from pldverify.late_names import needs
from pldverify.sweeps.keys import verdict_version

_AHEAD = 2
"""Cells for each thread: while one is settled the next one is on its way."""
_PATIENCE = "10s"
"""Time for the scheduler to answer."""


class Cluster:
    """The workers of a scheduler, a :class:`~pldverify.sweeps.place.Place`.

    Raises MissingLibrary without Dask, InvalidInput where no scheduler answers at ``address``, where it has
    no workers, or one with another version of pldverify.
    """

    def __init__(self, address: str) -> None:
        self._address = address
        self._client = _connected(address)
        self._executor = self._client.get_executor(pure=False)

    def __enter__(self) -> "Cluster":
        return self

    def __exit__(self, *_: object) -> None:
        self._client.close()

    def room(self) -> int:
        """Some cells for every thread that the cluster has now, at least one."""
        threads: dict[str, int] = self._client.nthreads()
        return max(1, _AHEAD * sum(threads.values()))

    def executor(self) -> Executor:
        """Dask's. Raises InvalidInput where the scheduler is gone."""
        if self._client.status != "running":
            raise InvalidInput(f"scheduler must be there until the end, and {self._address} is gone")
        executor: Executor = self._executor
        return executor

    def renew(self) -> None:
        """A cluster mends itself."""


def _connected(address: str) -> Any:
    with needs('a scheduler needs Dask, which is not installed: pip install "pldverify[dask]"'):
        distributed = import_module("distributed")
    try:
        client = distributed.Client(address, timeout=_PATIENCE, set_as_default=False)
    except (OSError, ValueError) as error:
        raise InvalidInput(f"scheduler must be an address where one runs, got {address}: {error}") from None
    try:
        _require_version(client, address)
    except BaseException:
        client.close()
        raise
    return client


def _require_version(client: Any, address: str) -> None:
    try:
        versions: dict[str, str] = client.run(verdict_version)
    except Exception as error:  # whatever a worker says that has no pldverify
        raise InvalidInput(f"every worker of {address} must have pldverify: {error}") from None
    if not versions:
        raise InvalidInput(f"scheduler must have workers, and {address} has none")
    for worker, version in versions.items():
        if version != verdict_version():
            raise InvalidInput(
                f"every worker must have pldverify {verdict_version()}, and {worker} has {version}"
            )
