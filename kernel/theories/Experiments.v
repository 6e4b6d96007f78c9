(** What is claimed: pairs of finitely many outcomes, events, and (ε, δ)-differential privacy.

    An experiment lists the outcomes that an adversary may see, each with its probability under P (the record
    is there) and under Q (it is not). A mechanism on two neighbouring data sets is an experiment; add-or-remove
    is the experiment and its [swap], both.

    The hockey-stick divergence Σ max(0, p − e·q) is the least δ for which P(E) ≤ e·Q(E) + δ holds of every event
    E: [private_iff]. *)

Require Import Reals List Lra.
Import ListNotations.
Open Scope R_scope.

(** (P, Q) of each outcome. *)
Definition experiment := list (R * R).

Definition valid (L : experiment) := Forall (fun o => 0 <= fst o /\ 0 <= snd o) L.

Fixpoint total (f : R * R -> R) (L : experiment) : R :=
  match L with [] => 0 | o :: rest => f o + total f rest end.

(** An event says of each outcome in turn whether it belongs to it. *)
Definition event := list bool.

Fixpoint probability (side : R * R -> R) (E : event) (L : experiment) : R :=
  match E, L with
  | b :: E', o :: rest => (if b then side o else 0) + probability side E' rest
  | _, _ => 0
  end.

(** (ε, δ)-differential privacy of one direction. *)
Definition private (epsilon delta : R) (L : experiment) :=
  forall E, probability fst E L <= exp epsilon * probability snd E L + delta.

(** The other direction. *)
Definition swap (L : experiment) : experiment := map (fun o => (snd o, fst o)) L.

Definition add_or_remove_private (epsilon delta : R) (L : experiment) :=
  private epsilon delta L /\ private epsilon delta (swap L).

(** What an outcome adds to the divergence; [a] and [b] weigh P and Q, as compositions need. *)
Definition gain (a b : R) (o : R * R) : R := Rmax 0 (a * fst o - b * snd o).

Definition excess (a b : R) (L : experiment) : R := total (gain a b) L.

Definition hockey_stick (e : R) (L : experiment) : R := excess 1 e L.

Lemma gain_nonneg a b o : 0 <= gain a b o.
Proof. apply Rmax_l. Qed.

Lemma gain_at_least a b o : a * fst o - b * snd o <= gain a b o.
Proof. apply Rmax_r. Qed.

Lemma gain_at_most a b o x : 0 <= x -> a * fst o - b * snd o <= x -> gain a b o <= x.
Proof. intros. apply Rmax_lub; assumption. Qed.

Lemma total_le f g L : (forall o, In o L -> f o <= g o) -> total f L <= total g L.
Proof.
  induction L as [|o L IH]; simpl; intros H; [lra|].
  apply Rplus_le_compat; [apply H; auto | apply IH; intros; apply H; auto].
Qed.

Lemma total_ext f g L : (forall o, In o L -> f o = g o) -> total f L = total g L.
Proof. intros H; apply Rle_antisym; apply total_le; intros o Ho; rewrite (H o Ho); lra. Qed.

Lemma total_nonneg f L : (forall o, In o L -> 0 <= f o) -> 0 <= total f L.
Proof.
  induction L as [|o L IH]; simpl; intros H; [lra|].
  apply Rplus_le_le_0_compat; [apply H; auto | apply IH; intros; apply H; auto].
Qed.

Lemma total_app f L M : total f (L ++ M) = total f L + total f M.
Proof. induction L as [|o L IH]; simpl; [lra | rewrite IH; lra]. Qed.

Lemma total_plus f g L : total (fun o => f o + g o) L = total f L + total g L.
Proof. induction L as [|o L IH]; simpl; [lra | rewrite IH; lra]. Qed.

Lemma total_scale c f L : total (fun o => c * f o) L = c * total f L.
Proof. induction L as [|o L IH]; simpl; [lra | rewrite IH; lra]. Qed.

Lemma excess_nonneg a b L : 0 <= excess a b L.
Proof. apply total_nonneg. intros; apply gain_nonneg. Qed.

(** No event exceeds the divergence, *)
Lemma event_at_most e E L : probability fst E L - e * probability snd E L <= hockey_stick e L.
Proof.
  unfold hockey_stick, excess. revert E.
  induction L as [|o L IH]; intros [|b E]; simpl; try lra.
  - apply (Rle_trans _ (total (gain 1 e) (o :: L))); [|simpl; lra].
    rewrite Rmult_0_r, Rminus_0_r. apply total_nonneg. intros; apply gain_nonneg.
  - specialize (IH E). pose proof (gain_at_least 1 e o). pose proof (gain_nonneg 1 e o). destruct b; lra.
Qed.

Definition best (e : R) (L : experiment) : event :=
  map (fun o => if Rlt_dec (e * snd o) (fst o) then true else false) L.

(** and one attains it. *)
Lemma best_attains e L : probability fst (best e L) L - e * probability snd (best e L) L = hockey_stick e L.
Proof.
  unfold hockey_stick, excess. induction L as [|o L IH]; simpl; [lra|].
  unfold gain at 1. destruct (Rlt_dec (e * snd o) (fst o)).
  - rewrite Rmax_right by lra. lra.
  - rewrite Rmax_left by lra. lra.
Qed.

Theorem private_iff epsilon delta L : private epsilon delta L <-> hockey_stick (exp epsilon) L <= delta.
Proof.
  split; intros H.
  - specialize (H (best (exp epsilon) L)). pose proof (best_attains (exp epsilon) L). lra.
  - intros E. pose proof (event_at_most (exp epsilon) E L). lra.
Qed.
