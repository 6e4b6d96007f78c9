"""The accountant's own tests: every check of pldverify, what it may give away, and any query of Gaussians."""

from hypothesis import given, settings
from my_accountant import ZCDP

import pldverify as pv
from pldverify.testing import assert_sound_upper, parametrize_with_checks, queries


@parametrize_with_checks([ZCDP()])
def test_zcdp(accountant, check):
    check(accountant)


@given(queries(pv.Gaussian))
@settings(deadline=None, max_examples=50)
def test_any_composition_of_gaussians(query):
    accountant = ZCDP()
    if accountant.supports(query) is None:
        assert_sound_upper(accountant.claim(query), query)


def test_it_is_tight_enough_for_training():
    query = pv.Query(1000 * pv.Gaussian(50), delta="1e-6")
    assert_sound_upper(ZCDP().claim(query), query, tightness="0.7")
