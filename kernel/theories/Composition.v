(** Composition: as soon as each step is dominated by a given experiment, whatever happened before, all steps
    together are dominated by the product of these experiments: [adaptive_composition].

    The proof needs no theorem of Blackwell's: as Σ max(0, a·p·r − b·q·s) over both outcomes is a sum over (p, q) of
    excesses at other weights, one factor may be replaced after the other. *)

Require Import Reals List Lra.
From Kernel Require Import Experiments.
Import ListNotations.
Open Scope R_scope.

Definition both (o o' : R * R) : R * R := (fst o * fst o', snd o * snd o').

(** Both outcomes are seen, independently. *)
Definition product (L M : experiment) : experiment := flat_map (fun o => map (both o) M) L.

(** One step after the other; what is done next may depend on all that was seen. *)
Fixpoint adaptive (steps : nat) : Type :=
  match steps with O => unit | S rest => list (R * R * adaptive rest) end.

Definition first_step {n} (A : adaptive (S n)) : experiment := map fst A.

(** All that is seen at the end. *)
Fixpoint seen (n : nat) : adaptive n -> experiment :=
  match n with
  | O => fun _ => [(1, 1)]
  | S m => fun A => flat_map (fun o => map (both (fst o)) (seen m (snd o))) A
  end.

Definition dominated (L D : experiment) := forall e, 0 <= e -> hockey_stick e L <= hockey_stick e D.

(** Step i is a pair of measures that is dominated by the i-th of [Ds], whatever happened before. *)
Fixpoint steps_dominated (n : nat) (Ds : list experiment) : adaptive n -> Prop :=
  match n, Ds with
  | O, [] => fun _ => True
  | S m, D :: rest => fun A =>
      valid (first_step A) /\ dominated (first_step A) D /\ forall o, In o A -> steps_dominated m rest (snd o)
  | _, _ => fun _ => False
  end.

Definition all_of (Ds : list experiment) : experiment := fold_right product [(1, 1)] Ds.

(** The other direction: the neighbouring data set is the first one. *)
Fixpoint reversed (n : nat) : adaptive n -> adaptive n :=
  match n with
  | O => fun A => A
  | S m => fun A => map (fun o => ((snd (fst o), fst (fst o)), reversed m (snd o))) A
  end.

Lemma seen_reversed n : forall A, seen n (reversed n A) = swap (seen n A).
Proof.
  induction n as [|m IH]; intros A; [reflexivity|]. simpl seen. unfold swap. induction A as [|o A IHA]; simpl; [reflexivity|].
  rewrite IHA, map_app, IH. unfold swap. rewrite !map_map. reflexivity.
Qed.

Lemma swap_swap L : swap (swap L) = L.
Proof. unfold swap. induction L as [|[p q] L IH]; simpl; [|rewrite IH]; reflexivity. Qed.

Lemma valid_swap L : valid L -> valid (swap L).
Proof. induction 1 as [|o L [? ?] HL IH]; simpl; constructor; [split; assumption|apply IH]. Qed.

(** Products are products, whatever is multiplied first. *)
Lemma product_one L : product [(1, 1)] L = L.
Proof.
  simpl. rewrite app_nil_r. induction L as [|[p q] L IH]; simpl; [reflexivity|].
  unfold both at 1; simpl. rewrite !Rmult_1_l, IH. reflexivity.
Qed.

Lemma product_app L L' M : product (L ++ L') M = product L M ++ product L' M.
Proof. apply flat_map_app. Qed.

Lemma product_assoc L M N : product (product L M) N = product L (product M N).
Proof.
  induction L as [|o L IH]; [reflexivity|].
  change (product (o :: L) M) with (map (both o) M ++ product L M). rewrite product_app, IH.
  change (product (o :: L) (product M N)) with (map (both o) (product M N) ++ product L (product M N)). f_equal.
  clear IH. induction M as [|o' M IH]; [reflexivity|]. simpl. rewrite map_app, IH, map_map. f_equal.
  apply map_ext. intros o''. unfold both; simpl. rewrite !Rmult_assoc. reflexivity.
Qed.

Lemma all_of_app Ds Es : all_of (Ds ++ Es) = product (all_of Ds) (all_of Es).
Proof. induction Ds as [|D Ds IH]; [symmetry; apply product_one|]. simpl. rewrite product_assoc, <- IH. reflexivity. Qed.

Lemma both_valid o o' : 0 <= fst o /\ 0 <= snd o -> 0 <= fst o' /\ 0 <= snd o' ->
  0 <= fst (both o o') /\ 0 <= snd (both o o').
Proof. intros [? ?] [? ?]; simpl; split; apply Rmult_le_pos; assumption. Qed.

Lemma valid_product L M : valid L -> valid M -> valid (product L M).
Proof.
  unfold valid. rewrite !Forall_forall. intros HL HM x Hx.
  apply in_flat_map in Hx as [o [Ho Hx]]. apply in_map_iff in Hx as [o' [<- Ho']].
  apply both_valid; auto.
Qed.

Lemma valid_all_of Ds : Forall valid Ds -> valid (all_of Ds).
Proof.
  induction 1; simpl; [repeat constructor; simpl; lra | apply valid_product; assumption].
Qed.

Lemma excess_both a b o M : excess a b (map (both o) M) = excess (a * fst o) (b * snd o) M.
Proof.
  unfold excess. induction M as [|o' M IH]; simpl; [reflexivity|].
  rewrite IH. f_equal. unfold gain, both; simpl. f_equal. ring.
Qed.

Lemma excess_product a b L M : excess a b (product L M) = total (fun o => excess (a * fst o) (b * snd o) M) L.
Proof.
  induction L as [|o L IH]; simpl; [reflexivity|].
  unfold excess in *. rewrite total_app, IH. f_equal. apply excess_both.
Qed.

Lemma total_swap (f : R * R -> R * R -> R) L M :
  total (fun o => total (f o) M) L = total (fun o' => total (fun o => f o o') L) M.
Proof.
  induction L as [|o L IH]; simpl.
  - induction M; simpl; lra.
  - rewrite IH, <- total_plus. reflexivity.
Qed.

Lemma excess_product_comm a b L M : excess a b (product L M) = excess a b (product M L).
Proof.
  rewrite !excess_product. unfold excess. rewrite total_swap. apply total_ext. intros o' _.
  apply total_ext. intros o _. unfold gain. f_equal. ring.
Qed.

(** Domination at every e is one at all weights. *)
Lemma dominated_excess L D : valid L -> dominated L D ->
  forall a b, 0 <= a -> 0 <= b -> excess a b L <= excess a b D.
Proof.
  intros HL H a b [Ha|<-] Hb.
  - assert (scaled : forall M, excess a b M = a * hockey_stick (b / a) M).
    { intros M. unfold hockey_stick, excess. rewrite <- total_scale. apply total_ext. intros o _.
      unfold gain. replace (a * fst o - b * snd o) with (a * (1 * fst o - b / a * snd o)) by (field; lra).
      replace 0 with (a * 0) at 1 by ring. rewrite RmaxRmult by lra. reflexivity. }
    rewrite !scaled. apply Rmult_le_compat_l; [lra|]. apply H.
    apply Rmult_le_pos; [assumption|]. apply Rlt_le, Rinv_0_lt_compat; assumption.
  - apply (Rle_trans _ 0); [|apply excess_nonneg]. unfold excess.
    replace 0 with (total (fun _ => 0) L) at 2 by (clear; induction L; simpl; lra). apply total_le. intros o Ho.
    unfold valid in HL. rewrite Forall_forall in HL. destruct (HL o Ho) as [_ Hq].
    apply gain_at_most; [lra|]. pose proof (Rmult_le_pos _ _ Hb Hq). lra.
Qed.

Lemma excess_seen m a b (A : adaptive (S m)) :
  excess a b (seen (S m) A) = fold_right (fun o r => excess (a * fst (fst o)) (b * snd (fst o)) (seen m (snd o)) + r) 0 A.
Proof.
  simpl. induction A as [|o A IH]; simpl; [reflexivity|].
  unfold excess in *. rewrite total_app, IH. f_equal. apply excess_both.
Qed.

Theorem adaptive_composition n : forall Ds (A : adaptive n), Forall valid Ds -> steps_dominated n Ds A ->
  forall a b, 0 <= a -> 0 <= b -> excess a b (seen n A) <= excess a b (all_of Ds).
Proof.
  induction n as [|m IH]; intros [|D rest] A Hvalid HA a b Ha Hb; try contradiction; [simpl; lra|].
  destruct HA as [Hfirst [Hdominated Hrest]]. inversion Hvalid as [|? ? HD Hvalid']; subst.
  apply (Rle_trans _ (excess a b (product (first_step A) (all_of rest)))).
  - rewrite excess_seen, excess_product. unfold first_step.
    clear Hdominated. unfold first_step, valid in Hfirst.
    induction A as [|o A IHA]; simpl; [lra|].
    inversion Hfirst as [|? ? [Hp Hq] Hfirst']; subst.
    apply Rplus_le_compat.
    + apply IH; auto; [apply Hrest; left; reflexivity | |]; apply Rmult_le_pos; assumption.
    + apply IHA; [assumption|]. intros o' Ho'. apply Hrest. right; assumption.
  - simpl. rewrite excess_product_comm, (excess_product_comm _ _ D), !excess_product.
    apply total_le. intros o Ho. pose proof (valid_all_of rest Hvalid') as Hall.
    unfold valid in Hall. rewrite Forall_forall in Hall. destruct (Hall o Ho).
    apply dominated_excess; auto; apply Rmult_le_pos; assumption.
Qed.

Corollary composition_is_private n Ds (A : adaptive n) epsilon delta :
  Forall valid Ds -> steps_dominated n Ds A -> hockey_stick (exp epsilon) (all_of Ds) <= delta ->
  private epsilon delta (seen n A).
Proof.
  intros HD HA H. apply private_iff. eapply Rle_trans; [|apply H].
  apply (adaptive_composition n Ds A); auto; [lra|]. apply Rlt_le, exp_pos.
Qed.
