(** What is composed: mechanisms that a given pair of finitely many outcomes dominates, mechanisms of which
    (ε, δ)-differential privacy is known, and noise, of a Poisson-sampled answer, too.

    [runs_all] reads: step i of an adaptive composition is the i-th mechanism, whatever was seen before; what is
    done in it may depend on that. A claim speaks of all such compositions. *)

Require Import Reals ZArith List Lra.
From Kernel Require Import Experiments Composition Cells Densities Noise.
Import ListNotations.
Open Scope R_scope.

(** A number n/d. *)
Definition ratio (x : Z * Z) : R := IZR (fst x) / IZR (snd x).

Inductive mechanism :=
| Pair (whole : Z) (rows : list (Z * Z))  (** P and Q of each outcome, in units of 1/whole *)
| Private (epsilon delta : Z * Z)  (** what is (ε, δ)-differentially private *)
| Mixed (kind : noise) (s : Z * Z) (whole a b : Z).
    (** noise of unit scale on one of two answers that differ by s: under P on the first with probability a/whole,
        under Q with b/whole *)

(** Noise on answers that differ by s. *)
Definition Noisy (kind : noise) (s : Z * Z) := Mixed kind s 1 1 0.

(** Noise of a sum over a sample that each record enters with probability q: P, with the record, is a mixture. *)
Definition Sampled (kind : noise) (s q : Z * Z) := Mixed kind s (snd q) (fst q) 0.

Definition outcome (whole : Z) (row : Z * Z) : R * R := (IZR (fst row) / IZR whole, IZR (snd row) / IZR whole).

(** The pair that dominates, if that has finitely many outcomes. *)
Definition pair (m : mechanism) : experiment :=
  match m with
  | Pair whole rows => map (outcome whole) rows
  | Private epsilon delta => leaky_response (exp (ratio epsilon)) (ratio delta)
  | Mixed _ _ _ _ _ => []
  end.

(** The density of noise with the weights a and whole − a. *)
Definition mixture (kind : noise) (s : Z * Z) (whole a : Z) : R -> R :=
  mix (density kind) (ratio s) (IZR a / IZR whole) (IZR (whole - a) / IZR whole).

(** [L] is a run of the mechanism on two neighbouring data sets. *)
Definition runs (m : mechanism) (L : experiment) : Prop :=
  valid L /\ match m with
  | Pair _ _ => dominated L (pair m) /\ dominated (swap L) (swap (pair m))
  | Private epsilon delta =>
      total fst L = 1 /\ total snd L = 1 /\ add_or_remove_private (ratio epsilon) (ratio delta) L
  | Mixed kind s whole a b =>
      dominated_by (mixture kind s whole a) (mixture kind s whole b) L /\
      dominated_by (mixture kind s whole b) (mixture kind s whole a) (swap L)
  end.

Fixpoint runs_all (n : nat) (ms : list mechanism) : adaptive n -> Prop :=
  match n, ms with
  | O, [] => fun _ => True
  | S k, m :: rest => fun A => runs m (first_step A) /\ forall o, In o A -> runs_all k rest (snd o)
  | _, _ => fun _ => False
  end.

(** Mechanisms with the number of their runs. *)
Definition composition := list (mechanism * positive).

Definition one_by_one (c : composition) : list mechanism :=
  flat_map (fun step => repeat (fst step) (Pos.to_nat (snd step))) c.

(** The claim: every adaptive composition of these mechanisms is (ε, δ)-differentially private, *)
Definition claim (direction : forall n, adaptive n -> adaptive n) (c : composition) (epsilon delta : R) : Prop :=
  forall n (A : adaptive n), runs_all n (one_by_one c) A -> private epsilon delta (seen n (direction n A)).

(** in the direction that a record is removed, added, or both. *)
Definition remove_claim := claim (fun _ A => A).
Definition add_claim := claim reversed.
Definition both_claim c epsilon delta := remove_claim c epsilon delta /\ add_claim c epsilon delta.

Definition swapped (m : mechanism) : mechanism :=
  match m with
  | Pair whole rows => Pair whole (map (fun row => (snd row, fst row)) rows)
  | Private _ _ => m
  | Mixed kind s whole a b => Mixed kind s whole (whole - b) (whole - a)
  end.

Definition swapped_all (c : composition) : composition := map (fun step => (swapped (fst step), snd step)) c.

Lemma pair_swapped whole rows : pair (swapped (Pair whole rows)) = swap (pair (Pair whole rows)).
Proof. unfold pair, swapped, swap. rewrite !map_map. reflexivity. Qed.

Lemma total_swap_sides L : total fst (swap L) = total snd L /\ total snd (swap L) = total fst L.
Proof. induction L as [|o L [IH IH']]; simpl; [|rewrite IH, IH']; split; reflexivity. Qed.

Lemma runs_swapped m L : runs m L -> runs (swapped m) (swap L).
Proof.
  intros [HL H]. split; [apply valid_swap; assumption|]. destruct m as [whole rows|epsilon delta|kind s whole a b].
  - change (dominated (swap L) (pair (swapped (Pair whole rows)))
      /\ dominated (swap (swap L)) (swap (pair (swapped (Pair whole rows))))).
    rewrite pair_swapped, !swap_swap. destruct H; split; assumption.
  - simpl. unfold add_or_remove_private in *. rewrite swap_swap.
    destruct (total_swap_sides L) as [-> ->]. destruct H as (? & ? & ? & ?). repeat split; assumption.
  - destruct H as [H H']. unfold swapped, mixture. rewrite swap_swap, !Z.sub_sub_distr, !Z.sub_diag, !Z.add_0_l.
    split; apply (mix_dominates_reflected _ _ _ _ _ _ _ (density_even kind) (density_continuous kind)); assumption.
Qed.

Lemma runs_all_reversed n : forall ms A, runs_all n ms A -> runs_all n (map swapped ms) (reversed n A).
Proof.
  induction n as [|k IH]; intros [|m rest] A; simpl; try contradiction; [trivial|]. intros [H Hrest]. split.
  - replace (first_step _) with (swap (first_step A)); [apply runs_swapped; assumption|].
    unfold swap, first_step. rewrite !map_map. reflexivity.
  - intros o Ho. apply in_map_iff in Ho as [o' [<- Ho']]. apply IH, Hrest. assumption.
Qed.

Lemma one_by_one_swapped c : one_by_one (swapped_all c) = map swapped (one_by_one c).
Proof.
  induction c as [|[m k] c IH]; simpl; [reflexivity|]. unfold one_by_one in *. rewrite IH, map_app. f_equal.
  clear. induction (Pos.to_nat k) as [|n IH]; simpl; [|rewrite IH]; reflexivity.
Qed.

(** One direction is the other one of the swapped pairs. *)
Theorem add_is_remove_swapped c epsilon delta : remove_claim (swapped_all c) epsilon delta -> add_claim c epsilon delta.
Proof.
  intros H n A HA. apply runs_all_reversed in HA. rewrite <- one_by_one_swapped in HA. exact (H _ _ HA).
Qed.

Lemma swapped_swapped c : swapped_all (swapped_all c) = c.
Proof.
  unfold swapped_all in *. induction c as [|[m k] c IH]; simpl; [reflexivity|]. rewrite IH.
  destruct m as [whole rows|epsilon delta|kind s whole a b]; cbn [fst snd swapped];
    [|reflexivity|rewrite !Z.sub_sub_distr, !Z.sub_diag, !Z.add_0_l; reflexivity]. do 3 f_equal.
  induction rows as [|[p q] rows IHrows]; simpl; [|rewrite IHrows]; reflexivity.
Qed.

Theorem remove_swapped_is_add c epsilon delta : add_claim c epsilon delta -> remove_claim (swapped_all c) epsilon delta.
Proof.
  intros H n A HA. apply runs_all_reversed in HA. rewrite <- one_by_one_swapped, swapped_swapped in HA.
  specialize (H _ _ HA). rewrite !seen_reversed, swap_swap in H. exact H.
Qed.

(** What is (ε, δ)-differentially private is dominated by its pair. *)
Lemma runs_dominated m L :
  (match m with Private epsilon delta => 0 < ratio epsilon /\ 0 <= ratio delta <= 1 | Mixed _ _ _ _ _ => False | _ => True end) ->
  runs m L -> dominated L (pair m).
Proof.
  destruct m as [whole rows|epsilon delta|kind s whole a b]; intros Hsense [HL H]; [apply H| |contradiction].
  destruct H as (HP & HQ & H1 & H2). destruct Hsense as [He Hd].
  apply private_is_dominated; try assumption; try (apply private_iff; assumption).
  rewrite <- exp_0. apply exp_increasing. assumption.
Qed.
