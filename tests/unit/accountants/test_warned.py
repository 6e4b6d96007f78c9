import logging
import warnings

from pldverify.accountants.standalone import Warned


def test_warnings_of_both_kinds_are_kept_once_and_shown_to_nobody(recwarn, caplog) -> None:
    with Warned() as warned:
        for _ in range(3):
            warnings.warn("of\na number", RuntimeWarning, stacklevel=1)
        logging.getLogger("absl").warning("order %d left out", 7)
        logging.getLogger("absl").info("not this")
    assert str(warned) == "RuntimeWarning: of a number; WARNING: order 7 left out"
    assert not recwarn.list


def test_what_comes_later_is_nobody_s(recwarn) -> None:
    with Warned() as warned:
        pass
    warnings.warn("later", UserWarning, stacklevel=1)
    logging.getLogger("absl").warning("later")
    assert str(warned) == "" and len(recwarn.list) == 1


def test_only_a_few_different_ones_are_kept() -> None:
    with Warned() as warned:
        for i in range(100):
            warnings.warn(str(i), UserWarning, stacklevel=1)
    assert str(warned) == "; ".join(f"UserWarning: {i}" for i in range(5))
