(** The lower check. Outcomes are seen by the index of their cell alone, compositions by the sum of indices, which
    only lowers the divergence, lemma L; P-masses are rounded down and Q-masses up; cells at both ends with P-masses of
    no more than [cut] in all are dropped. Where [lower] answers true, the claim is refuted: [lower_sound].

    Hints, the cell of each outcome, may be anything. *)

Require Import Reals ZArith List Bool Lra Lia.
From Kernel Require Import Experiments Composition Cells Densities Noise Rounding Mechanisms Polynomials Products Powers Intervals.
Import ListNotations.
Open Scope R_scope.

Definition both_add (x y : Z * Z) : Z * Z := (fst x + fst y, snd x + snd y)%Z.
Definition both_multiply (x y : Z * Z) : Z * Z := (fst x * fst y, snd x * snd y)%Z.

(** P- and Q-mass of each cell, in units of 1/[one], and the P-mass at +∞. *)
Record lower_bound := { cells : list (Z * Z); lost : Z }.

Definition round_cell (x : Z * Z) : Z * Z := (rounded_quotient false (fst x) one, rounded_quotient true (snd x) one).

Definition p_sum (A : list (Z * Z)) : Z := fold_right Z.add 0%Z (map fst A).

Fixpoint drop_low (cut acc : Z) (A : list (Z * Z)) : list (Z * Z) :=
  match A with
  | [] => []
  | x :: rest => if (acc + fst x <=? cut)%Z then drop_low cut (acc + fst x) rest else A
  end.

Fixpoint drop_top (cut : Z) (A : list (Z * Z)) : Z * list (Z * Z) :=
  match A with
  | [] => (0%Z, [])
  | x :: rest =>
      match drop_top cut rest with
      | (t, []) => if (t + fst x <=? cut)%Z then ((t + fst x)%Z, []) else (t, [x])
      | (t, A') => (t, x :: A')
      end
  end.

(** The product of P-masses and that of Q-masses. *)
Definition fast_both (A B : list (Z * Z)) : list (Z * Z) :=
  combine (fast_times (map fst A) (map fst B)) (fast_times (map snd A) (map snd B)).

Definition lower_times (cut : Z) (X Y : lower_bound) : lower_bound :=
  {| cells := drop_low cut 0 (snd (drop_top cut
       (map round_cell (fast_both (cells X) (cells Y)))));
     lost := rounded_quotient false (lost X * (lost Y + p_sum (cells Y)) + lost Y * p_sum (cells X)) one |}.

Definition lower_nothing : lower_bound := {| cells := [(one, one)]; lost := 0 |}.

(** The cells of the outcomes that are possible under Q; a guarantee has two, in cells so far from each other; noise is
    cut at points n/d, from right to left, and each interval goes to a cell. *)
Inductive lower_hint :=
| Seen (indices : list nat)
| Apart (n : nat)
| Cut (d : Z) (points : list Z) (indices : list nat).

Definition row_cell (whole : Z) (row : Z * Z) : Z * Z :=
  (rounded_quotient false (fst row * one) whole, rounded_quotient true (snd row * one) whole).

Fixpoint gather (found : list (Z * Z)) (indices : list nat) : option (list (Z * Z)) :=
  match found, indices with
  | [], [] => Some []
  | x :: found', i :: indices' =>
      match gather found' indices' with Some A => Some (add_at (0, 0)%Z both_add i x A) | None => None end
  | _, _ => None
  end.

(** Bounds of (1 − δ)/(1 + y). *)
Definition share (up : bool) (delta : Z * Z) (x : Z) : Z :=
  rounded_quotient up ((snd delta - fst delta) * (one * one)) (snd delta * (one + x)).

(** P-masses between edges rounded down, Q-masses up; and what lies left of the last one. *)
Fixpoint cells_between (l : list edge) : list (Z * Z) :=
  match l with
  | [] => []
  | e :: rest =>
      match rest with
      | [] => (Z.max 0 (fst (fst e)), Z.max 0 (snd (snd e)))
      | e' :: _ => (Z.max 0 (fst (fst e) - snd (fst e')), Z.max 0 (snd (snd e) - fst (snd e')))
      end%Z :: cells_between rest
  end.

Fixpoint edges (kind : noise) (s : Z * Z) (whole a b d : Z) (points : list Z) : option (list edge) :=
  match points with
  | [] => Some []
  | n :: rest =>
      match edge_at kind s whole a b d n, edges kind s whole a b d rest with Some e, Some l => Some (e :: l) | _, _ => None end
  end.

Definition lower_noise (kind : noise) (s : Z * Z) (whole a b d : Z) (points : list Z) (indices : list nat) : option lower_bound :=
  match edges kind s whole a b d points, points with
  | Some (e :: rest), n :: rest' =>
      let right := (Z.max 0 (one - snd (fst e)), Z.max 0 (one - fst (snd e)))%Z in
      match gather (right :: cells_between (e :: rest)) indices with
      | Some A =>
          if sensible s whole a b && (0 <? d)%Z && falling n rest' then Some {| cells := A; lost := 0 |} else None
      | None => None
      end
  | _, _ => None
  end.

Definition lower_step (m : mechanism) (hint : lower_hint) : option lower_bound :=
  match m, hint with
  | Mixed kind s whole a b, Cut d points indices => lower_noise kind s whole a b d points indices
  | _, _ =>
    if well_formed m then
      match m, hint with
      | Pair whole rows, Seen indices =>
          match gather (map (row_cell whole) (possible rows)) indices with
          | Some A => Some {| cells := A; lost := rounded_quotient false (impossible rows * one) whole |}
          | None => None
          end
      | Private (n, d) delta, Apart i =>
          match exp_bound false n d, exp_bound true n d, exp_bound false (- n) d, exp_bound true (- n) d with
          | Some x, Some x', Some y, Some y' =>
              if ((0 <=? x) && (0 <=? x') && (0 <=? y) && (0 <=? y'))%Z then
                Some {| lost := rounded_quotient false (fst delta * one) (snd delta);
                  cells := add_at (0, 0)%Z both_add O (share false delta x', share true delta y)
                    (add_at (0, 0)%Z both_add i (share false delta y', share true delta x) []) |}
              else None
          | _, _, _, _ => None
          end
      | _, _ => None
      end
    else None
  end.

Fixpoint excess_of (e : Z) (A : list (Z * Z)) : Z :=
  match A with [] => 0 | x :: rest => Z.max 0 (fst x * one - snd x * e) + excess_of e rest end%Z.

Definition lower (c : composition) (cut : Z) (hints : list lower_hint) (epsilon delta : Z * Z) : bool :=
  let '(en, ed) := epsilon in let '(dn, dd) := delta in
  match composed (lower_times cut) lower_nothing lower_step c hints, exp_bound true en ed with
  | Some X, Some e =>
      ((0 <? dd) && (dn * (one * one) <? (lost X * one + excess_of e (cells X)) * dd))%Z
  | _, _ => false
  end.

Definition real (x : Z * Z) : R * R := (IZR (fst x), IZR (snd x)).

Definition cells_nonneg (A : list (Z * Z)) := Forall (fun x => 0 <= fst x /\ 0 <= snd x)%Z A.

(** Cells as an experiment, and with what is at +∞; in units of 1/[one]. *)
Definition kept (X : lower_bound) : experiment := (IZR (lost X), 0) :: map real (cells X).

Definition lower_holds (D : experiment) (X : lower_bound) : Prop :=
  valid D /\ cells_nonneg (cells X) /\ (0 <= lost X)%Z /\
  forall a b, 0 <= a -> 0 <= b -> excess a b (kept X) <= excess (a * scale) (b * scale) D.

(** Lemma L: two outcomes that are taken for one. *)
Lemma gain_merged a b x y : gain a b (real (both_add x y)) <= gain a b (real x) + gain a b (real y).
Proof.
  unfold real, both_add; simpl. rewrite !plus_IZR. apply gain_at_most.
  - apply Rplus_le_le_0_compat; apply gain_nonneg.
  - pose proof (gain_at_least a b (IZR (fst x), IZR (snd x))). pose proof (gain_at_least a b (IZR (fst y), IZR (snd y))).
    simpl in *. lra.
Qed.

Lemma excess_plus a b : forall A B,
  excess a b (map real (plus both_add A B)) <= excess a b (map real A) + excess a b (map real B).
Proof.
  induction A as [|x A IH]; intros [|y B]; unfold excess in *; simpl; try lra.
  specialize (IH B). pose proof (gain_merged a b x y). lra.
Qed.

Lemma excess_add_at a b i x : forall A,
  excess a b (map real (add_at (0, 0)%Z both_add i x A)) <= gain a b (real x) + excess a b (map real A).
Proof.
  assert (Hzero : gain a b (real (0, 0)%Z) = 0).
  { unfold gain, real; simpl. rewrite !Rmult_0_r, Rminus_0_r. apply Rmax_left. lra. }
  induction i as [|j IH]; intros [|y A]; unfold excess in *; simpl.
  - lra.
  - pose proof (gain_merged a b x y). lra.
  - specialize (IH []). simpl in IH. lra.
  - specialize (IH A). lra.
Qed.

Lemma excess_times a b B : forall A,
  excess a b (map real (times (0, 0)%Z both_add both_multiply A B)) <= excess a b (product (map real A) (map real B)).
Proof.
  induction A as [|x A IH]; [apply Rle_refl|].
  change (product (map real (x :: A)) (map real B)) with (map (both (real x)) (map real B) ++ product (map real A) (map real B)).
  simpl times. eapply Rle_trans; [apply excess_plus|]. unfold excess in *. rewrite total_app.
  apply Rplus_le_compat.
  - apply Req_le. rewrite !map_map. f_equal. apply map_ext. intros y. unfold real, both, both_multiply; simpl.
    rewrite !mult_IZR. reflexivity.
  - simpl. replace (gain a b (real (0, 0)%Z)) with 0; [lra|].
    unfold gain, real; simpl. rewrite !Rmult_0_r, Rminus_0_r, Rmax_left; lra.
Qed.

Lemma excess_le a b a' b' (f : Z * Z -> R * R) (g : Z * Z -> R * R) A :
  (forall x, gain a b (f x) <= gain a' b' (g x)) -> excess a b (map f A) <= excess a' b' (map g A).
Proof. intros H. unfold excess. induction A as [|x A IH]; simpl; [lra|]. specialize (H x). lra. Qed.

Lemma excess_rounded a b A : 0 <= a -> 0 <= b ->
  excess (a * scale) (b * scale) (map real (map round_cell A)) <= excess a b (map real A).
Proof.
  intros Ha Hb. rewrite map_map. pose proof scale_pos as Hs. apply excess_le. intros x.
  pose proof (quotient_ordered false (fst x) one one_pos) as HP. pose proof (quotient_ordered true (snd x) one one_pos) as HQ.
  unfold ordered in HP, HQ. change (IZR one) with scale in HP, HQ.
  apply gain_at_most; [apply gain_nonneg|]. eapply Rle_trans; [|apply gain_at_least]. unfold real, round_cell; simpl.
  apply (Rmult_le_compat_r scale) in HP, HQ; [|lra|lra]. unfold Rdiv in HP, HQ. rewrite Rmult_assoc, Rinv_l, Rmult_1_r in HP, HQ by lra.
  pose proof (Rmult_le_compat_l _ _ _ Ha HP). pose proof (Rmult_le_compat_l _ _ _ Hb HQ). lra.
Qed.

Lemma excess_scaled a b c L : 0 <= c -> excess (a * c) (b * c) L = c * excess a b L.
Proof.
  intros Hc. unfold excess. rewrite <- total_scale. apply total_ext. intros o _. unfold gain.
  rewrite <- RmaxRmult by assumption. f_equal; ring.
Qed.

Lemma times_nonneg A B : cells_nonneg A -> cells_nonneg B -> cells_nonneg (times (0, 0)%Z both_add both_multiply A B).
Proof.
  assert (Hplus : forall A B, cells_nonneg A -> cells_nonneg B -> cells_nonneg (plus both_add A B)).
  { induction A0 as [|x A0 IH]; intros [|y B0] HA HB; simpl; try assumption.
    inversion HA as [|? ? [? ?]]; inversion HB as [|? ? [? ?]]; subst. constructor; [|apply IH; assumption].
    unfold both_add; simpl; lia. }
  intros HA HB. induction HA as [|x A [Hp Hq] HA IH]; simpl; [constructor|].
  apply Hplus; [|constructor; [simpl; lia|assumption]].
  clear -Hp Hq HB. induction HB as [|y B [? ?] HB IH]; simpl; constructor; [|assumption].
  unfold both_multiply; simpl. split; apply Z.mul_nonneg_nonneg; assumption.
Qed.

Lemma cells_add_at j x A : (0 <= fst x /\ 0 <= snd x)%Z -> cells_nonneg A ->
  cells_nonneg (add_at (0, 0)%Z both_add j x A).
Proof.
  intros [Hp Hq]. revert A. induction j as [|j IH]; intros [|y A] HA; simpl.
  - repeat constructor; assumption.
  - inversion HA as [|? ? [? ?]]; subst. constructor; [split; apply Z.add_nonneg_nonneg; assumption|assumption].
  - constructor; [split; apply Z.le_refl|apply IH; constructor].
  - inversion HA; subst. constructor; [assumption|apply IH; assumption].
Qed.

Lemma real_nonneg A : cells_nonneg A -> forall o, In o (map real A) -> 0 <= fst o /\ 0 <= snd o.
Proof.
  intros HA o Ho. apply in_map_iff in Ho as [x [<- Hx]]. unfold cells_nonneg in HA. rewrite Forall_forall in HA.
  destruct (HA x Hx). split; apply IZR_le; assumption.
Qed.

Lemma valid_kept X : cells_nonneg (cells X) -> (0 <= lost X)%Z -> valid (kept X).
Proof.
  intros HA Hl. constructor; [simpl; split; [apply IZR_le; assumption|lra]|].
  apply Forall_forall. apply real_nonneg. assumption.
Qed.

Lemma total_cells A : total fst (map real A) = IZR (p_sum A).
Proof. induction A as [|x A IH]; [reflexivity|]. unfold p_sum in *. simpl. rewrite IH, plus_IZR. reflexivity. Qed.

Lemma p_sum_nonneg A : cells_nonneg A -> (0 <= p_sum A)%Z.
Proof. unfold p_sum. induction 1 as [|x A [? ?] ? IH]; simpl; lia. Qed.

Lemma drop_low_drops a b cut : forall A acc, cells_nonneg A -> cells_nonneg (drop_low cut acc A) /\
  excess a b (map real (drop_low cut acc A)) <= excess a b (map real A).
Proof.
  unfold excess. induction A as [|x A IH]; intros acc HA; simpl; [split; [constructor|lra]|].
  destruct (acc + fst x <=? cut)%Z; [|split; [assumption|apply Rle_refl]].
  inversion HA; subst. destruct (IH (acc + fst x)%Z) as [? ?]; [assumption|]. split; [assumption|].
  pose proof (gain_nonneg a b (real x)). lra.
Qed.

Lemma drop_top_drops a b cut A : cells_nonneg A -> cells_nonneg (snd (drop_top cut A)) /\
  excess a b (map real (snd (drop_top cut A))) <= excess a b (map real A).
Proof.
  unfold excess. induction 1 as [|x A Hx HA [IH IH']]; simpl; [split; [constructor|lra]|].
  pose proof (gain_nonneg a b (real x)). destruct (drop_top cut A) as [t [|y B]]; simpl in *.
  - destruct (t + fst x <=? cut)%Z; simpl; (split; [|lra]); repeat (apply Forall_cons || apply Forall_nil); assumption.
  - split; [constructor; assumption|lra].
Qed.

Lemma sides_apart (side : Z * Z -> Z) : side (0, 0)%Z = 0%Z ->
  (forall x y, side (both_add x y) = (side x + side y)%Z) -> (forall x y, side (both_multiply x y) = (side x * side y)%Z) ->
  forall A B, map side (times (0, 0)%Z both_add both_multiply A B) = times 0%Z Z.add Z.mul (map side A) (map side B).
Proof.
  intros Hzero Hadd Hmultiply. assert (Hplus : forall A B, map side (plus both_add A B) = plus Z.add (map side A) (map side B)).
  { induction A as [|x A IH]; intros [|y B]; simpl; [..|rewrite Hadd, IH]; reflexivity. }
  induction A as [|x A IH]; intros B; [reflexivity|]. simpl. rewrite Hplus, !map_map. simpl. rewrite Hzero, IH. f_equal.
  apply map_ext. intros y. apply Hmultiply.
Qed.

Lemma fast_both_is A B : cells_nonneg A -> cells_nonneg B -> fast_both A B = times (0, 0)%Z both_add both_multiply A B.
Proof.
  assert (Hsides : forall A, cells_nonneg A -> nonneg (map fst A) /\ nonneg (map snd A)).
  { induction 1 as [|x L [? ?] ? [? ?]]; simpl; split; constructor; assumption. }
  intros HA HB. destruct (Hsides A HA), (Hsides B HB). unfold fast_both. rewrite !fast_times_is by assumption.
  rewrite <- (sides_apart fst), <- (sides_apart snd) by reflexivity.
  induction (times (0, 0)%Z both_add both_multiply A B) as [|[p q] L IH]; simpl; [|rewrite IH]; reflexivity.
Qed.

Lemma lower_product cut D E X Y : lower_holds D X -> lower_holds E Y -> lower_holds (product D E) (lower_times cut X Y).
Proof.
  intros (VD & HA & Hl & HD) (VE & HB & Hm & HE). pose proof scale_pos as Hs. pose proof one_pos as Ho.
  pose proof (p_sum_nonneg _ HA) as HsA. pose proof (p_sum_nonneg _ HB) as HsB.
  unfold lower_times. rewrite fast_both_is by assumption.
  assert (HAB : cells_nonneg (map round_cell (times (0, 0)%Z both_add both_multiply (cells X) (cells Y)))).
  { pose proof (times_nonneg _ _ HA HB) as H. clear -H. induction H as [|x C [? ?] ? IH]; simpl; constructor; [|assumption].
    unfold round_cell; simpl. split; apply quotient_nonneg; try apply one_pos; assumption. }
  pose proof (drop_top_drops 0 0 cut _ HAB) as [HC _]. pose proof (drop_low_drops 0 0 cut _ 0 HC) as [HC' _].
  split; [apply valid_product; assumption|]. split; [assumption|]. split.
  { apply quotient_nonneg; [assumption|]. apply Z.add_nonneg_nonneg; apply Z.mul_nonneg_nonneg; lia. }
  intros a b Ha Hb.
  assert (Hproduct : excess a b (product (kept X) (kept Y)) <= excess (a * scale * scale) (b * scale * scale) (product D E)).
  { rewrite excess_product. apply (Rle_trans _ (excess (a * scale) (b * scale) (product (kept X) E))).
    - rewrite excess_product. apply total_le. intros o Hin.
      pose proof (valid_kept X HA Hl) as V. unfold valid in V. rewrite Forall_forall in V. destruct (V o Hin).
      replace (a * scale * fst o) with (a * fst o * scale) by ring.
      replace (b * scale * snd o) with (b * snd o * scale) by ring. apply HE; apply Rmult_le_pos; assumption.
    - rewrite excess_product_comm, (excess_product_comm _ _ D), !excess_product.
      apply total_le. intros o Hin. unfold valid in VE. rewrite Forall_forall in VE. destruct (VE o Hin).
      eapply Rle_trans; [apply HD; repeat apply Rmult_le_pos; lra|]. apply Req_le. f_equal; ring. }
  rewrite !(excess_scaled _ _ scale) by lra. rewrite !(excess_scaled _ _ scale) in Hproduct by lra.
  apply (Rmult_le_reg_l scale); [assumption|]. eapply Rle_trans; [|exact Hproduct].
  assert (VA : valid (map real (cells X))) by (apply Forall_forall, real_nonneg; assumption).
  assert (VB : valid (map real (cells Y))) by (apply Forall_forall, real_nonneg; assumption).
  apply IZR_le in Hl, Hm. unfold kept at 2 3. rewrite excess_apart, !total_cells by assumption.
  rewrite <- excess_scaled by lra. unfold kept. cbn [cells lost].
  set (l := (lost X * (lost Y + p_sum (cells Y)) + lost Y * p_sum (cells X))%Z).
  assert (Hl0 : (0 <= l)%Z) by (apply le_IZR in Hl, Hm; unfold l; apply Z.add_nonneg_nonneg; apply Z.mul_nonneg_nonneg; lia).
  rewrite excess_cons_apart; [|apply Rmult_le_pos; lra|apply IZR_le, quotient_nonneg; assumption].
  apply Rplus_le_compat.
  - rewrite Rmult_assoc. apply Rmult_le_compat_l; [assumption|].
    pose proof (quotient_ordered false l one Ho) as H. unfold ordered in H. change (IZR one) with scale in H.
    apply (Rmult_le_compat_l scale) in H; [|lra]. unfold l in H at 2. rewrite plus_IZR, !mult_IZR, plus_IZR in H.
    eapply Rle_trans; [exact H|]. apply Req_le. field. lra.
  - eapply Rle_trans; [apply drop_low_drops; assumption|]. eapply Rle_trans; [apply drop_top_drops; assumption|].
    eapply Rle_trans; [apply excess_rounded; assumption|]. apply excess_times.
Qed.

Lemma lower_of_nothing : lower_holds [(1, 1)] lower_nothing.
Proof.
  pose proof scale_pos as Hs. pose proof one_pos.
  split; [repeat constructor; simpl; lra|]. split; [repeat constructor; simpl; lia|]. split; [apply Z.le_refl|].
  intros a b Ha Hb. unfold kept. simpl. rewrite excess_cons_apart by lra. unfold excess, gain, real; simpl.
  change (IZR one) with scale. rewrite !Rmult_1_r. lra.
Qed.

Lemma row_cell_below a b whole row : (0 < whole)%Z -> 0 <= a -> 0 <= b ->
  gain a b (real (row_cell whole row)) <= gain (a * scale) (b * scale) (outcome whole row).
Proof.
  intros Hw Ha Hb. pose proof (quotient_ordered false (fst row * one) whole Hw) as HP.
  pose proof (quotient_ordered true (snd row * one) whole Hw) as HQ. unfold ordered in HP, HQ. rewrite mult_IZR in HP, HQ.
  change (IZR one) with scale in HP, HQ. apply gain_at_most; [apply gain_nonneg|].
  eapply Rle_trans; [|apply gain_at_least]. unfold real, row_cell, outcome; simpl.
  pose proof (Rmult_le_compat_l _ _ _ Ha HP). pose proof (Rmult_le_compat_l _ _ _ Hb HQ). unfold Rdiv in *. lra.
Qed.

Lemma gather_lowers : forall found indices A, cells_nonneg found -> gather found indices = Some A ->
  cells_nonneg A /\ forall a b, excess a b (map real A) <= excess a b (map real found).
Proof.
  induction found as [|x found IH]; intros [|i indices] A Hfound; simpl; try discriminate.
  - intros E. apply some_equal in E. subst A. split; [constructor|]. intros. apply Rle_refl.
  - destruct (gather found indices) as [B|] eqn:HB; [|discriminate]. intros E. apply some_equal in E. subst A.
    inversion Hfound as [|? ? Hx Hrest]; subst. destruct (IH indices B Hrest HB) as [HnB HB']. split.
    + apply cells_add_at; assumption.
    + intros a b. eapply Rle_trans; [apply excess_add_at|]. apply Rplus_le_compat_l. apply HB'.
Qed.

Lemma rows_below whole rows : (0 < whole)%Z -> Forall (fun row => 0 <= fst row /\ 0 <= snd row)%Z rows ->
  cells_nonneg (map (row_cell whole) rows) /\ forall a b, 0 <= a -> 0 <= b ->
    excess a b (map real (map (row_cell whole) rows)) <= excess (a * scale) (b * scale) (map (outcome whole) rows).
Proof.
  intros Hw. pose proof one_pos as Ho. induction 1 as [|row rows [Hp Hq] Hrows [IH IH']]; [split; [constructor|intros; apply Rle_refl]|].
  split.
  - constructor; [|assumption]. split; (apply quotient_nonneg; [assumption|]; apply Z.mul_nonneg_nonneg; [assumption|lia]).
  - intros a b Ha Hb. apply Rplus_le_compat; [apply row_cell_below; assumption|apply IH'; assumption].
Qed.

Lemma share_ordered up delta x y : (0 < snd delta)%Z -> ratio delta <= 1 -> (0 <= x)%Z -> 0 <= y ->
  ordered (negb up) (scale * y) (IZR x) ->
  ordered up (scale * ((1 - ratio delta) * / (1 + y))) (IZR (share up delta x)).
Proof.
  destruct delta as [n d]. unfold share, ratio; simpl. intros Hd Hdelta Hx Hy H.
  pose proof scale_pos as Hs. pose proof one_pos as Ho. pose proof (IZR_le _ _ Hx) as Hx'. pose proof (IZR_lt _ _ Hd) as Hd'.
  assert (0 <= scale * y) by (apply Rmult_le_pos; lra).
  eapply ordered_trans; [|apply (quotient_ordered up); nia].
  rewrite !mult_IZR, minus_IZR, plus_IZR. change (IZR one) with scale.
  replace (scale * ((1 - IZR n / IZR d) * / (1 + y)))
    with ((1 - IZR n / IZR d) * (scale * scale) * / (scale + scale * y)) by (field; repeat split; nra).
  replace ((IZR d - IZR n) * (scale * scale) / (IZR d * (scale + IZR x)))
    with ((1 - IZR n / IZR d) * (scale * scale) * / (scale + IZR x)) by (field; repeat split; nra).
  apply ordered_mult; [apply Rmult_le_pos; nra|]. rewrite <- (negb_involutive up).
  apply ordered_inverse; [lra|lra|]. destruct up; simpl in *; lra.
Qed.

Lemma share_nonneg up delta x : well_formed (Private (1, 1)%Z delta) = true -> (0 <= x)%Z -> (0 <= share up delta x)%Z.
Proof.
  destruct delta as [n d]. simpl. rewrite !andb_true_iff, !Z.ltb_lt, !Z.leb_le. intros [[_ Hd] Hone] Hx.
  pose proof one_pos. unfold share; simpl. apply quotient_nonneg; [nia|]. apply Z.mul_nonneg_nonneg; nia.
Qed.

Lemma gain_outward a b p q p' q' : 0 <= a -> 0 <= b -> p <= scale * p' -> scale * q' <= q ->
  gain a b (p, q) <= gain (a * scale) (b * scale) (p', q').
Proof.
  intros Ha Hb HP HQ. apply gain_at_most; [apply gain_nonneg|]. eapply Rle_trans; [|apply gain_at_least]. simpl.
  pose proof (Rmult_le_compat_l _ _ _ Ha HP). pose proof (Rmult_le_compat_l _ _ _ Hb HQ). lra.
Qed.

Fixpoint edges_hold (kind : noise) (s : Z * Z) (whole a b d : Z) (points : list Z) (l : list edge) : Prop :=
  match points, l with
  | [], [] => True
  | n :: points', e :: l' => edge_holds kind s whole a b (IZR n / IZR d) e /\ edges_hold kind s whole a b d points' l'
  | _, _ => False
  end.

Lemma edges_are_right kind s whole a b d : sensible s whole a b = true -> (0 < d)%Z -> forall points l,
  edges kind s whole a b d points = Some l -> edges_hold kind s whole a b d points l.
Proof.
  intros Hs Hd. induction points as [|n points IH]; intros l; simpl; [intros E; apply some_equal in E; subst; exact I|].
  destruct (edge_at kind s whole a b d n) as [e|] eqn:He; [|discriminate].
  destruct (edges kind s whole a b d points) as [l'|]; [|discriminate]. intros E. apply some_equal in E. subst l.
  split; [apply edge_at_holds; assumption|]. apply IH. reflexivity.
Qed.

Lemma cells_between_below kind s whole a b d : sensible s whole a b = true -> forall points e rest n,
  edges_hold kind s whole a b d (n :: points) (e :: rest) ->
  let x := IZR n / IZR d in let xs := map (fun m => IZR m / IZR d) points in descending x xs ->
  cells_nonneg (cells_between (e :: rest)) /\ forall a' b', 0 <= a' -> 0 <= b' ->
    excess a' b' (map real (cells_between (e :: rest)))
      <= excess (a' * scale) (b' * scale) (pieces (left_of kind s whole a) (left_of kind s whole b) x xs).
Proof.
  intros Hs. assert (Hp : forall x, 0 <= scale * left_of kind s whole a x /\ 0 <= scale * left_of kind s whole b x).
  { intros x. pose proof scale_pos. split; apply Rmult_le_pos; try lra; apply (left_of_within kind s whole a b Hs); auto. }
  assert (Hmax : forall z y, 0 <= y -> IZR z <= y -> IZR (Z.max 0 z) <= y).
  { intros z y Hy Hz. destruct (Z.max_spec 0 z) as [[_ ->]|[_ ->]]; assumption. }
  assert (Hmax' : forall z y, y <= IZR z -> y <= IZR (Z.max 0 z)).
  { intros z y Hz. eapply Rle_trans; [exact Hz|]. apply IZR_le. lia. }
  induction points as [|n' points IH]; intros e rest n [He Hold] x xs Hdown; destruct He as [[He1 He2] [He3 He4]]; fold x in He1, He2, He3, He4.
  - destruct rest; [|contradiction]. simpl. split; [repeat constructor; simpl; lia|].
    intros a' b' Ha Hb. unfold excess; simpl. apply Rplus_le_compat_r. apply gain_outward; try assumption; simpl.
    + apply Hmax; [apply Hp|assumption].
    + apply Hmax'. assumption.
  - destruct rest as [|e' rest]; [contradiction|]. destruct Hdown as [Hyx Hdown].
    destruct (IH e' rest n' Hold Hdown) as (Hnonneg & Hbelow). destruct Hold as [[[He5 He6] [He7 He8]] _].
    set (y := IZR n' / IZR d) in *.
    pose proof (left_of_increasing kind s whole a b Hs a (or_introl eq_refl) _ _ Hyx) as HF.
    pose proof scale_pos as Hsc. pose proof (Rmult_le_compat_l _ _ _ (Rlt_le _ _ Hsc) HF).
    change (cells_between (e :: e' :: rest)) with
      ((Z.max 0 (fst (fst e) - snd (fst e')), Z.max 0 (snd (snd e) - fst (snd e')))%Z :: cells_between (e' :: rest)).
    split; [constructor; [simpl; lia|assumption]|]. intros a' b' Ha Hb. specialize (Hbelow a' b' Ha Hb).
    unfold excess in *. apply Rplus_le_compat; [|exact Hbelow]. apply gain_outward; try assumption; cbn [fst snd]; fold y x.
    + rewrite Rmult_minus_distr_l. apply Hmax; [lra|]. rewrite minus_IZR. lra.
    + rewrite Rmult_minus_distr_l. apply Hmax'. rewrite minus_IZR. lra.
Qed.

Lemma lower_of_noise kind s whole a b d points indices X : lower_noise kind s whole a b d points indices = Some X ->
  exists D, runs (Mixed kind s whole a b) D /\ lower_holds D X.
Proof.
  unfold lower_noise. destruct (edges kind s whole a b d points) as [[|e rest]|] eqn:Hedges; [discriminate| |discriminate].
  destruct points as [|n points]; [discriminate|].
  destruct (gather _ indices) as [A|] eqn:HA; [|discriminate].
  destruct (_ && _)%Z eqn:Hok; [|discriminate]. rewrite !andb_true_iff, !Z.ltb_lt in Hok.
  destruct Hok as [[Hs Hd] Hfalling]. intros E. apply some_equal in E. subst X.
  apply edges_are_right in Hedges; [|assumption|assumption]. pose proof (falling_descends d Hd _ _ Hfalling) as Hdown.
  destruct (cells_between_below _ _ _ _ _ _ Hs points e rest n Hedges Hdown) as (Hnonneg & Hbelow).
  set (x := IZR n / IZR d) in *. set (xs := map _ points) in *.
  exists (all_pieces (left_of kind s whole a) (left_of kind s whole b) x xs).
  destruct (pieces_run kind s whole a b x xs Hs Hdown) as [HV Hruns].
  split; [assumption|]. split; [assumption|]. cbn [cells lost].
  destruct (gather_lowers _ _ _ (Forall_cons (Z.max 0 (one - snd (fst e)), Z.max 0 (one - fst (snd e)))%Z
    (conj (Z.le_max_l _ _) (Z.le_max_l _ _)) Hnonneg) HA) as [HnA HA'].
  split; [assumption|]. split; [apply Z.le_refl|]. intros a' b' Ha Hb. unfold kept. cbn [cells lost].
  rewrite excess_cons_apart, Rmult_0_r, Rplus_0_l by (assumption || lra).
  eapply Rle_trans; [apply HA'|]. specialize (Hbelow a' b' Ha Hb). destruct Hedges as [[[He1 He2] [He3 He4]] _]. fold x in He1, He2, He3, He4.
  apply Rplus_le_compat; [|exact Hbelow]. pose proof scale_pos as Hsc.
  apply gain_outward; try assumption; rewrite Rmult_minus_distr_l, Rmult_1_r; cbn [fst snd].
  - pose proof (Rmult_le_compat_l scale _ _ (Rlt_le _ _ Hsc) (proj2 (left_of_within kind s whole a b Hs a (or_introl eq_refl) x))).
    assert (IZR (one - snd (fst e)) <= scale - scale * left_of kind s whole a x)
      by (rewrite minus_IZR; change (IZR one) with scale; lra).
    destruct (Z.max_spec 0 (one - snd (fst e))) as [[_ ->]|[_ ->]]; lra.
  - eapply Rle_trans; [|apply IZR_le, Z.le_max_r]. rewrite minus_IZR. change (IZR one) with scale. lra.
Qed.

Lemma lower_of_step m hint X : lower_step m hint = Some X -> exists D, runs m D /\ lower_holds D X.
Proof.
  intros E. assert (Hfinite : (exists kind s whole a b d points indices, m = Mixed kind s whole a b /\ hint = Cut d points indices)
    \/ well_formed m = true).
  { unfold lower_step in E. destruct m, hint; try (left; repeat eexists; fail);
      right; destruct (well_formed _) eqn:Hm; (reflexivity || discriminate). }
  destruct Hfinite as [(kind & s & whole & a & b & d & points & indices & -> & ->)|Hm]; [apply lower_of_noise in E; assumption|].
  exists (pair m). split; [apply runs_pair; assumption|]. revert E. unfold lower_step. rewrite Hm.
  pose proof scale_pos as Hs. pose proof one_pos as Ho. pose proof (pair_is_pair _ Hm) as [HV _].
  destruct m as [whole rows|[n d] delta|kind gap whole a b], hint as [indices|i|den points indices]; try discriminate.
  - destruct (gather (map (row_cell whole) (possible rows)) indices) as [A|] eqn:HA; [|discriminate].
    intros E. apply some_equal in E. subst X. apply well_formed_pair in Hm. pose proof Hm as (Hw & Hrows & _ & _).
    assert (Hpossible : Forall (fun row => 0 <= fst row /\ 0 <= snd row)%Z (possible rows)).
    { rewrite Forall_forall in *. intros row Hrow. apply Hrows. apply filter_In in Hrow. apply Hrow. }
    destruct (rows_below whole _ Hw Hpossible) as [Hnonneg Hbelow]. destruct (gather_lowers _ _ _ Hnonneg HA) as [HnA HA']. pose proof (impossible_nonneg _ Hrows) as Hi.
    assert (Hl : (0 <= rounded_quotient false (impossible rows * one) whole)%Z) by (apply quotient_nonneg; nia).
    split; [assumption|]. split; [assumption|]. split; [assumption|]. intros a b Ha Hb.
    unfold kept. cbn [cells lost].
    rewrite excess_cons_apart, excess_possible; [|assumption|apply Rmult_le_pos; lra|assumption|apply IZR_le; assumption].
    specialize (Hbelow a b Ha Hb). specialize (HA' a b).
    pose proof (quotient_ordered false (impossible rows * one) whole Hw) as H. unfold ordered in H. rewrite mult_IZR in H.
    change (IZR one) with scale in H. apply (Rmult_le_compat_l a) in H; [|assumption]. unfold Rdiv in *. lra.
  - destruct (exp_bound false n d) as [x|] eqn:Hx; [|discriminate].
    destruct (exp_bound true n d) as [x'|] eqn:Hx'; [|discriminate].
    destruct (exp_bound false (- n) d) as [y|] eqn:Hy; [|discriminate].
    destruct (exp_bound true (- n) d) as [y'|] eqn:Hy'; [|discriminate].
    destruct (_ && _)%Z eqn:Hok; [|discriminate]. rewrite !andb_true_iff, !Z.leb_le in Hok.
    destruct Hok as [[[H1 H2] H3] H4]. intros E. apply some_equal in E. subst X.
    destruct (well_formed_private _ _ Hm) as [_ [Hd0 Hd1]].
    assert (Hm' : well_formed (Private (1, 1)%Z delta) = true).
    { destruct delta as [n' d']. simpl in *. rewrite !andb_true_iff in *. tauto. }
    assert (Hd : (0 < snd delta)%Z).
    { destruct delta as [n' d']. simpl in Hm'. rewrite !andb_true_iff, !Z.ltb_lt in Hm'. apply Hm'. }
    apply exp_bound_ordered in Hx, Hx', Hy, Hy'.
    assert (Hminus : IZR (- n) / IZR d = - (IZR n / IZR d)) by (rewrite opp_IZR; unfold Rdiv; ring).
    rewrite Hminus, exp_Ropp in Hy, Hy'. change (IZR n / IZR d) with (ratio (n, d)) in *.
    set (t := exp (ratio (n, d))) in *. assert (Ht : 0 < t) by apply exp_pos.
    assert (Ht' : 0 < / t) by (apply Rinv_0_lt_compat; assumption).
    pose proof (share_ordered false delta x' t Hd Hd1 H2 ltac:(lra) Hx') as A1.
    pose proof (share_ordered true delta x t Hd Hd1 H1 ltac:(lra) Hx) as A2.
    pose proof (share_ordered false delta y' (/ t) Hd Hd1 H4 ltac:(lra) Hy') as A3.
    pose proof (share_ordered true delta y (/ t) Hd Hd1 H3 ltac:(lra) Hy) as A4. simpl in A1, A2, A3, A4.
    assert (Hl : (0 <= rounded_quotient false (fst delta * one) (snd delta))%Z).
    { apply quotient_nonneg; [assumption|]. destruct delta as [n' d']. simpl in *.
      rewrite !andb_true_iff, !Z.leb_le in Hm'. apply Z.mul_nonneg_nonneg; lia. }
    split; [assumption|]. split; [|split; [assumption|]].
    + repeat apply cells_add_at; try (split; apply share_nonneg; assumption). constructor.
    + intros a b Ha Hb. unfold kept. cbn [cells lost].
      rewrite excess_cons_apart by (assumption || (apply IZR_le; assumption)).
      eapply Rle_trans; [apply Rplus_le_compat_l, excess_add_at|].
      eapply Rle_trans; [apply Rplus_le_compat_l, Rplus_le_compat_l, excess_add_at|]. unfold excess; simpl total.
      fold t. set (dl := ratio delta) in *.
      replace ((1 - dl) * (t / (1 + t))) with ((1 - dl) * / (1 + / t)) by (field; lra).
      replace ((1 - dl) * (1 / (1 + t))) with ((1 - dl) * / (1 + t)) by (field; lra).
      assert (gain a b (real (share false delta x', share true delta y))
        <= gain (a * scale) (b * scale) ((1 - dl) * / (1 + t), (1 - dl) * / (1 + / t))) by (apply gain_outward; assumption).
      assert (gain a b (real (share false delta y', share true delta x))
        <= gain (a * scale) (b * scale) ((1 - dl) * / (1 + / t), (1 - dl) * / (1 + t))) by (apply gain_outward; assumption).
      pose proof (gain_nonneg (a * scale) (b * scale) (0, dl)).
      pose proof (gain_at_least (a * scale) (b * scale) (dl, 0)) as Hleak. simpl in Hleak.
      pose proof (quotient_ordered false (fst delta * one) (snd delta) Hd) as Hq. unfold ordered in Hq. rewrite mult_IZR in Hq.
      change (IZR one) with scale in Hq. apply (Rmult_le_compat_l a) in Hq; [|assumption].
      unfold dl, ratio, Rdiv in *. lra.
Qed.

Lemma excess_of_lower e e' A : cells_nonneg A -> 0 <= e -> scale * e <= IZR e' ->
  IZR (excess_of e' A) <= scale * excess 1 e (map real A).
Proof.
  intros HA He He'. pose proof scale_pos as Hs. unfold excess. induction HA as [|x A [Hp Hq] HA IH]; simpl; [lra|].
  rewrite plus_IZR. enough (IZR (Z.max 0 (fst x * one - snd x * e')) <= scale * gain 1 e (real x)) by lra.
  destruct (Z.max_spec 0 (fst x * one - snd x * e')) as [[_ ->]|[_ ->]].
  - rewrite minus_IZR, !mult_IZR. change (IZR one) with scale. apply IZR_le in Hq.
    pose proof (gain_at_least 1 e (real x)) as H. simpl in H. apply (Rmult_le_compat_l scale) in H; [|lra].
    pose proof (Rmult_le_compat_l _ _ _ Hq He'). lra.
  - apply Rmult_le_pos; [lra|apply gain_nonneg].
Qed.

Theorem lower_sound c cut hints epsilon delta : lower c cut hints epsilon delta = true ->
  ~ remove_claim c (ratio epsilon) (ratio delta).
Proof.
  destruct epsilon as [en ed], delta as [dn dd]. unfold lower. intros H Hclaim. revert H.
  destruct (composed (lower_times cut) lower_nothing lower_step c hints) as [X|] eqn:HX; [|discriminate].
  apply (composed_holds _ _ _ runs lower_holds (lower_product cut) lower_of_nothing lower_of_step) in HX.
  destruct HX as (Ds & Hruns & VD & HA & Hl & HD). apply (claim_from_below _ _ _ _ Hruns) in Hclaim.
  destruct (exp_bound true en ed) as [e'|] eqn:He'; [|discriminate]. rewrite andb_true_iff, !Z.ltb_lt.
  intros [Hdd Hdelta]. apply exp_bound_ordered in He'. unfold ordered in He'.
  change (IZR en / IZR ed) with (ratio (en, ed)) in He'. set (e := exp (ratio (en, ed))) in *.
  assert (He : 0 < e) by apply exp_pos. pose proof scale_pos as Hs. pose proof (IZR_lt _ _ Hdd) as Hdd'.
  pose proof (excess_of_lower e e' (cells X) HA (Rlt_le _ _ He) He') as Hsum.
  specialize (HD 1 e ltac:(lra) ltac:(lra)). rewrite excess_scaled in HD by lra. unfold kept in HD.
  rewrite excess_cons_apart in HD by (lra || (apply IZR_le; assumption)). fold (hockey_stick e (all_of Ds)) in HD.
  apply IZR_lt in Hdelta. rewrite !mult_IZR, plus_IZR, mult_IZR in Hdelta. change (IZR one) with scale in Hdelta.
  set (S := IZR (excess_of _ _)) in *. set (x := hockey_stick e _) in *. unfold ratio in Hclaim; simpl in Hclaim.
  apply (Rmult_le_compat_r (IZR dd)) in Hclaim; [|lra]. unfold Rdiv in Hclaim. rewrite Rmult_assoc, Rinv_l in Hclaim by lra.
  apply (Rmult_le_compat_l (scale * scale)) in Hclaim; [|apply Rlt_le, Rmult_lt_0_compat; assumption].
  apply (Rmult_le_compat_l scale) in HD; [|lra].
  assert (Hm : IZR (lost X) * scale + S <= scale * scale * x) by lra.
  apply (Rmult_le_compat_r (IZR dd)) in Hm; [|lra]. lra.
Qed.
