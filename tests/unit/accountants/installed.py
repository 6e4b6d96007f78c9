"""Names of the registered accountants whose library is installed here; tests of the others are ``slow``."""

from functools import cache

from pldverify.accountants.registry import accountant, accountant_names
from pldverify.errors import MissingLibrary


@cache  # for several files: to find what packages register is slow where there are many
def installed() -> list[str]:
    return [name for name in accountant_names() if _is_there(name)]


def _is_there(name: str) -> bool:
    try:
        accountant(name)
    except MissingLibrary:
        return False
    return True
