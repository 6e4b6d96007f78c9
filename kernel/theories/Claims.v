(** What a claim's file uses: the two checks in the directions that its adjacency asks for.

    [remove_certified], [add_certified], [both_certified]: the claim is a theorem.
    [remove_refuted], [add_refuted], [both_refuted_by_remove], [both_refuted_by_add]: its negation is one. *)

Require Import Reals ZArith List.
From Kernel Require Export Experiments Composition Densities Noise Mechanisms Powers Upper Lower.
Open Scope R_scope.

Definition remove_certified := upper_sound.

Theorem add_certified c h cut hints epsilon delta :
  upper (swapped_all c) h cut hints epsilon delta = true -> add_claim c (ratio epsilon) (ratio delta).
Proof. intros H. apply add_is_remove_swapped. apply (upper_sound _ h cut hints). assumption. Qed.

Theorem both_certified c h cut hints h' cut' hints' epsilon delta :
  upper c h cut hints epsilon delta = true -> upper (swapped_all c) h' cut' hints' epsilon delta = true ->
  both_claim c (ratio epsilon) (ratio delta).
Proof.
  intros H H'. split; [apply (upper_sound _ h cut hints)|apply (add_certified _ h' cut' hints')]; assumption.
Qed.

Definition remove_refuted := lower_sound.

Theorem add_refuted c cut hints epsilon delta :
  lower (swapped_all c) cut hints epsilon delta = true -> ~ add_claim c (ratio epsilon) (ratio delta).
Proof.
  intros H Hadd. apply (lower_sound _ cut hints _ _ H). apply remove_swapped_is_add. assumption.
Qed.

Theorem both_refuted_by_remove c cut hints epsilon delta :
  lower c cut hints epsilon delta = true -> ~ both_claim c (ratio epsilon) (ratio delta).
Proof. intros H [Hremove _]. apply (lower_sound _ cut hints _ _ H Hremove). Qed.

Theorem both_refuted_by_add c cut hints epsilon delta :
  lower (swapped_all c) cut hints epsilon delta = true -> ~ both_claim c (ratio epsilon) (ratio delta).
Proof. intros H [_ Hadd]. apply (add_refuted _ cut hints _ _ H Hadd). Qed.
