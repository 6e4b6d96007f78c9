(** What is composed: mechanisms with finitely many outcomes that a given pair dominates, and mechanisms of which
    ε-differential privacy is known.

    [runs_all] reads: step i of an adaptive composition is the i-th mechanism, whatever was seen before; what is
    done in it may depend on that. A claim speaks of all such compositions. *)

Require Import Reals ZArith List Lra.
From Kernel Require Import Experiments Composition Cells.
Import ListNotations.
Open Scope R_scope.

Inductive mechanism :=
| Pair (whole : Z) (rows : list (Z * Z))  (** P and Q of each outcome, in units of 1/whole *)
| Pure (n d : Z).  (** what is n/d-differentially private *)

Definition outcome (whole : Z) (row : Z * Z) : R * R := (IZR (fst row) / IZR whole, IZR (snd row) / IZR whole).

(** The pair that dominates. *)
Definition pair (m : mechanism) : experiment :=
  match m with
  | Pair whole rows => map (outcome whole) rows
  | Pure n d => randomized_response (exp (IZR n / IZR d))
  end.

(** [L] is a run of the mechanism on two neighbouring data sets. *)
Definition runs (m : mechanism) (L : experiment) : Prop :=
  valid L /\ match m with
  | Pair _ _ => dominated L (pair m) /\ dominated (swap L) (swap (pair m))
  | Pure n d => total fst L = 1 /\ total snd L = 1 /\ add_or_remove_private (IZR n / IZR d) 0 L
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
  | Pure n d => Pure n d
  end.

Definition swapped_all (c : composition) : composition := map (fun step => (swapped (fst step), snd step)) c.

Lemma pair_swapped whole rows : pair (swapped (Pair whole rows)) = swap (pair (Pair whole rows)).
Proof. unfold pair, swapped, swap. rewrite !map_map. reflexivity. Qed.

Lemma total_swap_sides L : total fst (swap L) = total snd L /\ total snd (swap L) = total fst L.
Proof. induction L as [|o L [IH IH']]; simpl; [|rewrite IH, IH']; split; reflexivity. Qed.

Lemma runs_swapped m L : runs m L -> runs (swapped m) (swap L).
Proof.
  intros [HL H]. split; [apply valid_swap; assumption|]. destruct m as [whole rows|n d].
  - change (dominated (swap L) (pair (swapped (Pair whole rows)))
      /\ dominated (swap (swap L)) (swap (pair (swapped (Pair whole rows))))).
    rewrite pair_swapped, !swap_swap. destruct H; split; assumption.
  - simpl. unfold add_or_remove_private in *. rewrite swap_swap.
    destruct (total_swap_sides L) as [-> ->]. destruct H as (? & ? & ? & ?). repeat split; assumption.
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
  destruct m as [whole rows|n d]; simpl; [|reflexivity]. do 3 f_equal.
  induction rows as [|[p q] rows IHrows]; simpl; [|rewrite IHrows]; reflexivity.
Qed.

Theorem remove_swapped_is_add c epsilon delta : add_claim c epsilon delta -> remove_claim (swapped_all c) epsilon delta.
Proof.
  intros H n A HA. apply runs_all_reversed in HA. rewrite <- one_by_one_swapped, swapped_swapped in HA.
  specialize (H _ _ HA). rewrite !seen_reversed, swap_swap in H. exact H.
Qed.

(** A mechanism that is ε-differentially private is dominated by its pair. *)
Lemma private_outcome epsilon L : private epsilon 0 L -> forall o, In o L -> fst o <= exp epsilon * snd o.
Proof.
  rewrite private_iff. unfold hockey_stick, excess. induction L as [|o L IH]; simpl; [contradiction|]. intros H o' Ho'.
  pose proof (gain_nonneg 1 (exp epsilon) o). pose proof (excess_nonneg 1 (exp epsilon) L) as H1. unfold excess in H1.
  pose proof (gain_at_least 1 (exp epsilon) o).
  destruct Ho' as [<-|Ho']; [lra|]. apply IH; [lra|assumption].
Qed.

Lemma runs_dominated m L : (match m with Pure n d => 0 < IZR n / IZR d | _ => True end) -> runs m L -> dominated L (pair m).
Proof.
  destruct m as [whole rows|n d]; intros Hpositive [HL H]; [apply H|].
  destruct H as (HP & HQ & H1 & H2). apply pure_is_dominated; try assumption.
  - rewrite <- exp_0. apply exp_increasing. assumption.
  - intros o Ho. split; [apply (private_outcome _ _ H1); assumption|].
    specialize (private_outcome _ _ H2 (snd o, fst o)). simpl. intros G. apply G.
    unfold swap. apply (in_map (fun o => (snd o, fst o))) in Ho. exact Ho.
Qed.
