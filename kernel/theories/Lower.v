(** The lower check. Outcomes are seen by the index of their cell alone, compositions by the sum of indices, which
    only lowers the divergence, lemma L; P-masses are rounded down and Q-masses up. Where [lower] answers true, the
    claim is refuted: [lower_sound].

    Hints, the cell of each outcome, may be anything. *)

Require Import Reals ZArith List Bool Lra Lia.
From Kernel Require Import Experiments Composition Cells Rounding Mechanisms Polynomials Powers.
Import ListNotations.
Open Scope R_scope.

Definition both_add (x y : Z * Z) : Z * Z := (fst x + fst y, snd x + snd y)%Z.
Definition both_multiply (x y : Z * Z) : Z * Z := (fst x * fst y, snd x * snd y)%Z.

(** P- and Q-mass of each cell, in units of 1/[one]; the P-mass that is not at +∞, rounded up. *)
Record lower_bound := { cells : list (Z * Z); finite : Z }.

Definition round_cell (x : Z * Z) : Z * Z := (rounded_quotient false (fst x) one, rounded_quotient true (snd x) one).

Definition lower_times (X Y : lower_bound) : lower_bound :=
  {| cells := map round_cell (times (0, 0)%Z both_add both_multiply (cells X) (cells Y));
     finite := rounded_quotient true (finite X * finite Y) one |}.

Definition lower_nothing : lower_bound := {| cells := [(one, one)]; finite := one |}.

(** The cells of the outcomes that are possible under Q; pure privacy has two outcomes, in cells so far from each other. *)
Inductive lower_hint :=
| Seen (indices : list nat)
| Apart (n : nat).

Definition row_cell (whole : Z) (row : Z * Z) : Z * Z :=
  (rounded_quotient false (fst row * one) whole, rounded_quotient true (snd row * one) whole).

Fixpoint gather (whole : Z) (rows : list (Z * Z)) (indices : list nat) : option (list (Z * Z)) :=
  match rows, indices with
  | [], [] => Some []
  | row :: rows', i :: indices' =>
      match gather whole rows' indices' with
      | Some A => Some (add_at (0, 0)%Z both_add i (row_cell whole row) A)
      | None => None
      end
  | _, _ => None
  end.

(** Bounds of 1/(1 + y). *)
Definition share (up : bool) (x : Z) : Z := rounded_quotient up (one * one) (one + x).

Definition lower_step (m : mechanism) (hint : lower_hint) : option lower_bound :=
  if well_formed m then
    match m, hint with
    | Pair whole rows, Seen indices =>
        match gather whole (possible rows) indices with
        | Some A => Some {| cells := A;
            finite := rounded_quotient true (fold_right Z.add 0%Z (map fst (possible rows)) * one) whole |}
        | None => None
        end
    | Pure n d, Apart i =>
        match exp_bound false n d, exp_bound true n d, exp_bound false (- n) d, exp_bound true (- n) d with
        | Some x, Some x', Some y, Some y' =>
            if ((0 <=? x) && (0 <=? x') && (0 <=? y) && (0 <=? y'))%Z then
              Some {| finite := one;
                cells := add_at (0, 0)%Z both_add O (share false x', share true y)
                  (add_at (0, 0)%Z both_add i (share false y', share true x) []) |}
            else None
        | _, _, _, _ => None
        end
    | _, _ => None
    end
  else None.

Fixpoint excess_of (e : Z) (A : list (Z * Z)) : Z :=
  match A with [] => 0 | x :: rest => Z.max 0 (fst x * one - snd x * e) + excess_of e rest end%Z.

Definition lower (c : composition) (hints : list lower_hint) (epsilon delta : Z * Z) : bool :=
  let '(en, ed) := epsilon in let '(dn, dd) := delta in
  match composed lower_times lower_nothing lower_step c hints, exp_bound true en ed with
  | Some X, Some e =>
      ((0 <? dd) && (dn * (one * one) <? ((one - finite X) * one + excess_of e (cells X)) * dd))%Z
  | _, _ => false
  end && all_well_formed c.

Definition real (x : Z * Z) : R * R := (IZR (fst x), IZR (snd x)).

Definition cells_nonneg (A : list (Z * Z)) := Forall (fun x => 0 <= fst x /\ 0 <= snd x)%Z A.

Definition below (F : experiment) (A : list (Z * Z)) : Prop :=
  cells_nonneg A /\
  forall a b, 0 <= a -> 0 <= b -> excess a b (map real A) <= excess (a * scale) (b * scale) F.

Definition lower_holds (D : experiment) (X : lower_bound) : Prop :=
  exists F f, reduced D F f /\ below F (cells X) /\ scale * f <= IZR (finite X).

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

Lemma below_product F A G B : valid F -> below F A -> valid G -> below G B ->
  below (product F G) (map round_cell (times (0, 0)%Z both_add both_multiply A B)).
Proof.
  intros VF [HA HF] VG [HB HG]. pose proof scale_pos as Hs. split.
  { pose proof (times_nonneg A B HA HB) as H. clear -H. induction H as [|x C [? ?] ? IH]; simpl; constructor; [|assumption].
    unfold round_cell; simpl. split; apply quotient_nonneg; try apply one_pos; assumption. }
  intros a b Ha Hb.
  apply (Rmult_le_reg_l scale); [assumption|]. rewrite <- !excess_scaled by lra.
  eapply Rle_trans; [apply excess_rounded; assumption|]. eapply Rle_trans; [apply excess_times|].
  rewrite excess_product.
  apply (Rle_trans _ (excess (a * scale) (b * scale) (product (map real A) G))).
  { rewrite excess_product. apply total_le. intros o Ho. destruct (real_nonneg A HA o Ho).
    replace (a * scale * fst o) with (a * fst o * scale) by ring.
    replace (b * scale * snd o) with (b * snd o * scale) by ring. apply HG; apply Rmult_le_pos; assumption. }
  rewrite excess_product_comm, (excess_product_comm _ _ F), !excess_product.
  apply total_le. intros o Ho. unfold valid in VG. rewrite Forall_forall in VG. destruct (VG o Ho).
  eapply Rle_trans; [apply HF; apply Rmult_le_pos; try apply Rmult_le_pos; lra|].
  apply Req_le. f_equal; ring.
Qed.

Lemma lower_product D E X Y : lower_holds D X -> lower_holds E Y -> lower_holds (product D E) (lower_times X Y).
Proof.
  intros (F & f & HD & HF & Hf) (G & g & HE & HG & Hg). pose proof scale_pos as Hs.
  exists (product F G), (f * g). split; [apply reduced_product; assumption|].
  destruct HD as (_ & VF & _ & TF & _), HE as (_ & VG & _ & TG & _). split; [apply below_product; assumption|].
  assert (Hpos : forall L, valid L -> 0 <= total fst L).
  { intros L HL. apply total_nonneg. intros o Ho. unfold valid in HL. rewrite Forall_forall in HL. apply (HL o Ho). }
  pose proof (Hpos F VF) as Hf0. pose proof (Hpos G VG) as Hg0. rewrite TF in Hf0. rewrite TG in Hg0.
  simpl. pose proof (quotient_ordered true (finite X * finite Y) one one_pos) as H. unfold ordered in H.
  rewrite mult_IZR in H. change (IZR one) with scale in H. eapply Rle_trans; [|exact H].
  apply (Rmult_le_reg_r scale); [assumption|].
  replace (IZR (finite X) * IZR (finite Y) / scale * scale) with (IZR (finite X) * IZR (finite Y)) by (field; lra).
  assert (0 <= scale * f) by (apply Rmult_le_pos; lra). assert (0 <= scale * g) by (apply Rmult_le_pos; lra).
  pose proof (Rmult_le_compat _ _ _ _ H0 H1 Hf Hg). lra.
Qed.

Lemma lower_of_nothing : lower_holds [(1, 1)] lower_nothing.
Proof.
  pose proof scale_pos as Hs. assert (V : valid [(1, 1)]) by (repeat constructor; simpl; lra).
  exists [(1, 1)], 1. split; [repeat split; try assumption; simpl; intros; lra|].
  split; [|simpl; change (IZR one) with scale; lra]. pose proof one_pos.
  split; [repeat constructor; simpl; lia|]. intros a b Ha Hb. unfold excess, gain, real; simpl.
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

Lemma gather_below whole : (0 < whole)%Z -> forall rows indices A,
  Forall (fun row => 0 <= fst row /\ 0 <= snd row)%Z rows -> gather whole rows indices = Some A ->
  below (map (outcome whole) rows) A.
Proof.
  intros Hw. pose proof one_pos as Ho. induction rows as [|row rows IH]; intros [|i indices] A Hrows; simpl; try discriminate.
  - intros E. apply some_equal in E. subst A. split; [constructor|]. intros. apply Rle_refl.
  - destruct (gather whole rows indices) as [B|] eqn:HB; [|discriminate]. intros E. apply some_equal in E. subst A.
    inversion Hrows as [|? ? [Hp Hq] Hrest]; subst. destruct (IH indices B Hrest HB) as [HnB HB']. split.
    + apply cells_add_at; [|assumption].
      split; (apply quotient_nonneg; [assumption|]; apply Z.mul_nonneg_nonneg; [assumption|lia]).
    + intros a b Ha Hb. eapply Rle_trans; [apply excess_add_at|].
      apply Rplus_le_compat; [apply row_cell_below; assumption|apply HB'; assumption].
Qed.

Lemma share_ordered up x y : (0 <= x)%Z -> 0 <= y -> ordered (negb up) (scale * y) (IZR x) ->
  ordered up (scale * / (1 + y)) (IZR (share up x)).
Proof.
  intros Hx Hy H. pose proof scale_pos as Hs. pose proof one_pos as Ho. pose proof (IZR_le _ _ Hx) as Hx'.
  assert (0 <= scale * y) by (apply Rmult_le_pos; lra).
  eapply ordered_trans; [|apply (quotient_ordered up); lia].
  rewrite mult_IZR, plus_IZR. change (IZR one) with scale.
  replace (scale * / (1 + y)) with (scale * scale * / (scale + scale * y)) by (field; split; lra).
  apply ordered_mult; [apply Rmult_le_pos; lra|]. rewrite <- (negb_involutive up).
  apply ordered_inverse; [lra|lra|]. destruct up; simpl in *; lra.
Qed.

Lemma share_nonneg up x : (0 <= x)%Z -> (0 <= share up x)%Z.
Proof. intros Hx. pose proof one_pos. apply quotient_nonneg; [lia|]. apply Z.mul_nonneg_nonneg; lia. Qed.

Lemma gain_outward a b p q p' q' : 0 <= a -> 0 <= b -> p <= scale * p' -> scale * q' <= q ->
  gain a b (p, q) <= gain (a * scale) (b * scale) (p', q').
Proof.
  intros Ha Hb HP HQ. apply gain_at_most; [apply gain_nonneg|]. eapply Rle_trans; [|apply gain_at_least]. simpl.
  pose proof (Rmult_le_compat_l _ _ _ Ha HP). pose proof (Rmult_le_compat_l _ _ _ Hb HQ). lra.
Qed.

Lemma lower_of_step m hint X : lower_step m hint = Some X -> lower_holds (pair m) X.
Proof.
  unfold lower_step. destruct (well_formed m) eqn:Hm; [|discriminate].
  pose proof scale_pos as Hs. pose proof one_pos as Ho. destruct m as [whole rows|n d], hint as [indices|i]; try discriminate.
  - destruct (gather whole (possible rows) indices) as [A|] eqn:HA; [|discriminate].
    intros E. apply some_equal in E. subst X. apply well_formed_pair in Hm. pose proof Hm as (Hw & Hrows & _ & _).
    exists (map (outcome whole) (possible rows)), (IZR (fold_right Z.add 0%Z (map fst (possible rows))) / IZR whole).
    split; [apply reduced_pair; assumption|]. split.
    + apply (gather_below whole Hw _ indices); [|assumption]. rewrite Forall_forall in *. intros row Hrow.
      apply Hrows. apply filter_In in Hrow. apply Hrow.
    + cbn [finite]. pose proof (quotient_ordered true (fold_right Z.add 0%Z (map fst (possible rows)) * one) whole Hw) as H.
      unfold ordered in H. rewrite mult_IZR in H. change (IZR one) with scale in H. unfold Rdiv in *. lra.
  - destruct (exp_bound false n d) as [x|] eqn:Hx; [|discriminate].
    destruct (exp_bound true n d) as [x'|] eqn:Hx'; [|discriminate].
    destruct (exp_bound false (- n) d) as [y|] eqn:Hy; [|discriminate].
    destruct (exp_bound true (- n) d) as [y'|] eqn:Hy'; [|discriminate].
    destruct (_ && _)%Z eqn:Hok; [|discriminate]. rewrite !andb_true_iff, !Z.leb_le in Hok.
    destruct Hok as [[[H1 H2] H3] H4]. intros E. apply some_equal in E. subst X.
    destruct (pair_is_pair _ Hm) as (HV & HP & _).
    exists (pair (Pure n d)), 1. split; [repeat split; try assumption; intros; lra|].
    split; [|cbn [finite]; change (IZR one) with scale; lra]. cbn [cells].
    apply exp_bound_ordered in Hx, Hx', Hy, Hy'.
    assert (Hminus : IZR (- n) / IZR d = - (IZR n / IZR d)) by (rewrite opp_IZR; unfold Rdiv; ring).
    rewrite Hminus, exp_Ropp in Hy, Hy'. simpl pair. unfold randomized_response.
    set (t := exp (IZR n / IZR d)) in *. assert (Ht : 0 < t) by apply exp_pos.
    assert (Ht' : 0 < / t) by (apply Rinv_0_lt_compat; assumption).
    pose proof (share_ordered false x' t H2 ltac:(lra) Hx') as A1. pose proof (share_ordered true x t H1 ltac:(lra) Hx) as A2.
    pose proof (share_ordered false y' (/ t) H4 ltac:(lra) Hy') as A3.
    pose proof (share_ordered true y (/ t) H3 ltac:(lra) Hy) as A4. simpl in A1, A2, A3, A4.
    replace (t / (1 + t)) with (/ (1 + / t)) by (field; lra). replace (1 / (1 + t)) with (/ (1 + t)) by (field; lra).
    split.
    + repeat apply cells_add_at; try (split; apply share_nonneg; assumption). constructor.
    + intros a b Ha Hb. eapply Rle_trans; [apply excess_add_at|].
      eapply Rle_trans; [apply Rplus_le_compat_l, excess_add_at|]. unfold excess; simpl total.
      assert (gain a b (real (share false x', share true y))
        <= gain (a * scale) (b * scale) (/ (1 + t), / (1 + / t))) by (apply gain_outward; assumption).
      assert (gain a b (real (share false y', share true x))
        <= gain (a * scale) (b * scale) (/ (1 + / t), / (1 + t))) by (apply gain_outward; assumption).
      lra.
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

Theorem lower_sound c hints epsilon delta : lower c hints epsilon delta = true ->
  ~ remove_claim c (ratio epsilon) (ratio delta).
Proof.
  destruct epsilon as [en ed], delta as [dn dd]. unfold lower. rewrite andb_true_iff. intros [H Hwell] Hclaim.
  apply (claim_of_product _ _ _ Hwell) in Hclaim. revert H.
  destruct (composed lower_times lower_nothing lower_step c hints) as [X|] eqn:HX; [|discriminate].
  apply (composed_holds _ _ _ lower_holds lower_product lower_of_nothing lower_of_step) in HX.
  destruct HX as (F & f & (_ & _ & _ & _ & HD) & [HA HF] & Hf).
  destruct (exp_bound true en ed) as [e'|] eqn:He'; [|discriminate]. rewrite andb_true_iff, !Z.ltb_lt.
  intros [Hdd Hdelta]. apply exp_bound_ordered in He'. unfold ordered in He'.
  change (IZR en / IZR ed) with (ratio (en, ed)) in He'. set (e := exp (ratio (en, ed))) in *.
  assert (He : 0 < e) by apply exp_pos. pose proof scale_pos as Hs. pose proof (IZR_lt _ _ Hdd) as Hdd'.
  unfold hockey_stick in Hclaim. rewrite HD in Hclaim by lra.
  pose proof (excess_of_lower e e' (cells X) HA (Rlt_le _ _ He) He') as Hsum.
  specialize (HF 1 e ltac:(lra) ltac:(lra)). rewrite excess_scaled in HF by lra.
  apply (Rmult_le_compat_l scale) in HF; [|lra].
  apply IZR_lt in Hdelta. rewrite !mult_IZR, plus_IZR, mult_IZR, minus_IZR in Hdelta. change (IZR one) with scale in Hdelta.
  set (S := IZR (excess_of _ _)) in *. set (x := excess 1 e F) in *. unfold ratio in Hclaim; simpl in Hclaim.
  assert (Hd : (x + 1 * (1 - f)) * (scale * scale * IZR dd) <= IZR dn * (scale * scale)).
  { replace (IZR dn * (scale * scale)) with (IZR dn / IZR dd * (scale * scale * IZR dd)) by (field; lra).
    apply Rmult_le_compat_r; [|assumption]. apply Rlt_le. repeat apply Rmult_lt_0_compat; lra. }
  assert (Hm : (scale - IZR (finite X)) * scale + S <= (x + 1 * (1 - f)) * (scale * scale)).
  { pose proof (Rmult_le_compat_r scale _ _ (Rlt_le _ _ Hs) Hf). lra. }
  apply (Rmult_le_compat_r (IZR dd)) in Hm; [|lra]. lra.
Qed.
