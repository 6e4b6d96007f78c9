(** The normal law: the curve e^(−x²/2), its area, and integers that enclose the area left of a point.

    The area from 0 to x is e^(−x²/2) (x + x³/3 + x⁵/(3·5) + ...): with finitely many terms a little less, by no more
    than the last term says, [area_between]. The whole half, [half_area], is the least upper bound of these areas, and
    what lies beyond T is at most e^(−T²/2)/T: [half_area_between]. *)

Require Import Reals ZArith Lra Lia Bool.
From Coquelicot Require Import Coquelicot.
From Bignums Require Import BigN.
From Kernel Require Import Rounding.
Open Scope R_scope.

Definition bell (x : R) : R := exp (- (x * x / 2)).

Definition area (x : R) : R := RInt bell 0 x.

Lemma bell_positive x : 0 < bell x.
Proof. apply exp_pos. Qed.

Lemma bell_continuous x : continuous bell x.
Proof. apply (ex_derive_continuous (K := R_AbsRing) (V := R_NormedModule)). unfold bell, Rdiv. auto_derive. trivial. Qed.

Lemma bell_integrable s t : ex_RInt bell s t.
Proof. apply (ex_RInt_continuous (V := R_CompleteNormedModule)). intros; apply bell_continuous. Qed.

Lemma area_increasing s t : s <= t -> area s <= area t.
Proof.
  intros Hst. unfold area. rewrite <- (RInt_Chasles (V := R_CompleteNormedModule) bell 0 s t) by apply bell_integrable.
  pose proof (RInt_ge_0 bell s t Hst (bell_integrable s t) (fun x _ => Rlt_le _ _ (bell_positive x))). unfold plus; simpl. lra.
Qed.

(** Beyond T: e^(−x²/2) ≤ (x/T) e^(−x²/2), whose integral is known. *)
Lemma tail_area T S : 0 < T <= S -> area S <= area T + bell T / T.
Proof.
  intros [HT HS]. unfold area. rewrite <- (RInt_Chasles (V := R_CompleteNormedModule) bell 0 T S) by apply bell_integrable.
  assert (H : is_RInt (fun x => / T * (x * bell x)) T S (minus (/ T * - bell S) (/ T * - bell T))).
  { apply (is_RInt_derive (V := R_CompleteNormedModule) (fun x => / T * - bell x)).
    - intros x _. unfold bell, Rdiv. auto_derive; [trivial|]. field. lra.
    - intros x _. apply (ex_derive_continuous (K := R_AbsRing) (V := R_NormedModule)). unfold bell, Rdiv. auto_derive. trivial. }
  assert (Hle : RInt bell T S <= RInt (fun x => / T * (x * bell x)) T S).
  { apply RInt_le; [assumption|apply bell_integrable|eexists; exact H|]. intros x Hx.
    rewrite <- Rmult_assoc. rewrite <- (Rmult_1_l (bell x)) at 1. apply Rmult_le_compat_r; [apply Rlt_le, bell_positive|].
    apply (Rmult_le_reg_l T); [assumption|]. rewrite <- Rmult_assoc, Rinv_r by lra. lra. }
  rewrite (is_RInt_unique (V := R_CompleteNormedModule) _ _ _ _ H) in Hle. unfold minus, plus, opp in *; simpl in *.
  pose proof (bell_positive S). assert (0 < / T) by (apply Rinv_0_lt_compat; assumption).
  assert (0 <= / T * bell S) by (apply Rmult_le_pos; lra). unfold Rdiv. lra.
Qed.

Definition areas (y : R) : Prop := exists x, y = area x.

Lemma areas_bounded : bound areas.
Proof.
  exists (area 1 + bell 1 / 1). intros y [x ->]. destruct (Rle_lt_dec x 1) as [Hx|Hx].
  - pose proof (area_increasing x 1 Hx). pose proof (bell_positive 1). lra.
  - apply tail_area. lra.
Qed.

Lemma areas_exist : exists y, areas y.
Proof. exists (area 0), 0. reflexivity. Qed.

(** Half of the area under the curve. *)
Definition half_area : R := proj1_sig (completeness areas areas_bounded areas_exist).

Lemma half_area_is : is_lub areas half_area.
Proof. exact (proj2_sig (completeness areas areas_bounded areas_exist)). Qed.

Lemma half_area_between T : 0 < T -> area T <= half_area <= area T + bell T / T.
Proof.
  intros HT. destruct half_area_is as [Hup Hleast]. split; [apply Hup; exists T; reflexivity|].
  apply Hleast. intros y [x ->]. destruct (Rle_lt_dec x T) as [Hx|Hx].
  - pose proof (area_increasing x T Hx). assert (0 <= bell T / T).
    { apply Rmult_le_pos; [apply Rlt_le, bell_positive|apply Rlt_le, Rinv_0_lt_compat; assumption]. } lra.
  - apply tail_area. lra.
Qed.

Lemma area_at_most x : area x <= half_area.
Proof. destruct half_area_is as [Hup _]. apply Hup. exists x. reflexivity. Qed.

Lemma half_area_positive : 0 < half_area.
Proof.
  apply (Rlt_le_trans _ (area 1)); [|apply area_at_most].
  apply RInt_gt_0; [lra|intros; apply bell_positive|intros; apply bell_continuous].
Qed.

(** The series. *)
Fixpoint odds (n : nat) : R := match n with O => 1 | S m => odds m * (2 * INR m + 3) end.

Definition term (n : nat) (x : R) : R := x ^ (2 * n + 1) / odds n.

Fixpoint terms (n : nat) (x : R) : R := match n with O => term 0 x | S m => terms m x + term (S m) x end.

Lemma odds_positive n : 0 < odds n.
Proof. induction n as [|n IH]; simpl; [lra|]. pose proof (pos_INR n). apply Rmult_lt_0_compat; lra. Qed.

Lemma term_next n x : term (S n) x = term n x * (x * x) / (2 * INR n + 3).
Proof.
  unfold term. replace (2 * S n + 1)%nat with (2 * n + 1 + 2)%nat by lia. rewrite pow_add. simpl odds.
  pose proof (odds_positive n). pose proof (pos_INR n). simpl (x ^ 2). field. lra.
Qed.

Lemma term_nonneg n x : 0 <= x -> 0 <= term n x.
Proof.
  intros Hx. apply Rmult_le_pos; [apply pow_le; assumption|]. apply Rlt_le, Rinv_0_lt_compat, odds_positive.
Qed.

Lemma term_increasing n x y : 0 <= x <= y -> term n x <= term n y.
Proof.
  intros H. apply Rmult_le_compat_r; [apply Rlt_le, Rinv_0_lt_compat, odds_positive|]. apply pow_incr. assumption.
Qed.

Lemma terms_is n x : is_derive (terms n) x (1 + x * (terms n x - term n x)).
Proof.
  induction n as [|n IH].
  - simpl. replace (1 + x * (term 0 x - term 0 x)) with 1 by ring. assert (H : forall t : R, t = term 0 t) by (intros; unfold term; simpl; field).
    apply (is_derive_ext (fun x => x)).
    + exact H.
    + apply (is_derive_id (K := R_AbsRing)).
  - simpl terms. replace (1 + x * (terms n x + term (S n) x - term (S n) x))
      with (plus (1 + x * (terms n x - term n x)) (x * term n x)) by (unfold plus; simpl; ring).
    apply (is_derive_plus (terms n) (term (S n))); [exact IH|].
    unfold term at 1. replace (x * term n x) with (/ odds (S n) * (INR (2 * S n + 1) * 1 * x ^ pred (2 * S n + 1))).
    + apply (is_derive_ext (fun x => / odds (S n) * x ^ (2 * S n + 1))); [intros; apply Rmult_comm|].
      apply is_derive_scal. apply (is_derive_pow (fun x => x)). apply (is_derive_id (K := R_AbsRing)).
    + unfold term. replace (pred (2 * S n + 1)) with (S (2 * n + 1)) by lia.
      assert (HN : INR (2 * S n + 1) = 2 * INR n + 3) by (rewrite plus_INR, mult_INR, (S_INR n); simpl (INR 2); simpl (INR 1); ring).
      rewrite HN. change (odds (S n)) with (odds n * (2 * INR n + 3)).
      change (x ^ S (2 * n + 1)) with (x * x ^ (2 * n + 1)).
      pose proof (odds_positive n). pose proof (pos_INR n). field. lra.
Qed.

Lemma area_between n x : 0 <= x ->
  (1 - x * term n x) * area x <= bell x * terms n x <= area x.
Proof.
  intros Hx.
  assert (C : forall x, is_derive (fun x => bell x * terms n x) x (bell x * (1 - x * term n x))).
  { intros y. assert (D : is_derive bell y (- y * bell y)) by (unfold bell, Rdiv; auto_derive; [trivial|]; field).
    pose proof (is_derive_mult bell (terms n) y _ _ D (terms_is n y) Rmult_comm) as H.
    replace (bell y * (1 - y * term n y)) with (plus (mult (- y * bell y) (terms n y)) (mult (bell y) (1 + y * (terms n y - term n y))));
      [exact H|]. unfold plus, mult; simpl. ring. }
  assert (Ct : forall y, continuous (fun x => bell x * (1 - x * term n x)) y).
  { intros y. apply (ex_derive_continuous (K := R_AbsRing) (V := R_NormedModule)). unfold bell, term, Rdiv. auto_derive.
    trivial. }
  assert (H : is_RInt (fun x => bell x * (1 - x * term n x)) 0 x (bell x * terms n x)).
  { replace (bell x * terms n x) with (minus (bell x * terms n x) (bell 0 * terms n 0)).
    - apply (is_RInt_derive (V := R_CompleteNormedModule) (fun x => bell x * terms n x)); intros; [apply C|apply Ct].
    - replace (terms n 0) with 0; [unfold minus, plus, opp; simpl; ring|]. clear. induction n as [|n IH]; simpl;
        [|rewrite <- IH]; unfold term; rewrite pow_i by lia; unfold Rdiv; ring. }
  rewrite <- (is_RInt_unique (V := R_CompleteNormedModule) _ _ _ _ H). unfold area. split.
  - rewrite <- (RInt_scal (V := R_CompleteNormedModule)) by apply bell_integrable.
    apply RInt_le; [assumption|apply (ex_RInt_scal (V := R_NormedModule)), bell_integrable|eexists; exact H|].
    intros t Ht. unfold scal; simpl; unfold mult; simpl. rewrite Rmult_comm.
    apply Rmult_le_compat_l; [apply Rlt_le, bell_positive|].
    pose proof (term_increasing n t x ltac:(lra)). pose proof (term_nonneg n t ltac:(lra)).
    assert (t * term n t <= x * term n x) by (apply Rmult_le_compat; lra). lra.
  - apply RInt_le; [assumption|eexists; exact H|apply bell_integrable|]. intros t Ht.
    pose proof (bell_positive t). pose proof (term_nonneg n t ltac:(lra)).
    rewrite <- (Rmult_1_r (bell t)) at 2. apply Rmult_le_compat_l; [lra|].
    assert (0 <= t * term n t) by (apply Rmult_le_pos; lra). lra.
Qed.

(** The terms from i on, and the last one, in units of 1/[one]; k is 2i + 3. *)
Fixpoint series (up : bool) (square : bigN) (count : nat) (k t : bigN) : bigN * bigN :=
  match count with
  | O => (t, t)
  | S rest =>
      let next := big_quotient up (big_product up t square) k in
      let '(sum, last) := series up square rest (BigN.succ (BigN.succ k)) next in (BigN.add t sum, last)
  end.

Fixpoint terms_from (i n : nat) (x : R) : R :=
  match n with O => term i x | S m => term i x + terms_from (S i) m x end.

Lemma terms_from_last n : forall i x, terms_from i (S n) x = terms_from i n x + term (i + S n) x.
Proof.
  induction n as [|n IH]; intros i x.
  - simpl. replace (i + 1)%nat with (S i) by lia. reflexivity.
  - change (terms_from i (S (S n)) x) with (term i x + terms_from (S i) (S n) x). rewrite IH.
    replace (S i + S n)%nat with (i + S (S n))%nat by lia. simpl. ring.
Qed.

Lemma terms_are n x : terms n x = terms_from 0 n x.
Proof. induction n as [|n IH]; [reflexivity|]. rewrite terms_from_last, <- IH. reflexivity. Qed.

Lemma series_ordered up square x : 0 <= x -> ordered up (scale * (x * x)) (of_big square) ->
  forall count i k t, BigN.to_Z k = (2 * Z.of_nat i + 3)%Z -> ordered up (scale * term i x) (of_big t) ->
  let '(sum, last) := series up square count k t in
  ordered up (scale * terms_from i count x) (of_big sum) /\ ordered up (scale * term (i + count) x) (of_big last).
Proof.
  intros Hx Hs. pose proof scale_pos as Hsc. induction count as [|count IH]; intros i k t Hk H; cbn [series terms_from].
  - rewrite Nat.add_0_r. auto.
  - set (t' := big_quotient up (big_product up t square) k).
    assert (H' : ordered up (scale * term (S i) x) (of_big t')).
    { eapply ordered_trans; [|apply big_quotient_ordered; lia].
      assert (Hreal : of_big k = 2 * INR i + 3) by (unfold of_big; rewrite Hk, plus_IZR, mult_IZR, <- INR_IZR_INZ; reflexivity).
      rewrite term_next, Hreal. pose proof (pos_INR i) as Hi.
      replace (scale * (term i x * (x * x) / (2 * INR i + 3)))
        with (/ (2 * INR i + 3) * (scale * term i x * (scale * (x * x)) / scale)) by (field; lra).
      unfold Rdiv at 2. rewrite (Rmult_comm _ (/ (2 * INR i + 3))).
      apply ordered_mult; [apply Rlt_le, Rinv_0_lt_compat; lra|].
      eapply ordered_trans; [|apply big_product_ordered].
      unfold Rdiv. rewrite !(Rmult_comm _ (/ scale)). apply ordered_mult; [apply Rlt_le, Rinv_0_lt_compat; assumption|].
      assert (0 <= scale * term i x) by (apply Rmult_le_pos; [lra|apply term_nonneg; assumption]).
      assert (0 <= scale * (x * x)) by (apply Rmult_le_pos; [lra|apply Rmult_le_pos; assumption]).
      pose proof (of_big_nonneg t). pose proof (of_big_nonneg square).
      destruct up; simpl in *; apply Rmult_le_compat; assumption. }
    specialize (IH (S i) (BigN.succ (BigN.succ k)) t' ltac:(rewrite !BigN.spec_succ, Hk; lia) H').
    destruct (series up square count (BigN.succ (BigN.succ k)) t') as [sum last]. destruct IH as [IH1 IH2].
    split; [|replace (i + S count)%nat with (S i + count)%nat by lia; assumption].
    unfold of_big at 1. rewrite BigN.spec_add, plus_IZR, Rmult_plus_distr_l. unfold of_big in *. destruct up; simpl in *; lra.
Qed.

(** Bounds of the area from 0 to n/d ≥ 0. *)
Definition area_bound (up : bool) (n d : Z) : option Z :=
  let count := Z.to_nat (2 * (n * n / (d * d)) + 40) in
  let start := rounded_quotient up (n * one) d in
  let '(s, l) := series up (big (rounded_quotient up (n * n * one) (d * d))) count (big 3) (big start) in
  let sum := BigN.to_Z s in let last := BigN.to_Z l in
  match exp_bound up (- (n * n)) (2 * d * d) with
  | Some e =>
      if (0 <=? e)%Z then
        if up then
          let rest := rounded_quotient true (start * last) one in
          if (rest <? one)%Z then Some (rounded_quotient true (e * sum) (one - rest)) else None
        else Some (rounded_quotient false (e * sum) one)
      else None
  | None => None
  end.

Theorem area_bound_ordered up n d a : (0 <= n)%Z -> (0 < d)%Z -> area_bound up n d = Some a ->
  ordered up (scale * area (IZR n / IZR d)) (IZR a).
Proof.
  intros Hn Hd. unfold area_bound. set (count := Z.to_nat _). set (x := IZR n / IZR d).
  pose proof scale_pos as Hs. pose proof one_pos as Ho. pose proof (IZR_lt _ _ Hd) as Hd'.
  assert (Hx : 0 <= x) by (apply Rmult_le_pos; [apply IZR_le; assumption|apply Rlt_le, Rinv_0_lt_compat; assumption]).
  assert (Hstart : ordered up (scale * x) (IZR (rounded_quotient up (n * one) d))).
  { eapply ordered_trans; [|apply quotient_ordered; assumption]. rewrite mult_IZR. change (IZR one) with scale.
    replace (scale * x) with (IZR n * scale / IZR d) by (unfold x; field; lra). destruct up; simpl; lra. }
  assert (Hsquare : ordered up (scale * (x * x)) (IZR (rounded_quotient up (n * n * one) (d * d)))).
  { eapply ordered_trans; [|apply quotient_ordered; nia]. rewrite !mult_IZR. change (IZR one) with scale.
    replace (scale * (x * x)) with (IZR n * IZR n * scale / (IZR d * IZR d)) by (unfold x; field; lra). destruct up; simpl; lra. }
  set (start := rounded_quotient up (n * one) d) in *. set (square := rounded_quotient up (n * n * one) (d * d)) in *.
  assert (Hstart0 : (0 <= start)%Z) by (apply quotient_nonneg; [assumption|apply Z.mul_nonneg_nonneg; lia]).
  assert (Hsquare0 : (0 <= square)%Z) by (apply quotient_nonneg; [nia|apply Z.mul_nonneg_nonneg; nia]).
  assert (Hterm : ordered up (scale * term 0 x) (IZR start)) by (replace (term 0 x) with x by (unfold term; simpl; field); assumption).
  rewrite <- of_big_is in Hsquare, Hterm by assumption.
  pose proof (series_ordered up (big square) x Hx Hsquare count 0 (big 3) (big start) eq_refl Hterm) as Hseries.
  destruct (series up (big square) count (big 3) (big start)) as [s l]. cbv zeta.
  destruct Hseries as [Hsum Hlast]. pose proof (BigN.spec_pos s) as Hsum0. pose proof (BigN.spec_pos l) as Hlast0.
  unfold of_big in Hsum, Hlast. set (sum := BigN.to_Z s) in *. set (last := BigN.to_Z l) in *. rewrite <- terms_are in Hsum.
  destruct (exp_bound up (- (n * n)) (2 * d * d)) as [e|] eqn:He; [|discriminate].
  destruct (0 <=? e)%Z eqn:He0; [|discriminate]. apply Z.leb_le in He0. apply exp_bound_ordered in He.
  replace (IZR (- (n * n)) / IZR (2 * d * d)) with (- (x * x / 2)) in He
    by (rewrite opp_IZR, !mult_IZR; unfold x; field; lra).
  fold (bell x) in He. destruct (area_between count x Hx) as [Hup Hdown].
  assert (Hbell : 0 <= scale * bell x) by (apply Rmult_le_pos; [lra|apply Rlt_le, bell_positive]).
  pose proof (IZR_le _ _ He0) as He1. pose proof (IZR_le _ _ Hsum0) as Hsum1. pose proof (IZR_le _ _ Hlast0) as Hlast1.
  pose proof (IZR_le _ _ Hstart0) as Hstart1.
  pose proof (term_nonneg count x Hx) as Hterm0. rewrite Nat.add_0_l in Hlast.
  destruct up; cbn [ordered negb] in *.
  - destruct (rounded_quotient true (start * last) one <? one)%Z eqn:Hrest; [|discriminate]. apply Z.ltb_lt in Hrest.
    intros E. apply some_equal in E. subst a. set (rest := rounded_quotient true (start * last) one) in *.
    pose proof (quotient_ordered true (e * sum) (one - rest) ltac:(lia)) as Hq. cbn [ordered] in Hq.
    eapply Rle_trans; [|exact Hq]. pose proof (quotient_ordered true (start * last) one Ho) as Hr. cbn [ordered] in Hr. fold rest in Hr.
    rewrite mult_IZR in Hr |- *. rewrite minus_IZR. change (IZR one) with scale in *. apply IZR_lt in Hrest. change (IZR one) with scale in Hrest.
    assert (Hxt : scale * (x * term count x) <= IZR rest).
    { eapply Rle_trans; [|exact Hr]. apply (Rmult_le_reg_r scale); [assumption|].
      replace (IZR start * IZR last / scale * scale) with (IZR start * IZR last) by (field; lra).
      replace (scale * (x * term count x) * scale) with ((scale * x) * (scale * term count x)) by ring.
      apply Rmult_le_compat; [apply Rmult_le_pos; lra|apply Rmult_le_pos; lra|assumption|assumption]. }
    apply (Rmult_le_reg_r (scale - IZR rest)); [lra|].
    replace (IZR e * IZR sum / (scale - IZR rest) * (scale - IZR rest)) with (IZR e * IZR sum) by (field; lra).
    assert (Harea : 0 <= area x).
    { pose proof (area_increasing 0 x Hx) as H. unfold area at 1 in H.
      rewrite (RInt_point (V := R_CompleteNormedModule)) in H. exact H. }
    apply (Rle_trans _ (scale * area x * (scale * (1 - x * term count x)))).
    + apply Rmult_le_compat_l; [apply Rmult_le_pos; lra|]. lra.
    + replace (scale * area x * (scale * (1 - x * term count x))) with (scale * scale * ((1 - x * term count x) * area x)) by ring.
      apply (Rle_trans _ (scale * scale * (bell x * terms count x))); [apply Rmult_le_compat_l; [nra|assumption]|].
      replace (scale * scale * (bell x * terms count x)) with ((scale * bell x) * (scale * terms count x)) by ring.
      apply Rmult_le_compat; [assumption| |assumption|assumption].
      apply Rmult_le_pos; [lra|]. clear -Hx. induction count as [|m IH]; simpl;
        [apply term_nonneg; assumption|]. pose proof (term_nonneg (S m) x Hx). lra.
  - intros E. apply some_equal in E. subst a.
    pose proof (quotient_ordered false (e * sum) one Ho) as Hq. cbn [ordered] in Hq.
    eapply Rle_trans; [exact Hq|]. rewrite mult_IZR. change (IZR one) with scale.
    apply (Rmult_le_reg_r scale); [assumption|].
    replace (IZR e * IZR sum / scale * scale) with (IZR e * IZR sum) by (field; lra).
    apply (Rle_trans _ ((scale * bell x) * (scale * terms count x))); [apply Rmult_le_compat; assumption|].
    replace (scale * bell x * (scale * terms count x)) with (scale * scale * (bell x * terms count x)) by ring.
    replace (scale * area x * scale) with (scale * scale * area x) by ring. apply Rmult_le_compat_l; [nra|assumption].
Qed.

(** Bounds of [half_area], from the area up to 12. *)
Definition half_down : Z := Eval vm_compute in match area_bound false 12 1 with Some a => a | None => 0%Z end.
Definition area_up : Z := Eval vm_compute in match area_bound true 12 1 with Some a => a | None => 0%Z end.
Definition rest_up : Z := Eval vm_compute in match exp_bound true (- 72) 1 with Some e => e | None => 0%Z end.
Definition half_up : Z := (area_up + rest_up)%Z.

Lemma half_down_below : (0 < half_down)%Z /\ IZR half_down <= scale * half_area.
Proof.
  split; [reflexivity|]. assert (H : area_bound false 12 1 = Some half_down) by (vm_compute; reflexivity).
  apply area_bound_ordered in H; [|lia|lia]. cbn [ordered] in H. eapply Rle_trans; [exact H|].
  apply Rmult_le_compat_l; [apply Rlt_le, scale_pos|]. apply area_at_most.
Qed.

Lemma half_up_above : (0 < half_up)%Z /\ scale * half_area <= IZR half_up.
Proof.
  split; [reflexivity|].
  assert (Ha : area_bound true 12 1 = Some area_up) by (vm_compute; reflexivity).
  assert (He : exp_bound true (- 72) 1 = Some rest_up) by (vm_compute; reflexivity).
  apply area_bound_ordered in Ha; [|lia|lia]. apply exp_bound_ordered in He. unfold half_up.
  cbn [ordered] in Ha, He. rewrite plus_IZR. pose proof scale_pos as Hs.
  destruct (half_area_between (IZR 12 / IZR 1)) as [_ H]; [lra|].
  assert (Hbell : bell (IZR 12 / IZR 1) <= exp (IZR (- 72) / IZR 1)) by (apply Req_le; unfold bell; f_equal; field).
  assert (bell (IZR 12 / IZR 1) / (IZR 12 / IZR 1) <= exp (IZR (-72) / IZR 1)).
  { eapply Rle_trans; [|exact Hbell]. pose proof (bell_positive (IZR 12 / IZR 1)). lra. }
  apply (Rle_trans _ (scale * (area (IZR 12 / IZR 1) + exp (IZR (-72) / IZR 1)))); [apply Rmult_le_compat_l; lra|lra].
Qed.
