(** What the two checks share.

    Outcomes that are impossible under Q are set apart: [reduced]. A bound of each step becomes one of the whole
    composition, by products and powers: [composed_holds]. The given pairs, run one after the other, are an adaptive
    composition themselves: [independent], so what is proved of their product refutes a claim. *)

Require Import Reals ZArith List Bool Lra Lia.
From Kernel Require Import Experiments Composition Cells Mechanisms Polynomials.
Import ListNotations.
Open Scope R_scope.

(** A number n/d. *)
Definition ratio (x : Z * Z) : R := IZR (fst x) / IZR (snd x).

(** [F] has the outcomes of [D] that are possible under Q, whose P-mass is [f]. *)
Definition reduced (D F : experiment) (f : R) : Prop :=
  valid D /\ valid F /\ total fst D = 1 /\ total fst F = f /\
  forall a b, 0 <= a -> 0 <= b -> excess a b D = excess a b F + a * (1 - f).

Lemma total_fst_scaled p q M : total fst (map (both (p, q)) M) = p * total fst M.
Proof. induction M as [|o M IH]; simpl; [|rewrite IH]; lra. Qed.

Lemma total_fst_product L M : total fst (product L M) = total fst L * total fst M.
Proof.
  induction L as [|[p q] L IH]; [simpl; lra|].
  change (product ((p, q) :: L) M) with (map (both (p, q)) M ++ product L M).
  rewrite total_app, IH, total_fst_scaled. simpl. lra.
Qed.

Lemma reduced_product D F f E G g : reduced D F f -> reduced E G g -> reduced (product D E) (product F G) (f * g).
Proof.
  intros (VD & VF & TD & TF & HD) (VE & VG & TE & TG & HE).
  split; [apply valid_product; assumption|]. split; [apply valid_product; assumption|].
  rewrite !total_fst_product, TD, TE, TF, TG. split; [lra|]. split; [reflexivity|]. intros a b Ha Hb.
  assert (Hleft : excess a b (product D E) = excess a b (product D G) + a * (1 - g)).
  { rewrite !excess_product.
    rewrite (total_ext _ (fun o => excess (a * fst o) (b * snd o) G + (a * (1 - g)) * fst o)).
    - rewrite total_plus, total_scale, TD. lra.
    - intros o Ho. unfold valid in VD. rewrite Forall_forall in VD. destruct (VD o Ho).
      rewrite HE; [lra| |]; apply Rmult_le_pos; assumption. }
  assert (Hright : excess a b (product G D) = excess a b (product G F) + a * (1 - f) * g).
  { rewrite !excess_product.
    rewrite (total_ext _ (fun o => excess (a * fst o) (b * snd o) F + (a * (1 - f)) * fst o)).
    - rewrite total_plus, total_scale, TG. lra.
    - intros o Ho. unfold valid in VG. rewrite Forall_forall in VG. destruct (VG o Ho).
      rewrite HD; [lra| |]; apply Rmult_le_pos; assumption. }
  rewrite Hleft, excess_product_comm, Hright, excess_product_comm. lra.
Qed.

Lemma product_one_right L : product L [(1, 1)] = L.
Proof.
  induction L as [|[p q] L IH]; [reflexivity|].
  change (product ((p, q) :: L) [(1, 1)]) with ((p * 1, q * 1) :: product L [(1, 1)]).
  rewrite IH, !Rmult_1_r. reflexivity.
Qed.

Section Composed.
  (** [step] bounds one pair, with hints; [multiply] bounds a product. *)
  Context {T H : Type} (multiply : T -> T -> T) (nothing : T) (step : mechanism -> H -> option T).
  Context (holds : experiment -> T -> Prop).
  Hypothesis holds_product : forall D E x y, holds D x -> holds E y -> holds (product D E) (multiply x y).
  Hypothesis holds_nothing : holds [(1, 1)] nothing.
  Hypothesis holds_step : forall m h x, step m h = Some x -> holds (pair m) x.

  Fixpoint composed (c : composition) (hints : list H) : option T :=
    match c, hints with
    | [], [] => Some nothing
    | (m, k) :: c', h :: hints' =>
        match step m h, composed c' hints' with
        | Some x, Some y => Some (multiply (power multiply x k) y)
        | _, _ => None
        end
    | _, _ => None
    end.

  Lemma power_repeat D x k : holds D x -> holds (all_of (repeat D (Pos.to_nat k))) (power multiply x k).
  Proof.
    intros Hx. induction k as [k IH|k IH|]; simpl power.
    - rewrite Pos2Nat.inj_xI. replace (S (2 * Pos.to_nat k)) with (1 + (Pos.to_nat k + Pos.to_nat k))%nat by lia.
      simpl repeat. simpl all_of. rewrite repeat_app, all_of_app. auto.
    - rewrite Pos2Nat.inj_xO. replace (2 * Pos.to_nat k)%nat with (Pos.to_nat k + Pos.to_nat k)%nat by lia.
      rewrite repeat_app, all_of_app. auto.
    - change (all_of (repeat D (Pos.to_nat 1))) with (product D [(1, 1)]). rewrite product_one_right. assumption.
  Qed.

  Lemma composed_holds : forall c hints x, composed c hints = Some x -> holds (all_of (map pair (one_by_one c))) x.
  Proof.
    induction c as [|[m k] c IH]; intros [|h hints] x; simpl; try discriminate.
    - intros [= <-]. assumption.
    - destruct (step m h) as [y|] eqn:Hy; [|discriminate]. destruct (composed c hints) as [z|] eqn:Hz; [|discriminate].
      intros [= <-]. rewrite map_app, all_of_app. apply holds_product; [|apply (IH hints); assumption].
      replace (map pair (repeat m (Pos.to_nat k))) with (repeat (pair m) (Pos.to_nat k))
        by (clear; induction (Pos.to_nat k) as [|n IH]; simpl; [|rewrite IH]; reflexivity).
      apply power_repeat, (holds_step m h). assumption.
  Qed.
End Composed.

(** What a claim has to say rightly of its mechanisms. *)
Definition well_formed (m : mechanism) : bool :=
  match m with
  | Pair whole rows =>
      (0 <? whole)%Z && forallb (fun row => (0 <=? fst row) && (0 <=? snd row))%Z rows
      && (fold_right Z.add 0 (map fst rows) =? whole)%Z && (fold_right Z.add 0 (map snd rows) =? whole)%Z
  | Pure n d => ((0 <? n) && (0 <? d))%Z
  end.

Lemma total_rows (side : Z * Z -> Z) (side' : R * R -> R) whole rows :
  (forall row, side' (outcome whole row) = IZR (side row) / IZR whole) ->
  total side' (map (outcome whole) rows) = IZR (fold_right Z.add 0%Z (map side rows)) / IZR whole.
Proof. intros H. induction rows as [|r rows IH]; simpl; [|rewrite H, IH, plus_IZR]; unfold Rdiv; lra. Qed.

Lemma valid_rows whole rows : (0 < whole)%Z -> Forall (fun row => (0 <= fst row /\ 0 <= snd row)%Z) rows ->
  valid (map (outcome whole) rows).
Proof.
  intros Hw H. apply IZR_lt, Rinv_0_lt_compat, Rlt_le in Hw. induction H as [|row rows [? ?] ? IH]; simpl; constructor;
    [|assumption]. split; apply Rmult_le_pos; try assumption; apply IZR_le; assumption.
Qed.

(** The rows as numbers: what [well_formed] says of a pair. *)
Definition rows_valid (whole : Z) (rows : list (Z * Z)) : Prop :=
  (0 < whole)%Z /\ Forall (fun row => (0 <= fst row /\ 0 <= snd row)%Z) rows /\
  fold_right Z.add 0%Z (map fst rows) = whole /\ fold_right Z.add 0%Z (map snd rows) = whole.

Lemma well_formed_pair whole rows : well_formed (Pair whole rows) = true -> rows_valid whole rows.
Proof.
  simpl. rewrite !andb_true_iff, Z.ltb_lt, !Z.eqb_eq, forallb_forall. intros [[[Hw H] HP] HQ].
  repeat split; try assumption. rewrite Forall_forall. intros row Hrow. specialize (H row Hrow).
  rewrite andb_true_iff, !Z.leb_le in H. exact H.
Qed.

Lemma pair_is_pair m : well_formed m = true -> valid (pair m) /\ total fst (pair m) = 1 /\ total snd (pair m) = 1.
Proof.
  destruct m as [whole rows|n d]; intros H.
  - apply well_formed_pair in H as (Hw & Hrows & HP & HQ). split; [apply valid_rows; assumption|].
    pose proof (IZR_lt _ _ Hw). simpl pair.
    rewrite (total_rows fst), (total_rows snd) by reflexivity. rewrite HP, HQ. split; field; lra.
  - simpl pair. unfold randomized_response, valid. set (t := exp (IZR n / IZR d)). assert (0 < t) by apply exp_pos.
    assert (0 < / (1 + t)) by (apply Rinv_0_lt_compat; lra).
    simpl. split; [|split; field; lra]. unfold Rdiv. repeat constructor; simpl; nra.
Qed.

(** The rows that are possible under Q. *)
Definition possible (rows : list (Z * Z)) : list (Z * Z) := filter (fun row => negb (snd row =? 0)%Z) rows.

Lemma reduced_pair whole rows : rows_valid whole rows ->
  reduced (pair (Pair whole rows)) (map (outcome whole) (possible rows))
    (IZR (fold_right Z.add 0%Z (map fst (possible rows))) / IZR whole).
Proof.
  intros (Hw & Hrows & HP & HQ). pose proof (IZR_lt _ _ Hw).
  assert (VD : valid (map (outcome whole) rows)) by (apply valid_rows; assumption).
  assert (HF : Forall (fun row => (0 <= fst row /\ 0 <= snd row)%Z) (possible rows)).
  { rewrite Forall_forall in *. intros row Hrow. apply Hrows. apply filter_In in Hrow. apply Hrow. }
  assert (TD : total fst (map (outcome whole) rows) = 1).
  { rewrite (total_rows fst) by reflexivity. rewrite HP. field. lra. }
  split; [exact VD|]. split; [apply valid_rows; assumption|]. split; [exact TD|].
  split; [apply (total_rows fst); reflexivity|]. intros a b Ha Hb. simpl pair.
  rewrite <- (total_rows fst fst whole (possible rows)) by reflexivity. rewrite <- TD. clear -VD Ha Hb.
  unfold excess. induction rows as [|row rows IH]; simpl in *; [lra|]. inversion VD as [|? ? [Hp Hq] VD']; subst.
  specialize (IH VD'). destruct (snd row =? 0)%Z eqn:Hzero; simpl; [|lra].
  apply Z.eqb_eq in Hzero. unfold gain at 1; simpl. rewrite Hzero. simpl in Hp.
  pose proof (Rmult_le_pos _ _ Ha Hp). rewrite Rmax_right; unfold Rdiv in *; lra.
Qed.

Lemma well_formed_positive m : well_formed m = true -> match m with Pure n d => 0 < IZR n / IZR d | _ => True end.
Proof.
  destruct m as [|n d]; [trivial|]. simpl. rewrite andb_true_iff, !Z.ltb_lt. intros [Hn Hd].
  apply Rmult_lt_0_compat; [|apply Rinv_0_lt_compat]; apply IZR_lt; assumption.
Qed.

Lemma runs_pair m : well_formed m = true -> runs m (pair m).
Proof.
  intros Hm. destruct (pair_is_pair m Hm) as (HV & HP & HQ). split; [assumption|].
  destruct m as [whole rows|n d]; [split; intros e He; apply Rle_refl|]. repeat split; try assumption;
    rewrite private_iff; unfold hockey_stick, excess, gain; simpl;
    set (t := exp (IZR n / IZR d)); assert (0 < t) by apply exp_pos;
    assert (1 < t) by (unfold t; rewrite <- exp_0; apply exp_increasing, (well_formed_positive (Pure n d)); assumption);
    assert (0 < / (1 + t)) by (apply Rinv_0_lt_compat; lra);
    assert (0 < / (1 + t) * (t * t - 1)) by (apply Rmult_lt_0_compat; nra);
    rewrite !Rmax_left; unfold Rdiv; lra.
Qed.

(** The pairs themselves, one after the other. *)
Fixpoint independent (ms : list mechanism) : adaptive (length ms) :=
  match ms with
  | [] => tt
  | m :: rest => map (fun o => (o, independent rest)) (pair m)
  end.

Lemma seen_independent ms : seen _ (independent ms) = all_of (map pair ms).
Proof.
  induction ms as [|m ms IH]; [reflexivity|]. simpl. unfold product. rewrite <- IH. clear IH.
  induction (pair m) as [|o L IHL]; simpl; [|rewrite IHL]; reflexivity.
Qed.

Lemma independent_runs ms : Forall (fun m => well_formed m = true) ms -> runs_all _ ms (independent ms).
Proof.
  induction 1 as [|m ms Hm Hms IH]; simpl; [trivial|]. split.
  - unfold first_step. rewrite map_map. simpl. rewrite map_id. apply runs_pair. assumption.
  - intros o Ho. apply in_map_iff in Ho as [o' [<- _]]. exact IH.
Qed.

Lemma runs_all_dominated n : forall ms A, Forall (fun m => well_formed m = true) ms -> runs_all n ms A ->
  steps_dominated n (map pair ms) A.
Proof.
  induction n as [|k IH]; intros [|m ms] A Hms HA; simpl in *; try contradiction; [trivial|].
  inversion Hms; subst. destruct HA as [HA Hrest]. split; [apply HA|]. split.
  - apply runs_dominated; [apply well_formed_positive|]; assumption.
  - intros o Ho. apply IH; auto.
Qed.

Definition all_well_formed (c : composition) : bool := forallb (fun step => well_formed (fst step)) c.

Lemma all_well_formed_each c : all_well_formed c = true -> Forall (fun m => well_formed m = true) (one_by_one c).
Proof.
  unfold all_well_formed. rewrite forallb_forall, Forall_forall. intros H m Hm.
  apply in_flat_map in Hm as [step [Hstep Hm]]. apply repeat_spec in Hm. subst. apply H. assumption.
Qed.

(** The composition's claim is one of the product of its pairs. *)
Theorem claim_of_product c epsilon delta : all_well_formed c = true ->
  (remove_claim c epsilon delta <-> hockey_stick (exp epsilon) (all_of (map pair (one_by_one c))) <= delta).
Proof.
  intros Hc. apply all_well_formed_each in Hc. split.
  - intros H. specialize (H _ _ (independent_runs _ Hc)). apply private_iff in H. rewrite seen_independent in H. exact H.
  - intros H n A HA. apply (composition_is_private _ (map pair (one_by_one c))); [| |exact H].
    + rewrite Forall_map. apply (Forall_impl _ (P := fun m => well_formed m = true)); [|exact Hc].
      intros m Hm. apply (pair_is_pair m Hm).
    + apply runs_all_dominated; assumption.
Qed.
