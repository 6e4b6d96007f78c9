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

    def script(self, question, steps):
        rho = " + ".join(f"{count} * {call.source('fakelib')}" for call, count in steps)
        return f"import fakelib\nprint(fakelib.epsilon({rho}, {question.target!r}))"


class Behaves(Rho):
    """What the library does is its version's choice."""

    name = "fakelib/behaves"
    direction = "estimate"
    promise = (0.5, 0)

    def script(self, question, steps):
        return "import fakelib\nprint(fakelib.behave())"
