"""autodp 0.2.3.1: the Fourier accountant knows no sampled Gaussian, and of randomised response too little.

``SubsampleGaussianMechanism`` keeps its sampling probability as ``prob``; its characteristic function reads
``gamma``. Of ten steps of randomised response its δ jumps between -0.1 and 1.4 as ε grows: it says ε = 0 at
δ = 1e-4, and δ = 0.26 at ε = 0.5. It answers in an environment of its own: ``pldverify env add autodp``.
"""

import pytest

import pldverify as pv
from pldverify.accountants.ask import Answer, ask
from pldverify.accountants.registry import accountant
from pldverify.errors import MissingLibrary

RESPONSES = 10 * pv.RandomizedResponse("0.6")


def said(query: pv.Query) -> Answer:
    try:
        subject = accountant("autodp/fourier")
    except MissingLibrary as reason:
        pytest.skip(str(reason))
    if subject.version() != "0.2.3.1":
        pytest.skip("found in 0.2.3.1")
    return ask(subject, query)


def test_a_sampled_gaussian_ends_in_a_key_error() -> None:
    failure = said(pv.Query(100 * pv.PoissonSubsampled(pv.Gaussian(1), "0.02"), delta="1e-4")).failure
    assert failure is not None and "KeyError: 'gamma'" in str(failure)


def test_epsilon_and_delta_are_below_the_truth() -> None:
    epsilon = said(pv.Query(RESPONSES, delta="1e-4")).claim
    assert epsilon is not None and pv.epsilon(RESPONSES, delta="1e-4").lower - float(epsilon.value) > 4
    delta = said(pv.Query(RESPONSES, epsilon="0.5")).claim
    assert delta is not None and pv.delta(RESPONSES, epsilon="0.5").lower - float(delta.value) > 0.09
