(** P-masses at multiples of a loss h: what the upper check computes with. Each outcome becomes such masses that tell
    more than it does, by lemma U: their sum is no less than its P-mass, and their Q-masses, e^(-loss) each, sum to no
    more than its Q-mass. Then a composition is a product of polynomials, rounded up: [upper_product]; masses of no
    more than [cut] in all go from its lower end to the next loss, and from its upper end to +∞: [upper_trimmed]. *)

Require Import Reals ZArith List Bool Lra Lia.
From Kernel Require Import Experiments Composition Cells Rounding Mechanisms Polynomials Products Powers.
Import ListNotations.
Open Scope R_scope.

(** What a P-mass of 1 at the loss jh adds to the divergence. *)
Definition dot (h a b : R) (j : Z) : R := Rmax 0 (a - b * exp (- (IZR j * h))).

(** Masses at losses from [start] on, in units of h and of 1/[one], and the P-mass at +∞. *)
Record upper_bound := { start : Z; masses : list Z; lost : Z }.

Definition round_up (A : list Z) : list Z := map (fun x => rounded_quotient true x one) A.

Fixpoint raise_low (cut acc s : Z) (A : list Z) : Z * list Z :=
  match A with
  | [] => (s, [acc])
  | m :: rest => if (acc + m <=? cut)%Z then raise_low cut (acc + m) (s + 1) rest else (s, (acc + m)%Z :: rest)
  end.

Fixpoint lose_top (cut : Z) (A : list Z) : Z * list Z :=
  match A with
  | [] => (0%Z, [])
  | m :: rest =>
      match lose_top cut rest with
      | (t, []) => if (t + m <=? cut)%Z then ((t + m)%Z, []) else (t, [m])
      | (t, A') => (t, m :: A')
      end
  end.

Definition trim (cut : Z) (X : upper_bound) : upper_bound :=
  let '(t, A) := lose_top cut (masses X) in
  let '(s, B) := raise_low cut 0 (start X) A in {| start := s; masses := B; lost := lost X + t |}.

Definition upper_times (cut : Z) (X Y : upper_bound) : upper_bound :=
  trim cut {| start := start X + start Y;
    masses := round_up (fast_times (masses X) (masses Y));
    lost := rounded_quotient true (lost X * (lost Y + sum (masses Y)) + lost Y * sum (masses X)) one |}.

Definition upper_nothing : upper_bound := {| start := 0; masses := [one]; lost := 0 |}.

Definition place_row (h : Z * Z) (whole s : Z) (row : Z * Z) (hint : Z * (Z * Z)) (A : list Z) : option (list Z) :=
  let '(p, q) := row in
  let '(c, (u, v)) := hint in
  match exp_bound true (- (c * fst h)) (snd h), exp_bound true (- ((c + 1) * fst h)) (snd h) with
  | Some x, Some y =>
      if ((s <=? c) && (0 <=? u) && (0 <=? v) && (p * one <=? (u + v) * whole)
          && ((u * x + v * y) * whole <=? q * one * one))%Z
      then Some (add_at 0%Z Z.add (Z.to_nat (c - s)) u (add_at 0%Z Z.add (Z.to_nat (c + 1 - s)) v A))
      else None
  | _, _ => None
  end.

Fixpoint place (h : Z * Z) (whole s : Z) (rows : list (Z * Z)) (hints : list (Z * (Z * Z))) : option (list Z) :=
  match rows, hints with
  | [], [] => Some []
  | row :: rows', hint :: hints' =>
      match place h whole s rows' hints' with Some A => place_row h whole s row hint A | None => None end
  | _, _ => None
  end.

(** What such masses bound. *)
Definition bounds (h : R) (F : experiment) (s : Z) (A : list Z) : Prop :=
  nonneg A /\ forall a b, 0 <= a -> 0 <= b -> excess a b F <= value (dot h a b) s A / scale.

(** Masses at losses as an experiment, and with what is at +∞. *)
Fixpoint dots (h : R) (s : Z) (A : list Z) : experiment :=
  match A with
  | [] => []
  | m :: rest => (IZR m / scale, IZR m / scale * exp (- (IZR s * h))) :: dots h (s + 1) rest
  end.

Definition told (h : R) (X : upper_bound) : experiment := (IZR (lost X) / scale, 0) :: dots h (start X) (masses X).

Definition upper_holds (h : R) (D : experiment) (X : upper_bound) : Prop :=
  valid D /\ nonneg (masses X) /\ (0 <= lost X)%Z /\ below D (told h X).

Lemma dot_nonneg h a b j : 0 <= dot h a b j.
Proof. apply Rmax_l. Qed.

(** Lemma U: masses m_j at losses tell more than an outcome (p, q) if p ≤ Σ m_j and Σ m_j e^(-loss) ≤ q. *)
Lemma dots_raise a b o u v x y : 0 <= a -> 0 <= b -> 0 <= u -> 0 <= v -> fst o <= u + v -> u * x + v * y <= snd o ->
  gain a b o <= u * Rmax 0 (a - b * x) + v * Rmax 0 (a - b * y).
Proof.
  intros Ha Hb Hu Hv HP HQ. apply gain_at_most.
  - apply Rplus_le_le_0_compat; apply Rmult_le_pos; try assumption; apply Rmax_l.
  - pose proof (Rmult_le_compat_l _ _ _ Hu (Rmax_r 0 (a - b * x))).
    pose proof (Rmult_le_compat_l _ _ _ Hv (Rmax_r 0 (a - b * y))).
    pose proof (Rmult_le_compat_l _ _ _ Ha HP). pose proof (Rmult_le_compat_l _ _ _ Hb HQ). lra.
Qed.

Lemma value_round_up f : forall A s, nonneg A -> (forall j, 0 <= f j) -> value f s A / scale <= value f s (round_up A).
Proof.
  intros A s HA Hf. pose proof scale_pos as Hs. revert s.
  induction HA as [|x A Hx HA IH]; intros s; simpl; [unfold Rdiv; lra|].
  pose proof (quotient_ordered true x one one_pos) as H. unfold ordered in H. change (IZR one) with scale in H.
  specialize (IH (s + 1)%Z). pose proof (Rmult_le_compat_r _ _ _ (Hf s) H). unfold Rdiv in *. lra.
Qed.

Lemma nonneg_round_up A : nonneg A -> nonneg (round_up A).
Proof.
  induction 1 as [|x A Hx HA IH]; [constructor|].
  simpl. constructor; [apply quotient_nonneg; [apply one_pos|assumption]|assumption].
Qed.

Lemma total_value (f : Z -> R * R -> R) B t L :
  total (fun o => value (fun j => f j o) t B) L = value (fun j => total (f j) L) t B.
Proof.
  revert t. induction B as [|c B IH]; intros t; simpl.
  - induction L; simpl; lra.
  - rewrite <- IH, <- total_scale, <- total_plus. reflexivity.
Qed.

Lemma value_divided f x : forall A s, value (fun j => f j / x) s A = value f s A / x.
Proof. unfold Rdiv. induction A as [|c A IH]; intros s; simpl; [|rewrite IH]; lra. Qed.

(** Products of bounds are bounds: seen from one factor, the other one only changes the weights. *)
Lemma bounds_product h F s A G t B : valid F -> bounds h F s A -> valid G -> bounds h G t B ->
  bounds h (product F G) (s + t) (round_up (times 0%Z Z.add Z.mul A B)).
Proof.
  intros VF [HA HF] VG [HB HG]. pose proof scale_pos as Hs. pose proof (nonneg_times A B HA HB) as HAB.
  split; [apply nonneg_round_up; assumption|]. intros a b Ha Hb.
  apply (Rle_trans _ (value (dot h a b) (s + t) (times 0%Z Z.add Z.mul A B) / scale / scale)).
  2: { apply Rmult_le_compat_r; [apply Rlt_le, Rinv_0_lt_compat; assumption|].
       apply value_round_up; [assumption|]. intros; apply dot_nonneg. }
  rewrite value_times, excess_product_comm, excess_product.
  apply (Rle_trans _ (total (fun o => value (fun i => dot h (a * fst o) (b * snd o) i / scale) s A) G)).
  { apply total_le. intros o Ho. rewrite value_divided. unfold valid in VG. rewrite Forall_forall in VG.
    destruct (VG o Ho). apply HF; apply Rmult_le_pos; assumption. }
  rewrite (total_value (fun i o => dot h (a * fst o) (b * snd o) i / scale)), <- !value_divided.
  apply value_le; [assumption|]. intros i.
  rewrite (total_ext _ (fun o => / scale * gain a (b * exp (- (IZR i * h))) o)).
  2: { intros o _. unfold dot, gain, Rdiv. rewrite Rmult_comm. do 2 f_equal. ring. }
  rewrite total_scale. rewrite Rmult_comm.
  apply Rmult_le_compat_r; [apply Rlt_le, Rinv_0_lt_compat; assumption|].
  eapply Rle_trans; [apply HG; [assumption|apply Rmult_le_pos; [assumption|apply Rlt_le, exp_pos]]|].
  rewrite Z.add_comm, value_shift.
  apply Req_le. unfold Rdiv. f_equal. apply value_ext. intros j. unfold dot. f_equal.
  rewrite Rmult_assoc, <- exp_plus. do 3 f_equal. rewrite plus_IZR. ring.
Qed.

Lemma gain_of_mass a b w x : 0 <= w -> gain a b (w, w * x) = w * Rmax 0 (a - b * x).
Proof.
  intros Hw. unfold gain; simpl. rewrite <- RmaxRmult by assumption. f_equal; ring.
Qed.

Lemma mass_nonneg m : (0 <= m)%Z -> 0 <= IZR m / scale.
Proof.
  intros Hm. pose proof scale_pos. apply Rmult_le_pos; [apply IZR_le; assumption|].
  apply Rlt_le, Rinv_0_lt_compat; assumption.
Qed.

Lemma excess_dots h a b : forall A s, nonneg A -> excess a b (dots h s A) = value (dot h a b) s A / scale.
Proof.
  intros A s HA. revert s. unfold excess. induction HA as [|m A Hm HA IH]; intros s; simpl; [unfold Rdiv; lra|].
  rewrite IH, gain_of_mass by (apply mass_nonneg; assumption). unfold dot, Rdiv. lra.
Qed.

Lemma valid_dots h : forall A s, nonneg A -> valid (dots h s A).
Proof.
  intros A s HA. revert s. induction HA as [|m A Hm HA IH]; intros s; simpl; constructor; [|apply IH]. simpl.
  pose proof (mass_nonneg m Hm). split; [assumption|]. apply Rmult_le_pos; [assumption|apply Rlt_le, exp_pos].
Qed.

Lemma total_dots h : forall A s, total fst (dots h s A) = IZR (sum A) / scale.
Proof. induction A as [|m A IH]; intros s; simpl; [unfold Rdiv; lra|]. rewrite IH, plus_IZR. unfold Rdiv. lra. Qed.

Lemma valid_told h X : nonneg (masses X) -> (0 <= lost X)%Z -> valid (told h X).
Proof. intros HA Hl. constructor; [simpl; split; [apply mass_nonneg; assumption|lra]|apply valid_dots; assumption]. Qed.

Lemma excess_told h a b X : 0 <= a -> nonneg (masses X) -> (0 <= lost X)%Z ->
  excess a b (told h X) = a * (IZR (lost X) / scale) + value (dot h a b) (start X) (masses X) / scale.
Proof. intros Ha HA Hl. unfold told. rewrite excess_cons_apart, excess_dots; auto. apply mass_nonneg; assumption. Qed.

Lemma dot_increasing h a b j : 0 <= h -> 0 <= b -> dot h a b j <= dot h a b (j + 1).
Proof.
  intros Hh Hb. unfold dot. apply Rmax_lub; [apply Rmax_l|]. eapply Rle_trans; [|apply Rmax_r].
  assert (exp (- (IZR (j + 1) * h)) <= exp (- (IZR j * h))).
  { rewrite plus_IZR. destruct Hh as [Hh|<-]; [apply Rlt_le, exp_increasing; lra|]. rewrite !Rmult_0_r. lra. }
  pose proof (Rmult_le_compat_l _ _ _ Hb H). lra.
Qed.

Lemma dot_at_most h a b j : 0 <= a -> 0 <= b -> dot h a b j <= a.
Proof.
  intros Ha Hb. apply Rmax_lub; [assumption|]. pose proof (exp_pos (- (IZR j * h))).
  assert (0 <= b * exp (- (IZR j * h))) by (apply Rmult_le_pos; lra). lra.
Qed.

Lemma raise_low_raises f cut : (forall j, f j <= f (j + 1)%Z) -> forall A acc s t B, (0 <= acc)%Z -> nonneg A ->
  raise_low cut acc s A = (t, B) -> nonneg B /\ IZR acc * f s + value f s A <= value f t B.
Proof.
  intros Hf. induction A as [|m A IH]; intros acc s t B Hacc HA; simpl.
  - intros [= <- <-]. split; [repeat constructor; assumption|simpl; lra].
  - inversion HA as [|? ? Hm HA']; subst. destruct (acc + m <=? cut)%Z.
    + intros E. apply IH in E as [HB E]; [|lia|assumption]. split; [assumption|]. rewrite plus_IZR in E.
      apply IZR_le in Hacc, Hm. assert (0 <= IZR acc + IZR m) by lra.
      pose proof (Rmult_le_compat_l _ _ _ H (Hf s)). lra.
    + intros [= <- <-]. split; [constructor; [lia|assumption]|]. simpl. rewrite plus_IZR. lra.
Qed.

Lemma lose_top_raises f a cut : (forall j, f j <= a) -> forall A s t B, nonneg A -> lose_top cut A = (t, B) ->
  nonneg B /\ (0 <= t)%Z /\ value f s A <= a * IZR t + value f s B.
Proof.
  intros Hf. induction A as [|m A IH]; intros s t B HA; simpl.
  - intros [= <- <-]. split; [constructor|]. split; [apply Z.le_refl|simpl; lra].
  - inversion HA as [|? ? Hm HA']; subst. destruct (lose_top cut A) as [t' B'] eqn:E.
    destruct (IH (s + 1)%Z t' B' HA' eq_refl) as (HB & Ht & H). pose proof (IZR_le _ _ Hm) as Hm'.
    pose proof (Rmult_le_compat_l _ _ _ Hm' (Hf s)). destruct B' as [|m' B']; [destruct (t' + m <=? cut)%Z|].
    + intros [= <- <-]. repeat split; [constructor|lia|]. rewrite plus_IZR. simpl in *. lra.
    + intros [= <- <-]. repeat split; [constructor; assumption|assumption|]. simpl in *. lra.
    + intros [= <- <-]. repeat split; [constructor; assumption|assumption|]. simpl in *. lra.
Qed.

Lemma upper_trimmed h cut D X : 0 <= h -> upper_holds h D X -> upper_holds h D (trim cut X).
Proof.
  intros Hh (VD & HA & Hl & HD). unfold trim.
  destruct (lose_top cut (masses X)) as [t A] eqn:HT. destruct (raise_low cut 0 (start X) A) as [s B] eqn:HR.
  destruct (lose_top_raises (fun _ => 0) 0 cut (fun _ => Rle_refl 0) _ 0%Z _ _ HA HT) as (HnA & Ht & _).
  destruct (raise_low_raises (fun _ => 0) cut (fun _ => Rle_refl 0) _ _ _ _ _ (Z.le_refl 0) HnA HR) as [HnB _].
  split; [assumption|]. split; [assumption|]. split; [simpl; lia|]. intros a b Ha Hb.
  eapply Rle_trans; [apply HD; assumption|]. rewrite !excess_told by (simpl; assumption || lia). simpl.
  destruct (lose_top_raises (dot h a b) a cut ltac:(intros; apply dot_at_most; assumption) _ (start X) _ _ HA HT)
    as (_ & _ & H1).
  destruct (raise_low_raises (dot h a b) cut ltac:(intros; apply dot_increasing; assumption) _ _ _ _ _ (Z.le_refl 0) HnA HR)
    as (_ & H2).
  rewrite plus_IZR. pose proof scale_pos as Hs. assert (Hi : 0 < / scale) by (apply Rinv_0_lt_compat; assumption).
  assert (H3 : value (dot h a b) (start X) (masses X) <= a * IZR t + value (dot h a b) s B) by lra.
  apply (Rmult_le_compat_r (/ scale)) in H3; [|lra]. unfold Rdiv in *. lra.
Qed.

Lemma upper_product h cut D E X Y : 0 <= h -> upper_holds h D X -> upper_holds h E Y ->
  upper_holds h (product D E) (upper_times cut X Y).
Proof.
  intros Hh (VD & HA & Hl & HD) (VE & HB & Hm & HE). apply upper_trimmed; [assumption|].
  rewrite fast_times_is by assumption.
  pose proof scale_pos as Hs. assert (Hi : 0 < / scale) by (apply Rinv_0_lt_compat; assumption).
  destruct (bounds_product h (dots h (start X) (masses X)) (start X) (masses X) (dots h (start Y) (masses Y)) (start Y) (masses Y))
    as [HAB Hproduct]; try (apply valid_dots; assumption);
    try (split; [assumption|intros; rewrite excess_dots by assumption; lra]).
  split; [apply valid_product; assumption|]. split; [assumption|].
  pose proof (sum_nonneg _ HA). pose proof (sum_nonneg _ HB). split.
  { apply quotient_nonneg; [apply one_pos|]. apply Z.add_nonneg_nonneg; apply Z.mul_nonneg_nonneg; lia. }
  apply (below_trans _ (product (told h X) (told h Y))).
  { apply below_products; try assumption. apply valid_told; assumption. }
  intros a b Ha Hb. unfold told at 1 2. pose proof (mass_nonneg _ Hl). pose proof (mass_nonneg _ Hm).
  rewrite excess_apart, !total_dots by (assumption || (apply valid_dots; assumption)).
  unfold told. rewrite excess_cons_apart; [|assumption|].
  2: { apply mass_nonneg. apply quotient_nonneg; [apply one_pos|]. apply Z.add_nonneg_nonneg; apply Z.mul_nonneg_nonneg; lia. }
  rewrite excess_dots by assumption. simpl.
  apply Rplus_le_compat; [|apply Hproduct; assumption]. apply Rmult_le_compat_l; [assumption|].
  pose proof (quotient_ordered true (lost X * (lost Y + sum (masses Y)) + lost Y * sum (masses X)) one one_pos) as H3.
  unfold ordered in H3. change (IZR one) with scale in H3. rewrite plus_IZR, !mult_IZR, plus_IZR in H3.
  apply (Rmult_le_compat_r (/ scale)) in H3; [|lra]. unfold Rdiv in *. lra.
Qed.

Lemma upper_of_nothing h : upper_holds h [(1, 1)] upper_nothing.
Proof.
  pose proof scale_pos as Hs. pose proof one_pos as Ho.
  assert (HA : nonneg [one]) by (repeat constructor; lia).
  split; [repeat constructor; simpl; lra|]. split; [assumption|]. split; [simpl; lia|]. intros a b Ha Hb.
  rewrite excess_told by (assumption || (simpl; lia)). simpl. change (IZR one) with scale. unfold excess, gain, dot; simpl.
  replace (- (0 * h)) with 0 by ring. rewrite exp_0, !Rmult_1_r, !Rplus_0_r. apply Req_le. field. lra.
Qed.

Lemma place_row_says h whole s p q c u v A B : (0 < whole)%Z -> place_row h whole s (p, q) (c, (u, v)) A = Some B ->
  let U := IZR u / scale in let V := IZR v / scale in
  0 <= U /\ 0 <= V /\ IZR p / IZR whole <= U + V /\
  U * exp (- (IZR c * ratio h)) + V * exp (- (IZR (c + 1) * ratio h)) <= IZR q / IZR whole /\
  (nonneg A -> nonneg B) /\ forall f, value f s B / scale = U * f c + V * f (c + 1)%Z + value f s A / scale.
Proof.
  destruct h as [hn hd]. unfold place_row. simpl fst; simpl snd. intros Hw.
  destruct (exp_bound true (- (c * hn)) hd) as [x|] eqn:Hx; [|discriminate].
  destruct (exp_bound true (- ((c + 1) * hn)) hd) as [y|] eqn:Hy; [|discriminate].
  destruct (_ && _)%Z eqn:Hok; [|discriminate]. rewrite !andb_true_iff, !Z.leb_le in Hok.
  destruct Hok as [[[[Hc Hu] Hv] HP] HQ]. intros E. apply some_equal in E. subst B. set (U := IZR u / scale). set (V := IZR v / scale).
  apply exp_bound_ordered in Hx, Hy. simpl in Hx, Hy. pose proof scale_pos as Hs.
  assert (Hloss : forall j, - (IZR j * ratio (hn, hd)) = IZR (- (j * hn)) / IZR hd).
  { intros j. unfold ratio; simpl. rewrite opp_IZR, mult_IZR. unfold Rdiv. ring. }
  assert (HU : 0 <= U) by (apply mass_nonneg; assumption). assert (HV : 0 <= V) by (apply mass_nonneg; assumption).
  split; [assumption|]. split; [assumption|].
  apply IZR_lt in Hw. apply IZR_le in HP, HQ. rewrite !mult_IZR, plus_IZR in HP. rewrite !mult_IZR, plus_IZR, !mult_IZR in HQ.
  change (IZR one) with scale in *. pose proof (IZR_le _ _ Hu) as Hu'. pose proof (IZR_le _ _ Hv) as Hv'.
  split; [|split; [|split]].
  - apply (Rmult_le_reg_r (scale * IZR whole)); [apply Rmult_lt_0_compat; assumption|]. unfold U, V.
    replace (IZR p / IZR whole * (scale * IZR whole)) with (IZR p * scale) by (field; lra).
    replace ((IZR u / scale + IZR v / scale) * (scale * IZR whole)) with ((IZR u + IZR v) * IZR whole) by (field; lra).
    assumption.
  - rewrite !Hloss. unfold U, V.
    apply (Rmult_le_reg_r (scale * scale * IZR whole)); [repeat apply Rmult_lt_0_compat; lra|].
    replace (IZR q / IZR whole * (scale * scale * IZR whole)) with (IZR q * scale * scale) by (field; lra).
    eapply Rle_trans; [|exact HQ].
    set (X := exp (IZR (- (c * hn)) / IZR hd)) in *. set (Y := exp (IZR (- ((c + 1) * hn)) / IZR hd)) in *.
    replace ((IZR u / scale * X + IZR v / scale * Y) * (scale * scale * IZR whole))
      with ((IZR u * (scale * X) + IZR v * (scale * Y)) * IZR whole) by (field; lra).
    apply Rmult_le_compat_r; [lra|]. apply Rplus_le_compat; apply Rmult_le_compat_l; assumption.
  - intros HA. apply nonneg_add_at; [assumption|]. apply nonneg_add_at; assumption.
  - intros f. rewrite !value_add_at, !Z2Nat.id by lia.
    replace (s + (c - s))%Z with c by ring. replace (s + (c + 1 - s))%Z with (c + 1)%Z by ring. unfold U, V, Rdiv. ring.
Qed.

Lemma place_row_bounds h whole s row hint A B F : (0 < whole)%Z ->
  place_row h whole s row hint A = Some B -> bounds (ratio h) F s A -> bounds (ratio h) (outcome whole row :: F) s B.
Proof.
  destruct row as [p q], hint as [c [u v]]. intros Hw E [HA HF].
  destruct (place_row_says _ _ _ _ _ _ _ _ _ _ Hw E) as (HU & HV & HP & HQ & HB & Hvalue).
  split; [auto|]. intros a b Ha Hb. rewrite Hvalue. specialize (HF a b Ha Hb).
  change (excess a b (outcome whole (p, q) :: F)) with (gain a b (outcome whole (p, q)) + excess a b F).
  apply Rplus_le_compat; [|assumption]. unfold dot. apply dots_raise; assumption.
Qed.

Lemma place_bounds h whole s : (0 < whole)%Z -> forall rows hints A,
  place h whole s rows hints = Some A -> bounds (ratio h) (map (outcome whole) rows) s A.
Proof.
  intros Hw. induction rows as [|row rows IH]; intros [|hint hints] A; simpl; try discriminate.
  - intros E. apply some_equal in E. subst A. split; [constructor|]. intros a b _ _. unfold excess; simpl. unfold Rdiv. lra.
  - destruct (place h whole s rows hints) as [B|] eqn:HB; [|discriminate]. intros E.
    apply (place_row_bounds h whole s row hint B); [assumption|assumption|]. apply (IH hints). assumption.
Qed.

