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

(** Randomised response with odds t, which with probability δ tells the truth and that it does. *)
Definition leaky_response (t delta : R) : experiment :=
  [(delta, 0); ((1 - delta) * (t / (1 + t)), (1 - delta) * (1 / (1 + t)));
   ((1 - delta) * (1 / (1 + t)), (1 - delta) * (t / (1 + t))); (0, delta)].

Lemma excess_swap_sides a b L : excess a b L = excess b a (swap L) + a * total fst L - b * total snd L.
Proof.
  unfold excess, swap. induction L as [|o L IH]; simpl; [lra|]. rewrite IH.
  enough (gain a b o = gain b a (snd o, fst o) + a * fst o - b * snd o) by lra.
  unfold gain; simpl. unfold Rmax. destruct (Rle_dec 0 _), (Rle_dec 0 _); lra.
Qed.

Lemma hockey_stick_decreasing e e' L : valid L -> e <= e' -> hockey_stick e' L <= hockey_stick e L.
Proof.
  intros HL He. apply total_le. intros o Ho. unfold valid in HL. rewrite Forall_forall in HL. destruct (HL o Ho) as [_ Hq].
  apply gain_at_most; [apply gain_nonneg|]. eapply Rle_trans; [|apply gain_at_least].
  pose proof (Rmult_le_compat_r _ _ _ Hq He). lra.
Qed.

(** The divergence is convex in e. *)
Lemma hockey_stick_convex w e e' L : 0 <= w <= 1 ->
  hockey_stick (w * e + (1 - w) * e') L <= w * hockey_stick e L + (1 - w) * hockey_stick e' L.
Proof.
  intros Hw. unfold hockey_stick, excess. rewrite <- !total_scale, <- total_plus. apply total_le. intros o _.
  pose proof (gain_nonneg 1 e o). pose proof (gain_nonneg 1 e' o).
  pose proof (gain_at_least 1 e o). pose proof (gain_at_least 1 e' o).
  apply gain_at_most; [apply Rplus_le_le_0_compat; apply Rmult_le_pos; lra|].
  apply (Rle_trans _ (w * (1 * fst o - e * snd o) + (1 - w) * (1 * fst o - e' * snd o))); [lra|].
  apply Rplus_le_compat; apply Rmult_le_compat_l; lra.
Qed.

(** Kairouz, Oh, Viswanath 2015, Theorem 3.1: this pair dominates whatever is (log t, δ)-differentially private. *)
Theorem private_is_dominated t delta (L : experiment) : valid L -> 1 < t -> 0 <= delta <= 1 ->
  total fst L = 1 -> total snd L = 1 -> hockey_stick t L <= delta -> hockey_stick t (swap L) <= delta ->
  dominated L (leaky_response t delta).
Proof.
  intros HL Ht Hd HP HQ H1 H2 e He. assert (Hinv : 0 < / t) by (apply Rinv_0_lt_compat; lra).
  assert (Htt : / t * t = 1) by (field; lra).
  assert (Hc : 0 < / (1 + t)) by (apply Rinv_0_lt_compat; lra). assert (Hct : / (1 + t) * (1 + t) = 1) by (field; lra).
  set (c := / (1 + t)) in *.
  (* what each of the four outcomes adds, at least *)
  assert (Hat : let x := (1 - delta) * (t * c - e * c) in let y := (1 - delta) * (c - e * (t * c)) in
     let H := hockey_stick e (leaky_response t delta) in delta <= H /\ delta + x <= H /\ delta + x + y <= H).
  { unfold hockey_stick, excess, leaky_response. simpl total. unfold Rdiv. fold c. rewrite !Rmult_1_l.
    pose proof (gain_at_least 1 e (delta, 0)) as G1. simpl in G1.
    pose proof (gain_at_least 1 e ((1 - delta) * (t * c), (1 - delta) * c)) as G2.
    pose proof (gain_nonneg 1 e ((1 - delta) * (t * c), (1 - delta) * c)) as G2'.
    pose proof (gain_at_least 1 e ((1 - delta) * c, (1 - delta) * (t * c))) as G3.
    pose proof (gain_nonneg 1 e ((1 - delta) * c, (1 - delta) * (t * c))) as G3'.
    pose proof (gain_nonneg 1 e (0, delta)) as G4. simpl in G2, G3. repeat split; lra. }
  destruct Hat as (Hat1 & Hat2 & Hat3). destruct (Rle_lt_dec t e) as [Hbig|Hless].
  - eapply Rle_trans; [apply (hockey_stick_decreasing t e L); assumption|].
    lra.
  - assert (Hmiddle : 0 <= (1 - delta) * (t * c - e * c)).
    { apply Rmult_le_pos; [lra|]. replace (t * c - e * c) with (c * (t - e)) by ring. apply Rmult_le_pos; lra. }
    destruct (Rle_lt_dec (e * t) 1) as [Hsmall|Hlarge].
    + eapply Rle_trans; [|exact Hat3].
      replace (delta + (1 - delta) * (t * c - e * c) + (1 - delta) * (c - e * (t * c)))
        with (delta + (1 - delta) * (1 - e) * (c * (1 + t))) by ring. rewrite Hct.
      unfold hockey_stick. rewrite excess_swap_sides, HP, HQ.
      destruct He as [He|<-].
      * assert (excess e 1 (swap L) <= e * delta); [|lra].
        replace (excess e 1 (swap L)) with (e * hockey_stick (/ e) (swap L)).
        2: { unfold hockey_stick, excess. rewrite <- total_scale. apply total_ext. intros o _. unfold gain.
             rewrite <- RmaxRmult by lra. f_equal; [ring|field; lra]. }
        apply Rmult_le_compat_l; [lra|]. eapply Rle_trans; [|exact H2].
        apply hockey_stick_decreasing; [apply valid_swap; assumption|].
        apply (Rmult_le_reg_l e); [assumption|]. rewrite Rinv_r by lra. assumption.
      * assert (excess 0 1 (swap L) <= 0); [|lra]. unfold excess.
        replace 0 with (total (fun _ => 0) (swap L)) at 2 by (clear; induction (swap L); simpl; lra).
        apply total_le. intros o Ho. apply valid_swap in HL. unfold valid in HL. rewrite Forall_forall in HL.
        destruct (HL o Ho). apply gain_at_most; lra.
    + eapply Rle_trans; [|exact Hat2].
      (* the chord from 1/t to t *)
      assert (Hends : hockey_stick (/ t) L <= 1 - / t + / t * delta).
      { unfold hockey_stick. rewrite excess_swap_sides, HP, HQ.
        replace (excess (/ t) 1 (swap L)) with (/ t * hockey_stick t (swap L)).
        2: { unfold hockey_stick, excess. rewrite <- total_scale. apply total_ext. intros o _. unfold gain.
             rewrite <- RmaxRmult by lra. f_equal; [ring|field; lra]. }
        pose proof (Rmult_le_compat_l _ _ _ (Rlt_le _ _ Hinv) H2). lra. }
      assert (Hgap : 0 < t - / t) by nra.
      set (w := (t - e) / (t - / t)).
      assert (Hwgap : w * (t - / t) = t - e) by (unfold w; field; nra).
      assert (He' : / t <= e) by (apply (Rmult_le_reg_r t); lra).
      assert (Hw : 0 <= w <= 1) by (split; apply (Rmult_le_reg_r (t - / t)); lra).
      replace e with (w * / t + (1 - w) * t) at 1 by lra.
      eapply Rle_trans; [apply hockey_stick_convex; assumption|].
      assert (w * hockey_stick (/ t) L <= w * (1 - / t + / t * delta)) by (apply Rmult_le_compat_l; lra).
      assert ((1 - w) * hockey_stick t L <= (1 - w) * delta) by (apply Rmult_le_compat_l; lra).
      replace (t * c - e * c) with (c * (w * (t - / t))) by (rewrite Hwgap; ring).
      replace (c * (w * (t - / t))) with (w * (1 - / t)); [nra|].
      replace (t - / t) with ((1 - / t) * (1 + t)) by (replace ((1 - / t) * (1 + t)) with (1 + t - / t - / t * t) by ring; lra).
      replace (c * (w * ((1 - / t) * (1 + t)))) with (w * (1 - / t) * (c * (1 + t))) by ring. rewrite Hct. ring.
Qed.
