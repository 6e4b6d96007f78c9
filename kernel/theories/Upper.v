(** The upper check. Steps become masses at losses, [Dots], compositions their products. Where [upper] answers true, the
    claim holds: [upper_sound].

    Hints, where an outcome goes, may be anything: they are checked. *)

Require Import Reals ZArith List Bool Lra Lia.
From Coquelicot Require Import Coquelicot.
From Kernel Require Import Experiments Composition Cells Densities Noise Rounding Mechanisms Polynomials Powers Intervals Dots.
Import ListNotations.
Open Scope R_scope.

(** Where outcomes go: of each outcome of a pair a cell and the P-masses at its two ends; of a guarantee its ε, in
    units of h; of noise the masses at both ends of each cell, from the lowest loss on. *)
Inductive upper_hint :=
| Cells (start : Z) (rows : list (Z * (Z * Z)))
| Points (m : Z)
| Grid (low : Z) (parts : list (Z * Z)).

(** Bounds of (1 − δ)/(1 + y). *)
Definition share_up (delta : Z * Z) (x : Z) : Z :=
  rounded_quotient true ((snd delta - fst delta) * (one * one)) (snd delta * (one + x)).

(** P-masses between edges rounded up, Q-masses down. *)
Fixpoint rows_between (l : list edge) : list (Z * Z) :=
  match l with
  | [] => []
  | e :: rest =>
      match rest with [] => [] | e' :: _ => [(snd (fst e) - fst (fst e'), fst (snd e) - snd (snd e'))%Z] end
      ++ rows_between rest
  end.

Fixpoint numbered {T} (j : Z) (l : list T) : list (Z * T) :=
  match l with [] => [] | x :: rest => (j, x) :: numbered (j + 1) rest end.

(** What lies beyond the cells: to the right at the lowest loss; to the left at the greatest one, if there is one, or
    at +∞. *)
Definition upper_noise (h : Z * Z) (kind : noise) (s : Z * Z) (low : Z) (parts : list (Z * Z)) : option upper_bound :=
  match edges h kind s (length parts) low with
  | Some (e :: rest) =>
      match place h one low (rows_between (e :: rest)) (numbered low parts) with
      | Some A =>
          let right := (one - fst (fst e))%Z in let left := snd (fst (last rest e)) in
          if fits h kind s low (low + Z.of_nat (length parts)) && (0 <=? right)%Z && (0 <=? left)%Z then
            Some (match kind with
              | Laplace => {| start := low; lost := 0;
                  masses := add_at 0%Z Z.add O right (add_at 0%Z Z.add (length parts) left A) |}
              | Gaussian => {| start := low; lost := left; masses := add_at 0%Z Z.add O right A |}
              end)
          else None
      | None => None
      end
  | _ => None
  end.

Definition upper_step (h : Z * Z) (m : mechanism) (hint : upper_hint) : option upper_bound :=
  match m, hint with
  | Noisy kind s, Grid low parts => upper_noise h kind s low parts
  | _, _ =>
    if well_formed m then
      match m, hint with
      | Pair whole rows, Cells s hints =>
          match place h whole s (possible rows) hints with
          | Some A => Some {| start := s; masses := A; lost := rounded_quotient true (impossible rows * one) whole |}
          | None => None
          end
      | Private (n, d) delta, Points m =>
          match exp_bound false n d, exp_bound false (- n) d with
          | Some x, Some y =>
              if ((0 <? snd h) && (0 <=? m) && (0 <=? x) && (0 <=? y) && (n * snd h =? m * fst h * d))%Z then
                Some {| start := - m; lost := rounded_quotient true (fst delta * one) (snd delta);
                  masses := add_at 0%Z Z.add O (share_up delta x) (add_at 0%Z Z.add (Z.to_nat (2 * m)) (share_up delta y) []) |}
              else None
          | _, _ => None
          end
      | _, _ => None
      end
    else None
  end.

(** Σ a (1 − e^(ε − loss)): [p] and [w] are lower bounds of the first exponential and of what it falls by. *)
Fixpoint tail (w p : Z) (A : list Z) : Z :=
  match A with [] => 0 | a :: rest => a * (one - p) + tail w (rounded_quotient false (p * w) one) rest end%Z.

Definition upper (c : composition) (h : Z * Z) (cut : Z) (hints : list upper_hint) (epsilon delta : Z * Z) : bool :=
  let '(hn, hd) := h in let '(en, ed) := epsilon in let '(dn, dd) := delta in
  match composed (upper_times cut) upper_nothing (upper_step h) c hints with
  | None => false
  | Some X =>
      let skipped := Z.to_nat (en * hd / (hn * ed) + 1 - start X) in
      let first := (start X + Z.of_nat skipped)%Z in
      match exp_bound false (en * hd - first * hn * ed) (ed * hd), exp_bound false (- hn) hd with
      | Some p, Some w =>
          ((0 <? hn) && (0 <? hd) && (0 <? ed) && (0 <? dd) && (0 <=? p) && (0 <=? w)
           && ((Z.of_nat skipped =? 0) || ((first - 1) * hn * ed <=? en * hd)) && (en * hd <=? first * hn * ed)
           && ((lost X * one + tail w p (skipn skipped (masses X))) * dd <=? dn * (one * one)))%Z
      | _, _ => false
      end
  end.

Lemma share_up_is delta x y : (0 < snd delta)%Z -> ratio delta <= 1 -> (0 <= x)%Z -> IZR x <= scale * y ->
  (1 - ratio delta) * / (1 + y) <= IZR (share_up delta x) / scale.
Proof.
  destruct delta as [n d]. unfold ratio, share_up; simpl. intros Hd Hdelta Hx Hy. pose proof scale_pos as Hs. pose proof one_pos as Ho.
  pose proof (quotient_ordered true ((d - n) * (one * one)) (d * (one + x)) ltac:(nia)) as H. unfold ordered in H.
  rewrite !mult_IZR, plus_IZR, minus_IZR in H. change (IZR one) with scale in H. apply IZR_le in Hx. apply IZR_lt in Hd.
  apply (Rmult_le_reg_r scale); [assumption|]. unfold Rdiv at 2. rewrite (Rmult_assoc (IZR _)), Rinv_l, Rmult_1_r by lra.
  eapply Rle_trans; [|exact H]. assert (0 <= y) by (apply (Rmult_le_reg_l scale); lra).
  replace ((1 - IZR n / IZR d) * / (1 + y) * scale) with ((1 - IZR n / IZR d) * (scale * scale * / (scale + scale * y)))
    by (field; repeat split; nra).
  replace ((IZR d - IZR n) * (scale * scale) / (IZR d * (scale + IZR x)))
    with ((1 - IZR n / IZR d) * (scale * scale * / (scale + IZR x))) by (field; repeat split; nra).
  apply Rmult_le_compat_l; [lra|]. apply Rmult_le_compat_l; [nra|]. apply Rinv_le_contravar; lra.
Qed.

Lemma share_up_nonneg delta x : (0 < snd delta)%Z -> ratio delta <= 1 -> (0 <= x)%Z -> (0 <= share_up delta x)%Z.
Proof.
  destruct delta as [n d]. unfold ratio, share_up; simpl. intros Hd Hdelta Hx. pose proof one_pos as Ho.
  assert (n <= d)%Z.
  { apply le_IZR. apply IZR_lt in Hd. apply (Rmult_le_compat_r (IZR d)) in Hdelta; [|lra].
    unfold Rdiv in Hdelta. rewrite Rmult_assoc, Rinv_l in Hdelta; lra. }
  apply quotient_nonneg; [nia|]. apply Z.mul_nonneg_nonneg; nia.
Qed.

Lemma private_holds h m epsilon delta x y : (0 <= m)%Z -> (0 <= x)%Z -> (0 <= y)%Z -> (0 < snd delta)%Z ->
  well_formed (Private epsilon delta) = true -> ratio epsilon = IZR m * h ->
  IZR x <= scale * exp (ratio epsilon) -> IZR y <= scale * exp (- ratio epsilon) ->
  upper_holds h (pair (Private epsilon delta))
    {| start := - m; lost := rounded_quotient true (fst delta * one) (snd delta);
       masses := add_at 0%Z Z.add O (share_up delta x) (add_at 0%Z Z.add (Z.to_nat (2 * m)) (share_up delta y) []) |}.
Proof.
  intros Hm Hx Hy Hd Hwell Hloss HX HY. pose proof scale_pos as Hs. pose proof one_pos as Ho.
  split; [apply (pair_is_pair _ Hwell)|]. destruct (well_formed_private _ _ Hwell) as [_ [Hd0 Hd1]].
  assert (HA : nonneg (add_at 0%Z Z.add O (share_up delta x) (add_at 0%Z Z.add (Z.to_nat (2 * m)) (share_up delta y) [])))
    by (apply nonneg_add_at; [|apply nonneg_add_at; [|constructor]]; apply share_up_nonneg; assumption).
  assert (Hlost : ratio delta <= IZR (rounded_quotient true (fst delta * one) (snd delta)) / scale).
  { pose proof (quotient_ordered true (fst delta * one) (snd delta) Hd) as H. unfold ordered in H. rewrite mult_IZR in H.
    change (IZR one) with scale in H. apply IZR_lt in Hd. apply (Rmult_le_reg_r scale); [assumption|]. unfold Rdiv at 1.
    rewrite (Rmult_assoc (IZR (rounded_quotient _ _ _))), Rinv_l, Rmult_1_r by lra. unfold ratio, Rdiv in *. lra. }
  split; [assumption|]. split.
  { simpl. apply le_IZR. apply (Rmult_le_reg_r (/ scale)); [apply Rinv_0_lt_compat; assumption|]. unfold Rdiv in Hlost. lra. }
  intros a b Ha Hb. unfold told. rewrite excess_cons_apart, excess_dots by (assumption || (simpl; lra)).
  cbn [start masses lost].
  rewrite !value_add_at, Z2Nat.id by lia. simpl value. rewrite Z.add_0_r.
  replace (- m + 2 * m)%Z with m by ring.
  apply (share_up_is delta x) in HX; [|assumption|assumption|assumption].
  apply (share_up_is delta y) in HY; [|assumption|assumption|assumption].
  simpl pair. unfold leaky_response, excess. simpl total. set (t := exp (ratio epsilon)) in *.
  assert (Ht : 0 < t) by apply exp_pos. rewrite exp_Ropp in HY. fold t in HY.
  assert (Hlow : dot h a b (- m) = Rmax 0 (a - b * t)).
  { unfold dot. rewrite opp_IZR. replace (- (- IZR m * h)) with (ratio epsilon) by lra. reflexivity. }
  assert (Hhigh : dot h a b m = Rmax 0 (a - b * / t)).
  { unfold dot. rewrite <- Hloss, exp_Ropp. reflexivity. }
  rewrite Hlow, Hhigh. set (d := ratio delta) in *.
  assert (H1 : 0 < / (1 + t)) by (apply Rinv_0_lt_compat; lra).
  assert (H2 : 0 < / t) by (apply Rinv_0_lt_compat; lra).
  assert (H3 : 0 < / (1 + / t)) by (apply Rinv_0_lt_compat; lra).
  replace ((1 - d) * (t / (1 + t)), (1 - d) * (1 / (1 + t))) with ((1 - d) * / (1 + / t), (1 - d) * / (1 + / t) * / t)
    by (f_equal; field; lra).
  replace ((1 - d) * (1 / (1 + t)), (1 - d) * (t / (1 + t))) with ((1 - d) * / (1 + t), (1 - d) * / (1 + t) * t)
    by (f_equal; field; lra).
  rewrite !gain_of_mass by (apply Rmult_le_pos; lra).
  assert (gain a b (d, 0) = a * d) as ->.
  { unfold gain; simpl. pose proof (Rmult_le_pos _ _ Ha Hd0). rewrite Rmax_right; lra. }
  assert (gain a b (0, d) = 0) as ->.
  { unfold gain; simpl. pose proof (Rmult_le_pos _ _ Hb Hd0). apply Rmax_left; lra. }
  pose proof (Rmult_le_compat_l _ _ _ Ha Hlost).
  pose proof (Rmult_le_compat_r _ _ _ (Rmax_l 0 (a - b * t)) HX).
  pose proof (Rmult_le_compat_r _ _ _ (Rmax_l 0 (a - b * / t)) HY). unfold Rdiv in *. lra.
Qed.

Lemma pair_holds h whole rows s hints A : well_formed (Pair whole rows) = true ->
  place h whole s (possible rows) hints = Some A ->
  upper_holds (ratio h) (pair (Pair whole rows))
    {| start := s; masses := A; lost := rounded_quotient true (impossible rows * one) whole |}.
Proof.
  intros Hwell HA. destruct (pair_is_pair _ Hwell) as [HV _]. apply well_formed_pair in Hwell. pose proof Hwell as (Hw & Hrows & _).
  destruct (place_bounds _ _ _ Hw _ _ _ HA) as [HnA Hbound]. pose proof (impossible_nonneg _ Hrows) as Hi.
  assert (Hl : (0 <= rounded_quotient true (impossible rows * one) whole)%Z)
    by (apply quotient_nonneg; [assumption|]; pose proof one_pos; nia).
  split; [assumption|]. split; [assumption|]. split; [assumption|]. intros a b Ha Hb.
  rewrite excess_told, excess_possible by assumption. simpl. specialize (Hbound a b Ha Hb).
  enough (a * (IZR (impossible rows) / IZR whole) <= a * (IZR (rounded_quotient true (impossible rows * one) whole) / scale)) by lra.
  apply Rmult_le_compat_l; [assumption|].
  pose proof (quotient_ordered true (impossible rows * one) whole Hw) as H. unfold ordered in H. rewrite mult_IZR in H.
  change (IZR one) with scale in H. pose proof scale_pos as Hs. apply (Rmult_le_reg_r scale); [assumption|].
  unfold Rdiv at 2. rewrite (Rmult_assoc (IZR (rounded_quotient _ _ _))), Rinv_l, Rmult_1_r by lra. unfold Rdiv in *. lra.
Qed.

Lemma pair_covers m : well_formed m = true -> covers m (pair m).
Proof.
  intros Hm. split; [apply (pair_is_pair m Hm)|]. intros L. apply runs_dominated.
  destruct m as [|epsilon delta|]; [trivial| |discriminate]. apply well_formed_private. assumption.
Qed.

Lemma integral_of_cells h kind s low top parts' : fits h kind s low top = true ->
  let f := fun x => density kind (x + ratio s / 2) in let g := fun x => density kind (x - ratio s / 2) in
  let X := point (ratio h) kind (ratio s) in
  forall rest e c parts A, (low <= c)%Z -> (c + Z.of_nat (length rest) <= top)%Z ->
  hold_from (ratio h) kind (ratio s) c (e :: rest) ->
  place h one parts' (rows_between (e :: rest)) (numbered c parts) = Some A ->
  nonneg A /\ forall a b, 0 <= a -> 0 <= b ->
    integral f g a b (X (c + Z.of_nat (length rest))%Z) (X c) <= value (dot (ratio h) a b) parts' A / scale.
Proof.
  intros Hfits f g X. destruct (fits_positive _ _ _ _ _ Hfits) as [Hh Hs]. pose proof scale_pos as Hsc.
  assert (F_is : forall x, is_derive (left_of_p kind (ratio s)) x (f x)) by (intros; apply shifted_is).
  assert (G_is : forall x, is_derive (left_of_q kind (ratio s)) x (g x)) by (intros; apply shifted_is).
  assert (Cf : forall x, continuous f x) by (intros; apply shifted_continuous).
  assert (Cg : forall x, continuous g x) by (intros; apply shifted_continuous).
  induction rest as [|e' rest IH]; intros e c parts A Hlow Htop Hold.
  - destruct parts as [|part parts]; simpl; [|discriminate]. intros E. apply some_equal in E. subst A.
    split; [constructor|]. intros a b _ _. rewrite Z.add_0_r. unfold integral.
    rewrite (RInt_point (V := R_CompleteNormedModule)). unfold zero; simpl. unfold Rdiv. lra.
  - destruct parts as [|[u v] parts]; [discriminate|]. destruct Hold as [He Hold].
    change (length (e' :: rest)) with (S (length rest)) in *. rewrite Nat2Z.inj_succ in Htop. rewrite Nat2Z.inj_succ.
    change (rows_between (e :: e' :: rest))
      with ((snd (fst e) - fst (fst e'), fst (snd e) - snd (snd e'))%Z :: rows_between (e' :: rest)).
    change (numbered c ((u, v) :: parts)) with ((c, (u, v)) :: numbered (c + 1) parts). cbn [place].
    destruct (place h one parts' (rows_between (e' :: rest)) (numbered (c + 1) parts)) as [B|] eqn:HB; [|discriminate].
    destruct (IH e' (c + 1)%Z parts B ltac:(lia) ltac:(lia) Hold HB) as [HnB Hrest]. intros E.
    destruct (place_row_says _ _ _ _ _ _ _ _ _ _ one_pos E) as (HU & HV & HP & HQ & HA & Hvalue).
    split; [auto|]. intros a b Ha Hb. rewrite Hvalue. specialize (Hrest a b Ha Hb).
    replace (c + Z.succ (Z.of_nat (length rest)))%Z with (c + 1 + Z.of_nat (length rest))%Z by lia.
    rewrite (integral_split f g Cf Cg a b _ (X (c + 1)%Z)).
    enough (integral f g a b (X (c + 1)%Z) (X c)
      <= IZR u / scale * dot (ratio h) a b c + IZR v / scale * dot (ratio h) a b (c + 1)) by lra.
    destruct Hold as [He' _]. destruct He as [[He1 He2] [He3 He4]], He' as [[He5 He6] [He7 He8]]. fold X in He1, He2, He3, He4, He5, He6, He7, He8.
    change (IZR one) with scale in HP, HQ. rewrite minus_IZR in HP, HQ.
    assert (Hscaled : forall x y, x <= scale * y -> x / scale <= y).
    { intros x y Hxy. apply (Rmult_le_reg_l scale); [assumption|]. replace (scale * (x / scale)) with x by (field; lra). assumption. }
    assert (Hscaled' : forall x y, scale * y <= x -> y <= x / scale).
    { intros x y Hxy. apply (Rmult_le_reg_l scale); [assumption|]. replace (scale * (x / scale)) with x by (field; lra). assumption. }
    unfold dot. apply (cell_raises f g (left_of_p kind (ratio s)) (left_of_q kind (ratio s)) F_is G_is Cf Cg); try assumption.
    + intros; apply Rlt_le, density_positive.
    + apply Rlt_le, exp_pos.
    + apply exp_increasing. rewrite plus_IZR. lra.
    + apply point_decreasing; [assumption|assumption|lia].
    + intros z Hz. pose proof (fits_cell _ _ _ _ _ Hfits c z ltac:(lia) Hz) as Hloss.
      assert (Hg : g z = exp (- loss kind (ratio s) z) * f z).
      { unfold f, g. rewrite density_ratio, <- Rmult_assoc, <- exp_plus, Rplus_opp_l, exp_0. ring. }
      assert (Hmono : forall x y, x <= y -> exp x <= exp y).
      { intros x y [Hxy| ->]; [apply Rlt_le, exp_increasing; assumption|apply Rle_refl]. }
      rewrite Hg. split; (apply Rmult_le_compat_r; [apply Rlt_le, density_positive|]); apply Hmono; lra.
    + eapply Rle_trans; [|exact HP]. apply Hscaled'. lra.
    + eapply Rle_trans; [exact HQ|]. apply Hscaled. lra.
Qed.

Lemma hold_last h kind s : forall rest e c, hold_from h kind s c (e :: rest) ->
  edge_holds kind s (point h kind s (c + Z.of_nat (length rest))) (last rest e).
Proof.
  induction rest as [|e' rest IH]; intros e c [He Hold]; [rewrite Z.add_0_r; assumption|].
  replace (last (e' :: rest) e) with (last rest e').
  - change (length (e' :: rest)) with (S (length rest)). rewrite Nat2Z.inj_succ.
    replace (c + Z.succ (Z.of_nat (length rest)))%Z with (c + 1 + Z.of_nat (length rest))%Z by lia. apply IH. assumption.
  - clear. revert e e'. induction rest as [|e'' rest IH]; intros e e'; [reflexivity|].
    change (last (e'' :: rest) e' = last (e'' :: rest) e). rewrite <- !IH. reflexivity.
Qed.

(** A tail as P-mass at the greatest loss that it has. *)
Lemma tail_raises kind s a b x y l : 0 <= a -> 0 <= b -> x <= y -> (forall z, x < z < y -> loss kind s z <= l) ->
  integral (fun x => density kind (x + s / 2)) (fun x => density kind (x - s / 2)) a b x y
    <= (left_of_p kind s y - left_of_p kind s x) * Rmax 0 (a - b * exp (- l)).
Proof.
  intros Ha Hb Hxy Hloss. set (c := Rmax 0 (a - b * exp (- l))).
  assert (Hc : 0 <= c) by apply Rmax_l. assert (Hc' : a - b * exp (- l) <= c) by apply Rmax_r.
  rewrite Rmult_comm. rewrite <- (Rplus_0_r (c * _)).
  replace 0 with (0 * (left_of_q kind s y - left_of_q kind s x)) by ring.
  apply (integral_at_most _ _ (left_of_p kind s) (left_of_q kind s)); try (intros; apply shifted_is);
    try (intros; apply shifted_continuous); [assumption|].
  intros z Hz. specialize (Hloss z Hz). pose proof (density_positive kind (z + s / 2)) as Hp.
  assert (Hg : density kind (z - s / 2) = exp (- loss kind s z) * density kind (z + s / 2)).
  { rewrite density_ratio, <- Rmult_assoc, <- exp_plus, Rplus_opp_l, exp_0. ring. }
  assert (exp (- l) <= exp (- loss kind s z)).
  { destruct Hloss as [Hless| ->]; [apply Rlt_le, exp_increasing; lra|apply Rle_refl]. }
  assert (exp (- l) * density kind (z + s / 2) <= density kind (z - s / 2)) by (rewrite Hg; apply Rmult_le_compat_r; lra).
  pose proof (Rmult_le_compat_l _ _ _ Hb H0). pose proof (Rmult_le_compat_r _ _ _ (Rlt_le _ _ Hp) Hc').
  rewrite Rmult_0_l, Rplus_0_r. apply Rmax_lub; [apply Rmult_le_pos; lra|lra].
Qed.

Lemma upper_of_noise h kind s low parts X : upper_noise h kind s low parts = Some X ->
  exists D, covers (Noisy kind s) D /\ upper_holds (ratio h) D X.
Proof.
  unfold upper_noise. destruct (edges h kind s (length parts) low) as [[|e rest]|] eqn:Hedges; [discriminate| |discriminate].
  destruct (place h one low _ _) as [A|] eqn:HA; [|discriminate].
  destruct (_ && _) eqn:Hok; [|discriminate]. rewrite !andb_true_iff, !Z.leb_le in Hok.
  destruct Hok as [[Hfits Hright] Hleft]. intros E. apply some_equal in E.
  destruct (fits_positive _ _ _ _ _ Hfits) as [Hh Hs]. pose proof scale_pos as Hsc.
  assert (Hd : (0 < snd h)%Z /\ (0 < snd s)%Z)
    by (unfold fits in Hfits; rewrite !andb_true_iff, !Z.ltb_lt in Hfits; tauto). destruct Hd as [Hd Hd'].
  apply edges_hold in Hedges as [Hlength Hold]; try assumption. injection Hlength as Hlength.
  destruct (integral_of_cells h kind s low _ low Hfits rest e low parts A ltac:(lia) ltac:(lia) Hold HA) as [HnA Hcells].
  pose proof (hold_last _ _ _ _ _ _ Hold) as Hlast. destruct Hold as [He _]. rewrite Hlength in *.
  set (top := (low + Z.of_nat (length parts))%Z) in *. set (x := point (ratio h) kind (ratio s)) in *.
  set (f := fun x => density kind (x + ratio s / 2)) in *. set (g := fun x => density kind (x - ratio s / 2)) in *.
  assert (Cf : forall x, continuous f x) by (intros; apply shifted_continuous).
  assert (Cg : forall x, continuous g x) by (intros; apply shifted_continuous).
  assert (Hsane : nonneg (masses X) /\ (0 <= lost X)%Z).
  { subst X. destruct kind; cbn [masses lost]; (split; [|assumption || lia]); repeat apply nonneg_add_at; assumption. }
  destruct Hsane as [HnX HlX].
  exists (told (ratio h) X). split; [|split; [apply valid_told; assumption|repeat split; try assumption; intros a b _ _; apply Rle_refl]].
  split; [apply valid_told; assumption|]. intros L [_ [HL _]] e' He'. apply le_epsilon. intros eta Heta.
  destruct (HL e' eta He' Heta) as (T & HT & HLT). eapply Rle_trans; [exact HLT|]. apply Rplus_le_compat_r.
  replace (RInt _ (- T) T) with (integral f g 1 e' (- T) T)
    by (apply (RInt_ext (V := R_CompleteNormedModule)); intros; rewrite Rmult_1_l; reflexivity).
  set (T' := Rmax T (Rmax (- x top) (x low))).
  assert (HT' : T <= T' /\ - T' <= x top /\ x low <= T').
  { pose proof (Rmax_l T (Rmax (- x top) (x low))). pose proof (Rmax_r T (Rmax (- x top) (x low))).
    pose proof (Rmax_l (- x top) (x low)). pose proof (Rmax_r (- x top) (x low)). fold T' in H, H0. lra. }
  destruct HT' as (HT1 & HT2 & HT3).
  apply (Rle_trans _ (integral f g 1 e' (- T') T')).
  { rewrite (integral_split f g Cf Cg 1 e' (- T') (- T) T'), (integral_split f g Cf Cg 1 e' (- T) T T').
    pose proof (integral_nonneg f g Cf Cg 1 e' (- T') (- T) ltac:(lra)). pose proof (integral_nonneg f g Cf Cg 1 e' T T' ltac:(lra)). lra. }
  rewrite (integral_split f g Cf Cg 1 e' (- T') (x top) T'), (integral_split f g Cf Cg 1 e' (x top) (x low) T').
  specialize (Hcells 1 e' ltac:(lra) He').
  unfold hockey_stick. rewrite excess_told by (assumption || lra).
  assert (Hr : left_of_p kind (ratio s) T' - left_of_p kind (ratio s) (x low) <= IZR (one - fst (fst e)) / scale).
  { destruct He as [[He _] _]. pose proof (distribution_within kind (T' + ratio s / 2)) as Hin. rewrite minus_IZR. change (IZR one) with scale.
    fold x in He. apply (Rmult_le_reg_l scale); [assumption|].
    replace (scale * ((scale - IZR (fst (fst e))) / scale)) with (scale - IZR (fst (fst e))) by (field; lra).
    pose proof (Rmult_le_compat_l scale _ _ (Rlt_le _ _ Hsc) (proj2 Hin)). unfold left_of_p in *. lra. }
  assert (Hl : left_of_p kind (ratio s) (x top) - left_of_p kind (ratio s) (- T') <= IZR (snd (fst (last rest e))) / scale).
  { destruct Hlast as [[_ Hlast] _]. pose proof (distribution_within kind (- T' + ratio s / 2)) as Hin.
    fold x in Hlast. apply (Rmult_le_reg_l scale); [assumption|].
    replace (scale * (IZR (snd (fst (last rest e))) / scale)) with (IZR (snd (fst (last rest e)))) by (field; lra).
    pose proof (Rmult_le_compat_l scale _ _ (Rlt_le _ _ Hsc) (proj1 Hin)). unfold left_of_p in *. lra. }
  assert (Hright' : integral f g 1 e' (x low) T' <= IZR (one - fst (fst e)) / scale * dot (ratio h) 1 e' low).
  { eapply Rle_trans; [apply (tail_raises kind (ratio s) 1 e' (x low) T' (IZR low * ratio h)); try lra|].
    - intros z Hz. apply (fits_right _ _ _ _ _ _ Hfits). fold x. lra.
    - apply Rmult_le_compat_r; [apply dot_nonneg|assumption]. }
  subst X. destruct kind; cbn [masses lost start].
  - rewrite !value_add_at. rewrite Z.add_0_r.
    assert (Hleft' : integral f g 1 e' (- T') (x top) <= IZR (snd (fst (last rest e))) / scale * dot (ratio h) 1 e' top).
    { eapply Rle_trans; [apply (tail_raises Laplace (ratio s) 1 e' (- T') (x top) (IZR top * ratio h)); try lra|].
      - intros z Hz. apply (fits_left _ _ _ _ _ Hfits).
      - apply Rmult_le_compat_r; [apply dot_nonneg|assumption]. }
    fold top. unfold Rdiv in *. lra.
  - rewrite value_add_at, Z.add_0_r.
    assert (Hleft' : integral f g 1 e' (- T') (x top) <= IZR (snd (fst (last rest e))) / scale).
    { eapply Rle_trans; [apply (integral_at_most f g (left_of_p Gaussian (ratio s)) (left_of_q Gaussian (ratio s))) with (c := 1) (d := 0)|];
        try (intros; apply shifted_is); try assumption; try lra.
      intros z _. assert (0 <= f z) by (apply Rlt_le, density_positive).
      assert (0 <= e' * g z) by (apply Rmult_le_pos; [assumption|apply Rlt_le, density_positive]).
      apply Rmax_lub; lra. }
    unfold Rdiv in *. lra.
Qed.

Lemma upper_of_step h m hint X : upper_step h m hint = Some X -> exists D, covers m D /\ upper_holds (ratio h) D X.
Proof.
  intros E. assert (Hfinite : (exists kind s low parts, m = Noisy kind s /\ hint = Grid low parts) \/ well_formed m = true).
  { unfold upper_step in E. destruct m, hint; try (left; repeat eexists; fail);
      right; destruct (well_formed _) eqn:Hm; (reflexivity || discriminate). }
  destruct Hfinite as [(kind & s & low & parts & -> & ->)|Hm]; [apply upper_of_noise in E; assumption|].
  exists (pair m). split; [apply pair_covers; assumption|]. revert E. unfold upper_step. rewrite Hm.
  destruct m as [whole rows|[n d] delta|kind gap], hint as [s hints|i|low parts]; try discriminate.
  - destruct (place h whole s (possible rows) hints) as [A|] eqn:HA; [|discriminate].
    intros E. apply some_equal in E. subst X. apply (pair_holds _ _ _ _ hints); assumption.
  - destruct (exp_bound false n d) as [x|] eqn:Hx; [|discriminate].
    destruct (exp_bound false (- n) d) as [y|] eqn:Hy; [|discriminate].
    destruct (_ && _)%Z eqn:Hok; [|discriminate]. rewrite !andb_true_iff, Z.ltb_lt, !Z.leb_le, Z.eqb_eq in Hok.
    destruct Hok as [[[[Hh H1] H2] H3] H4]. intros E. apply some_equal in E. subst X.
    apply exp_bound_ordered in Hx, Hy. simpl in Hx, Hy.
    replace (IZR (- n) / IZR d) with (- ratio (n, d)) in Hy by (unfold ratio; simpl; rewrite opp_IZR; unfold Rdiv; ring).
    pose proof Hm as Hsense. destruct delta as [n' d']. simpl in Hsense. rewrite !andb_true_iff, !Z.ltb_lt, !Z.leb_le in Hsense.
    destruct Hsense as [[[[Hn Hd] _] Hd'] _]. apply private_holds; try assumption. apply IZR_lt in Hh, Hd.
    apply (f_equal IZR) in H4. rewrite !mult_IZR in H4. unfold ratio; simpl.
    apply (Rmult_eq_reg_r (IZR d * IZR (snd h))); [|apply Rgt_not_eq, Rmult_lt_0_compat; assumption].
    replace (IZR n / IZR d * (IZR d * IZR (snd h))) with (IZR n * IZR (snd h)) by (field; lra).
    rewrite H4. field. lra.
Qed.

Lemma value_skip f n : forall A s, (forall j, (j < s + Z.of_nat n)%Z -> f j = 0) ->
  value f s A = value f (s + Z.of_nat n) (skipn n A).
Proof.
  induction n as [|n IH]; intros A s H; [rewrite Z.add_0_r; reflexivity|].
  destruct A as [|a A]; [reflexivity|]. change (IZR a * f s + value f (s + 1) A = value f (s + Z.of_nat (S n)) (skipn n A)).
  rewrite H by lia. rewrite IH.
  - replace (s + 1 + Z.of_nat n)%Z with (s + Z.of_nat (S n))%Z by lia. lra.
  - intros j Hj. apply H. lia.
Qed.

Lemma tail_bounds h e w : 0 <= h -> (0 <= w)%Z -> IZR w <= scale * exp (- h) -> forall A j p, nonneg A -> (0 <= p)%Z ->
  IZR p <= scale * (e * exp (- (IZR j * h))) -> 0 <= e * exp (- (IZR j * h)) <= 1 ->
  value (dot h 1 e) j A * scale <= IZR (tail w p A).
Proof.
  intros Hh Hw Hw'. pose proof scale_pos as Hs. intros A. induction A as [|a A IH]; intros j p HA Hp Hp' Hone; simpl; [lra|].
  inversion HA as [|? ? Ha HA']; subst. rewrite plus_IZR, mult_IZR, minus_IZR. change (IZR one) with scale.
  assert (Hnext : e * exp (- (IZR (j + 1) * h)) = e * exp (- (IZR j * h)) * exp (- h)).
  { rewrite Rmult_assoc, <- exp_plus. do 2 f_equal. rewrite plus_IZR. ring. }
  assert (Hsmall : 0 < exp (- h) <= 1).
  { split; [apply exp_pos|]. rewrite <- exp_0. destruct Hh as [Hh|<-]; [|rewrite Ropp_0; lra].
    apply Rlt_le, exp_increasing. lra. }
  apply IZR_le in Ha. set (x := e * exp (- (IZR j * h))) in *.
  assert (Hdot : dot h 1 e j = 1 - x) by (unfold dot; fold x; apply Rmax_right; lra).
  assert (Hrest : value (dot h 1 e) (j + 1) A * scale <= IZR (tail w (rounded_quotient false (p * w) one) A)).
  { apply IH; [assumption| | |].
    - apply quotient_nonneg; [apply one_pos|]. apply Z.mul_nonneg_nonneg; assumption.
    - pose proof (quotient_ordered false (p * w) one one_pos) as H. unfold ordered in H. rewrite mult_IZR in H.
      change (IZR one) with scale in H. eapply Rle_trans; [exact H|]. rewrite Hnext.
      apply (Rmult_le_reg_r scale); [assumption|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
      apply IZR_le in Hp, Hw. pose proof (Rmult_le_compat _ _ _ _ Hp Hw Hp' Hw'). lra.
    - rewrite Hnext. nra. }
  rewrite Hdot. pose proof (Rmult_le_compat_l _ _ _ Ha Hp'). lra.
Qed.

Theorem upper_sound c h cut hints epsilon delta : upper c h cut hints epsilon delta = true ->
  remove_claim c (ratio epsilon) (ratio delta).
Proof.
  destruct h as [hn hd], epsilon as [en ed], delta as [dn dd]. unfold upper.
  destruct (composed (upper_times cut) upper_nothing (upper_step (hn, hd)) c hints) as [X|] eqn:HX; [|discriminate].
  set (skipped := Z.to_nat _). set (first := (start X + Z.of_nat skipped)%Z). cbv zeta.
  destruct (exp_bound false (en * hd - first * hn * ed) (ed * hd)) as [p|] eqn:Hp; [|discriminate].
  destruct (exp_bound false (- hn) hd) as [w|] eqn:Hw; [|discriminate].
  rewrite !andb_true_iff, orb_true_iff, !Z.ltb_lt, !Z.leb_le, Z.eqb_eq.
  intros [[[[[[[[Hhn Hhd] Hed] Hdd] Hp0] Hw0] Hbefore] Hfirst] Hdelta].
  apply exp_bound_ordered in Hp, Hw. simpl in Hp, Hw.
  set (h := ratio (hn, hd)) in *. set (e := exp (ratio (en, ed))).
  pose proof (IZR_lt _ _ Hhn) as Hhn'. pose proof (IZR_lt _ _ Hhd) as Hhd'. pose proof (IZR_lt _ _ Hed) as Hed'.
  pose proof (IZR_lt _ _ Hdd) as Hdd'. pose proof scale_pos as Hs. assert (He : 0 < e) by apply exp_pos.
  assert (Hh : 0 < h) by (apply Rmult_lt_0_compat; [|apply Rinv_0_lt_compat]; assumption).
  apply (composed_holds _ _ _ covers (upper_holds h)) in HX;
    [|intros; apply upper_product; auto; lra|apply upper_of_nothing|apply upper_of_step].
  destruct HX as (Ds & Hcovers & VD & HA & Hl & HD). apply (claim_from_above _ Ds); [assumption|].
  assert (Hcommon : 0 < IZR ed * IZR hd) by (apply Rmult_lt_0_compat; assumption).
  assert (Heps : ratio (en, ed) * (IZR ed * IZR hd) = IZR (en * hd)) by (unfold ratio; simpl; rewrite mult_IZR; field; lra).
  assert (Hat : forall j, IZR j * h * (IZR ed * IZR hd) = IZR (j * hn * ed))
    by (intros j; unfold h, ratio; simpl; rewrite !mult_IZR; field; lra).
  assert (Hexp : forall j, e * exp (- (IZR j * h)) = exp (ratio (en, ed) - IZR j * h))
    by (intros j; unfold e; rewrite <- exp_plus; f_equal; ring).
  assert (Hskip : value (dot h 1 e) (start X) (masses X) = value (dot h 1 e) first (skipn skipped (masses X))).
  { destruct Hbefore as [Hnone|Hbefore].
    - unfold first. destruct skipped; [rewrite Z.add_0_r; reflexivity|discriminate].
    - apply value_skip. intros j Hj. apply Rmax_left. rewrite Hexp.
      assert (0 <= ratio (en, ed) - IZR j * h).
      { apply (Rmult_le_reg_r (IZR ed * IZR hd)); [assumption|]. rewrite Rmult_0_l, Rmult_minus_distr_r, Heps, Hat.
        rewrite <- minus_IZR. apply IZR_le. assert (j * (hn * ed) <= (first - 1) * (hn * ed))%Z; [|lia].
        apply Z.mul_le_mono_nonneg_r; [apply Z.mul_nonneg_nonneg; lia|]. fold first in Hj. lia. }
      pose proof (exp_ineq1_le (ratio (en, ed) - IZR j * h)). lra. }
  assert (Htail : value (dot h 1 e) first (skipn skipped (masses X)) * scale <= IZR (tail w p (skipn skipped (masses X)))).
  { apply (tail_bounds h e w); try assumption; [lra| | | |].
    - replace (- h) with (IZR (- hn) / IZR hd); [assumption|]. unfold h, ratio; simpl. rewrite opp_IZR. unfold Rdiv. ring.
    - clear -HA. revert HA. generalize (masses X). induction skipped as [|n IH]; intros A HA; [assumption|].
      destruct HA; [constructor|]. apply IH. assumption.
    - rewrite Hexp. replace (ratio (en, ed) - IZR first * h) with (IZR (en * hd - first * hn * ed) / IZR (ed * hd));
        [assumption|].
      apply (Rmult_eq_reg_r (IZR ed * IZR hd)); [|lra]. rewrite Rmult_minus_distr_r, Heps, Hat, minus_IZR, (mult_IZR ed).
      field. lra.
    - rewrite Hexp. split; [apply Rlt_le, exp_pos|]. rewrite <- exp_0.
      assert (ratio (en, ed) - IZR first * h <= 0).
      { apply (Rmult_le_reg_r (IZR ed * IZR hd)); [assumption|]. rewrite Rmult_0_l, Rmult_minus_distr_r, Heps, Hat.
        rewrite <- minus_IZR. apply IZR_le. lia. }
      destruct (Rle_lt_or_eq_dec _ _ H) as [Hless| ->]; [apply Rlt_le, exp_increasing; assumption|apply Rle_refl]. }
  change (exp (ratio (en, ed))) with e. unfold hockey_stick. eapply Rle_trans; [apply HD; lra|].
  rewrite excess_told, Hskip by (assumption || lra).
  apply IZR_le in Hdelta. rewrite !mult_IZR, plus_IZR, mult_IZR in Hdelta. change (IZR one) with scale in Hdelta.
  set (T := IZR (tail _ _ _)) in *. clear Hskip. set (V := value _ _ _) in *. unfold ratio; simpl.
  apply (Rmult_le_reg_r (scale * scale * IZR dd)); [repeat apply Rmult_lt_0_compat; lra|].
  replace (IZR dn / IZR dd * (scale * scale * IZR dd)) with (IZR dn * (scale * scale)) by (field; lra).
  replace ((1 * (IZR (lost X) / scale) + V / scale) * (scale * scale * IZR dd))
    with ((IZR (lost X) * scale + V * scale) * IZR dd) by (field; lra).
  eapply Rle_trans; [|exact Hdelta]. apply Rmult_le_compat_r; lra.
Qed.
