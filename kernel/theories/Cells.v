(** The two lemmas of the checker.

    Lower: who sees only into which cell an outcome falls learns less, [merging_lowers].
    Upper: where all ratios P/Q of a cell lie between x and y, two outcomes of the ratios x and y with the same masses
    in all tell more, [ends_raise]. By [Composition] each may be used in every step of a composition.
    Rounding outward: more P or less Q only raises the divergence, [gain_monotone]. *)

Require Import Reals List Lra.
From Kernel Require Import Experiments Composition.
Import ListNotations.
Open Scope R_scope.

Lemma gain_monotone a b o o' : 0 <= a -> 0 <= b -> fst o <= fst o' -> snd o' <= snd o -> gain a b o <= gain a b o'.
Proof.
  intros Ha Hb Hp Hq. apply gain_at_most; [apply gain_nonneg|].
  eapply Rle_trans; [|apply gain_at_least].
  pose proof (Rmult_le_compat_l a _ _ Ha Hp). pose proof (Rmult_le_compat_l b _ _ Hb Hq). lra.
Qed.

Definition merged (L : experiment) : R * R := (total fst L, total snd L).

Theorem merging_lowers a b (cells : list experiment) : excess a b (map merged cells) <= excess a b (concat cells).
Proof.
  unfold excess. induction cells as [|L cells IH]; simpl; [lra|]. rewrite total_app.
  apply Rplus_le_compat; [|exact IH]. clear. apply gain_at_most; [apply (excess_nonneg a b)|]. unfold merged; simpl.
  rewrite <- !total_scale. induction L as [|o L IH]; simpl; [lra|]. pose proof (gain_at_least a b o). lra.
Qed.

(** Outcome of ratio x and Q-mass w. *)
Definition at_ratio (x w : R) : R * R := (x * w, w).

Lemma gain_at_ratio a b x w : 0 <= w -> gain a b (at_ratio x w) = w * Rmax 0 (a * x - b).
Proof.
  intros Hw. unfold gain, at_ratio; simpl. replace (a * (x * w) - b * w) with (w * (a * x - b)) by ring.
  replace 0 with (w * 0) at 1 by ring. apply RmaxRmult. assumption.
Qed.

(** The Q-masses at the ratios x < y that keep both masses of an outcome. *)
Definition high_part (x y : R) (o : R * R) : R := (fst o - x * snd o) / (y - x).
Definition low_part (x y : R) (o : R * R) : R := (y * snd o - fst o) / (y - x).

Lemma parts_nonneg x y o : x < y -> x * snd o <= fst o <= y * snd o -> 0 <= low_part x y o /\ 0 <= high_part x y o.
Proof.
  intros Hxy Ho. assert (0 < / (y - x)) by (apply Rinv_0_lt_compat; lra).
  split; unfold low_part, high_part; apply Rmult_le_pos; lra.
Qed.

Lemma ends_raise_one a b x y o : x < y -> x * snd o <= fst o <= y * snd o ->
  gain a b o <= low_part x y o * Rmax 0 (a * x - b) + high_part x y o * Rmax 0 (a * y - b).
Proof.
  intros Hxy Ho. destruct (parts_nonneg x y o Hxy Ho) as [Hl Hh].
  assert (Hp : fst o = x * low_part x y o + y * high_part x y o) by (unfold low_part, high_part; field; lra).
  assert (Hq : snd o = low_part x y o + high_part x y o) by (unfold low_part, high_part; field; lra).
  apply gain_at_most.
  - apply Rplus_le_le_0_compat; apply Rmult_le_pos; try assumption; apply Rmax_l.
  - pose proof (Rmult_le_compat_l _ _ _ Hl (Rmax_r 0 (a * x - b))).
    pose proof (Rmult_le_compat_l _ _ _ Hh (Rmax_r 0 (a * y - b))).
    rewrite Hp, Hq. lra.
Qed.

Theorem ends_raise a b x y (cell : experiment) :
  x < y -> (forall o, In o cell -> x * snd o <= fst o <= y * snd o) ->
  excess a b cell <= excess a b [at_ratio x (low_part x y (merged cell)); at_ratio y (high_part x y (merged cell))].
Proof.
  intros Hxy H. unfold excess.
  apply (Rle_trans _ (total (fun o => low_part x y o * Rmax 0 (a * x - b) + high_part x y o * Rmax 0 (a * y - b)) cell)).
  - apply total_le. intros o Ho. apply ends_raise_one; auto.
  - assert (Hin : x * total snd cell <= total fst cell <= y * total snd cell).
    { rewrite <- !total_scale. split; apply total_le; intros o Ho; apply H; assumption. }
    destruct (parts_nonneg x y (merged cell) Hxy Hin) as [Hl Hh].
    simpl total at 2. rewrite !gain_at_ratio by assumption. rewrite Rplus_0_r, total_plus.
    assert (Hlow : total (low_part x y) cell = low_part x y (merged cell)).
    { unfold low_part, merged; simpl. clear. induction cell as [|o L IH]; simpl; [|rewrite IH]; unfold Rdiv; ring. }
    assert (Hhigh : total (high_part x y) cell = high_part x y (merged cell)).
    { unfold high_part, merged; simpl. clear. induction cell as [|o L IH]; simpl; [|rewrite IH]; unfold Rdiv; ring. }
    apply Rplus_le_compat; apply Req_le.
    + rewrite <- Hlow, (Rmult_comm (total _ _)), <- total_scale. apply total_ext. intros; ring.
    + rewrite <- Hhigh, (Rmult_comm (total _ _)), <- total_scale. apply total_ext. intros; ring.
Qed.

(** Randomised response with odds t: the pair that dominates whatever is log t-DP. *)
Definition randomized_response (t : R) : experiment := [(t / (1 + t), 1 / (1 + t)); (1 / (1 + t), t / (1 + t))].

Theorem pure_is_dominated t (L : experiment) : 1 < t -> total fst L = 1 -> total snd L = 1 ->
  (forall o, In o L -> fst o <= t * snd o /\ snd o <= t * fst o) -> dominated L (randomized_response t).
Proof.
  intros Ht HP HQ H e He. unfold hockey_stick.
  assert (Hinv : / t < 1) by (rewrite <- Rinv_1; apply Rinv_1_lt_contravar; lra).
  eapply Rle_trans; [apply (ends_raise 1 e (/ t) t)|].
  - lra.
  - intros o Ho. destruct (H o Ho). split; [|assumption].
    apply (Rmult_le_reg_l t); [lra|]. rewrite <- Rmult_assoc, Rinv_r by lra. lra.
  - apply Req_le. unfold merged, low_part, high_part, at_ratio, randomized_response, excess; simpl. rewrite HP, HQ.
    replace ((t * 1 - 1) / (t - / t)) with (t / (1 + t)) by (field; split; [|split]; nra).
    replace ((1 - / t * 1) / (t - / t)) with (1 / (1 + t)) by (field; split; [|split]; nra).
    replace (/ t * (t / (1 + t))) with (1 / (1 + t)) by (field; lra).
    replace (t * (1 / (1 + t))) with (t / (1 + t)) by (field; lra). lra.
Qed.
