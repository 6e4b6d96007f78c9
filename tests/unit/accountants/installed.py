"""Names of the registered accountants whose library is installed here; tests of the others are ``slow``."""

from pldverify.accountants.registry import accountant, accountant_names
from pldverify.errors import MissingLibrary


def installed() -> list[str]:
    return [name for name in accountant_names() if _is_there(name)]


def _is_there(name: str) -> bool:
    try:
        accountant(name)
    except MissingLibrary:
        return False
    return True
