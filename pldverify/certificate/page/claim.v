(** {{ certificate.verdict }}: ε <= {{ certificate.epsilon }} at δ = {{ certificate.query.delta }},
    of {{ certificate.query.composition }}, {{ certificate.query.adjacency }}.
    Check it: make -C kernel && coqc -Q kernel/theories Kernel THIS_FILE *)
From Kernel Require Import Claims.
Require Import Reals ZArith List.
Import ListNotations.

Definition steps : composition := [
{% for step, times in steps %}
  ({{ step }}, {{ times }}%positive){{ "" if loop.last else ";" }}
{% endfor %}
].
Definition epsilon : Z * Z := {{ epsilon }}.
Definition delta : Z * Z := {{ delta }}.

Theorem claim : {{ statement }}.
Proof.
  apply ({{ name }} steps
{% for hint in hints %}
    {{ hint }}
{% endfor %}
    epsilon delta); vm_cast_no_check (eq_refl true).
Qed.
Print Assumptions claim.
