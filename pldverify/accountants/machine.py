"""Machine: what the last digits of an accountant may depend on beside versions of its library.

FFT, exp and BLAS have kernels for each processor, which round differently.
"""

import platform
from contextlib import suppress
from importlib import metadata
from pathlib import Path

_PROCESSORS = Path("/proc/cpuinfo")


def machine() -> str:
    """The processor, as its system calls it, and numpy's version."""
    try:
        return f"{_processor()}, numpy {metadata.version('numpy')}"
    except metadata.PackageNotFoundError:
        return _processor()


def _processor() -> str:
    with suppress(OSError):
        for line in _PROCESSORS.read_text("utf-8", "replace").splitlines():
            name, _, value = line.partition(":")
            if name.strip() == "model name":
                return f"{' '.join(value.split())} ({platform.machine()})"
    return platform.processor() or platform.machine()
