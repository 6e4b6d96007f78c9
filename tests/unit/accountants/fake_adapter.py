"""An adapter of a library that is made by a test, in the form that ``standalone`` describes."""

LIBRARY = "fakelib"
MODULE = "fakelib"


class Rho:
    """2√(ρ log(1/δ)) + ρ, computed by the library."""

    name = "fakelib/rho"
    direction = "upper"

    def refusal(self, question):
        return None if question.quantity == "epsilon" else "only ε"

    def call(self, question, mechanism):
        match mechanism:
            case {"kind": "gaussian", "sigma": sigma, "sensitivity": sensitivity}:
                return question.call("rho", sigma=question.double(sigma / sensitivity, "sigma"))
        raise NotImplementedError(f"no ρ for {mechanism['kind']}")

    def answer(self, question, steps):
        import fakelib

        rho = sum(count * call.make(fakelib) for call, count in steps)
        return fakelib.epsilon(rho, question.target), {"rho": repr(rho)}, None


class Behaves(Rho):
    """What the library does is its version's choice."""

    name = "fakelib/behaves"
    direction = "estimate"

    def answer(self, question, steps):
        import fakelib

        return fakelib.behave(), {}, (0.5, 0)
