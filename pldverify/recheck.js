/**
 * Decides the verdict of a certificate again, as recheck.py does, in a browser or in Node.
 *
 * One file, nothing imported. The statement, the lemmas (U, L, M, F, and those of single functions) and their proofs
 * stand in recheck.py, under the names that are used here; structure, outcomes and limits are the same. Integers are
 * BigInts. Floats choose cells, grids and cuts; integers check what they choose, or it may be anything.
 *
 * What Python has and JavaScript lacks is here, too: rationals (`Q`), strict JSON, SHA-256, and exact products of
 * polynomials (`convolve`), for browsers multiply large BigInts slowly or not at all.
 */
"use strict";

const SCHEMA = "pldverify-certificate/1", PREDICATE = "urn:pldverify-certificate:1";
const PAYLOAD = "application/vnd.in-toto+json", STATEMENT = "https://in-toto.io/Statement/v1";
const MAX_BYTES = 4_000_000, MAX_DEPTH = 60, MAX_PARTS = 60, MAX_COUNT = 10 ** 12, MAX_CHARS = 400;
const MAX_EXPONENT = 300, MAX_CENTRES = 60, MAX_OUTCOMES = 10_000, FAR = 1e100, MAX_PRIME = 94_000_000;
/** Levels of a file; Python's own limit is about as high. */
const MAX_NESTING = 990;
/** How many outcomes cut a step (the next if the claim stays open), and indices between two, in the mean. */
const SIZES = [500, 2000, 8000, 32_000], FINER = 8;
/** Digits that are handled, at most. */
const WORK = 1_000_000_000, LONGEST = 100_000;
/** An interval is [l, u] with l ≤ x·2^bits ≤ u for the number x that is meant. */
const ZERO = [0n, 0n];

/** The file is no certificate of this schema, or was changed. */
class Rejected extends Error {}
/** This checker can't decide the claim. */
class Beyond extends Error {}

/** Why it can't be decided: a BigInt that is too large for a browser is such a reason, too. */
const excuse = (error) => {
  if (error instanceof Beyond || error instanceof RangeError) return error.message;
  throw error;
};
const reject = (text) => { throw new Rejected(text); }, beyond = (text) => { throw new Beyond(text); };

// --- numbers ---------------------------------------------------------------------------------------------

/** ⌊a/b⌋ and ⌈a/b⌉, b > 0. */
const down = (a, b) => (a >= 0n ? a / b : -((b - 1n - a) / b)), up = (a, b) => -down(-a, b);
const most = (a, b) => (a > b ? a : b), least = (a, b) => (a < b ? a : b), absolute = (a) => (a < 0n ? -a : a);
const total = (numbers) => numbers.reduce((a, b) => a + b, 0n);
/** Of intervals. */
const gathered = (rows) => [0, 1].map((end) => total(rows.map((row) => row[end])));
/** Digits in base 2 of an integer ≥ 0. */
const bitLength = (a) => 4 * a.toString(16).length + 28 - Math.clz32(parseInt(a.toString(16)[0], 16));

/** A float that is one. Python raises where this throws. */
const real = (x) => (Number.isFinite(x) ? x : beyond("a float is out of range"));
const log = (x) => real(Math.log(x)), exp = (x) => real(Math.exp(x));
/** Whole, cut towards 0. */
const whole = (x) => BigInt(Math.trunc(real(x)));
/** The nearest multiple of 2^−60; a double of 1/128 or more is one. */
const near = (x) => Q.of(BigInt(Math.round(real(x * 2 ** 60))), 1n << 60n);

/** ⌊√a⌋. */
function squareRoot(a) {
  if (!a) return a;
  let x = 1n << BigInt((bitLength(a) + 1) >> 1); // at least √a: Newton's steps fall until they are there
  for (let next = (x + a / x) >> 1n; next < x; next = (x + a / x) >> 1n) x = next;
  return x;
}

function divisor(a, b) {
  for (; b; [a, b] = [b, a % b]);
  return a;
}

/** A rational number n/d, d > 0, in lowest terms where Q.of or arithmetic makes it. */
class Q {
  constructor(n, d) { Object.assign(this, { n, d }); }

  static of(n, d = 1) {
    const [a, b] = [BigInt(n), BigInt(d)];
    if (!b) beyond("a division by 0");
    const shared = divisor(absolute(a), absolute(b)) * (b < 0n ? -1n : 1n);
    return new Q(a / shared, b / shared);
  }

  /** Denominators share little, or are equal: their divisor comes first. */
  plus(x) {
    const shared = this.d === x.d ? this.d : divisor(this.d, x.d), part = this.d / shared;
    const sum = this.n * (x.d / shared) + x.n * part, rest = divisor(absolute(sum), shared);
    return new Q(sum / rest, part * (x.d / rest));
  }

  toString() { return this.d === 1n ? `${this.n}` : `${this.n}/${this.d}`; }
  negative() { return new Q(-this.n, this.d); } minus(x) { return this.plus(x.negative()); }

  times(x) {
    const one = divisor(absolute(this.n), x.d), other = divisor(absolute(x.n), this.d);
    return new Q((this.n / one) * (x.n / other), (this.d / other) * (x.d / one));
  }

  inverse() { return Q.of(this.d, this.n); } over(x) { return this.times(x.inverse()); }
  power(k) { return new Q(this.n ** BigInt(k), this.d ** BigInt(k)); }
  abs() { return new Q(absolute(this.n), this.d); } sign() { return this.n > 0n ? 1 : this.n < 0n ? -1 : 0; }

  /** Less than 0, 0 or more, as this is less than x, equal or greater. */
  against(x) {
    const gap = this.d === x.d ? this.n - x.n : this.n * x.d - x.n * this.d;
    return gap > 0n ? 1 : gap < 0n ? -1 : 0;
  }

  below(x) { return this.against(x) < 0; } is(x) { return this.against(x) === 0; }
  floor() { return down(this.n, this.d); } double() { return real(this.nearest()); }

  /** The nearest double: 66 digits or more, the last of which says whether more follow, are rounded once. */
  nearest() {
    const shift = bitLength(this.d) - bitLength(absolute(this.n)) + 66, by = BigInt(Math.abs(shift));
    const [n, d] = shift > 0 ? [absolute(this.n) << by, this.d] : [absolute(this.n), this.d << by];
    const near = Number((n / d) | (n % d ? 1n : 0n)), half = Math.trunc(-shift / 2);
    return this.sign() * near * 2 ** half * 2 ** (-shift - half);
  }

  /** About log x, x > 0. */
  log() {
    const cut = (each) => Math.max(bitLength(each) - 1000, 0);
    const [a, b] = [this.n, this.d].map((x) => log(Number(x >> BigInt(cut(x)))) + cut(x) * Math.LN2);
    return a - b;
  }
}

const ONE = Q.of(1), NIL = Q.of(0), TWO = Q.of(2), HALF = Q.of(1, 2), EVER = new Q(1n, 0n); // more than any other
const sum = (numbers) => numbers.reduce((a, b) => a.plus(b), NIL);
const greatest = (numbers) => numbers.reduce((a, b) => (a.below(b) ? b : a));
const smallest = (numbers) => numbers.reduce((a, b) => (b.below(a) ? b : a));
const sorted = (pairs) => pairs.map(String).sort().join(" "); // in lowest terms
/** Whether two lists of pairs are the same, in any order. */
const same = (x, y) => sorted(x) === sorted(y);

/** Functions in fixed point (Lemma F). */
class Fixed {
  constructor(bits) {
    if (bits > 3500) beyond("more digits than are kept");
    const terms = Array.from({ length: bits + 15 }, (_, k) => (1n << BigInt(bits + 15 - k)) / BigInt(k + 1));
    Object.assign(this, { bits: BigInt(bits), one: 1n << BigInt(bits), ln2: total(terms) >> 16n });
    let pi = 0n; // 16 atan(1/5) − 4 atan(1/239)
    for (const [factor, n] of [[16n, 5n], [-4n, 239n]]) {
      let term = (this.one << 32n) / n;
      for (let k = 1n; term; k += 2n, term /= n * n) pi += (k & 2n ? -factor : factor) * (term / k);
    }
    const cube = 1n << (3n * this.bits), [low, high] = [(pi >> 32n) - 1n, (pi >> 32n) + 2n];
    this.norm = [squareRoot(cube / (2n * high)), squareRoot(cube / (2n * low)) + 1n]; // of 1/√(2π)
  }

  of(x) { return [down(x.n << this.bits, x.d), up(x.n << this.bits, x.d)]; }

  /** Of numbers ≥ 0. */
  times(a, b) { return [(a[0] * b[0]) >> this.bits, -((-a[1] * b[1]) >> this.bits)]; }

  /** Of numbers ≥ 0, the divisor > 0. */
  over(a, b) {
    if (b[0] <= 0n) beyond("a divisor is too small for this precision");
    return [down(a[0] << this.bits, b[1]), up(a[1] << this.bits, b[0])];
  }

  /** Of numbers ≥ 0 in their sum and up to `more`. */
  shares(weights, more = 0n) {
    const sums = [0, 1].map((end) => total(weights.map((weight) => weight[end])));
    return weights.map((weight) => this.over(weight, [sums[0], sums[1] + more]));
  }

  /** Of numbers ≥ 0, with the weights in (anything, weight) pairs. */
  mean(weights, values) {
    const sums = (end, cut) => total(values.map((x, i) => cut(weights[i][1].n * x[end], weights[i][1].d)));
    return [sums(0, down), sums(1, up)];
  }

  /** [l, u, n] with l·2^n ≤ 2^bits·e^y ≤ u·2^n for all y in [x, x + 2]/2^bits. */
  scientific(x) {
    const n = down(x, this.ln2), r = x - n * this.ln2;
    let term = this.one, found = 0n, i = 0n;
    for (; term; term = ((term * r) >> this.bits) / i) [found, i] = [found + term, i + 1n];
    const slack = 2n * i + 8n * absolute(n) + 16n;
    return [found - slack, found + slack, n];
  }

  exp(x) {
    const [low, high, n] = this.scientific(down(x.n << this.bits, x.d));
    if (n > LONGEST) beyond("a power that is too large");
    return n >= 0n ? [low << n, high << n] : [low >> -n, -(-high >> -n)];
  }

  /** Φ(x), and the density at x, are less than a unit from their limits: e^(−x²/2) < 2^−bits. */
  far(x) { return 5n * x.n * x.n > 7n * this.bits * x.d * x.d; }

  /** Φ(x) = 1/2 + φ(x) Σ t_n, t_0 = x, t_{n+1} = t_n x²/(2n + 3), for x ≥ 0. */
  normal(x) {
    if (this.far(x)) return x.sign() > 0 ? [this.one - 1n, this.one] : [0n, 1n];
    const cut = absolute(down(x.n << this.bits, x.d)), square = cut * cut;
    let term = cut, found = 0n, n = 0n;
    for (; term; term = ((term * square) >> (2n * this.bits)) / (2n * n + 1n)) [found, n] = [found + term, n + 1n];
    const [low, high, e] = this.scientific(-(square >> (this.bits + 1n)) - 1n);
    const shift = 2n * this.bits - e, half = this.one >> 1n;
    const left = most(((low * this.norm[0] * found) >> shift) - 1n, 0n);
    const right = least(((high * this.norm[1] * found) >> shift) + n + 2n, half);
    return x.sign() >= 0 ? [half + left, half + right] : [half - right, half - left];
  }
}

// --- one step --------------------------------------------------------------------------------------------
//
// A cell is {index, width, p, r, endless}: outcomes with losses in [index·h, (index+width)·h], width 1 if it isn't said,
// after those below are raised to index·h (Lemma U); p, their P-mass; r, their Q-mass times e^(index·h), whose lower end
// holds after losses are raised, for the upper side, and whose upper end before, for the lower side; endless: nothing is
// known above index·h, so they are at +∞ for the upper side; with the index null they are so for both.
//
// A law has `symmetric`: whether both directions have one δ; `outcomes`: what makes a cell dear; `most`: the greatest
// finite loss and the P-mass at +∞, where both are rational, or null; `rho`: of zCDP, or null; `span(tail, remove)`:
// losses that leave out a mass of e^−tail, nearly; `step(h, remove, fixed, tail)`: cells; `unbounded(remove)`: whether losses
// surely have no bound; `prepare(tail, spend, epsilon, steps)`: makes what all need, and counts the work.

/**
 * Shapes of noise: the densities e^{−x²/2}/√(2π) and ∝ e^{−g(|x|)}, which are log-concave: g is 0 up to the first of some
 * corners (s, c), and its slope grows by c > 0 at each, to 1; e^{−|x|}/2 with the corner 0 alone.
 */
const GAUSSIAN = "gaussian", LAPLACE = "laplace", SHARP = [[NIL, ONE]];

/**
 * Log-concave noise around centres a with weights w, P, and around centres b with weights v, Q; no a is less than any
 * b. Centres are (centre, weight) pairs, in units of the noise. P against Q ("remove"), or Q against P ("add"); the
 * ratio of both does not fall (Lemma M).
 */
class Pair {
  constructor(noise, p, q, corners = SHARP) {
    const [above, base] = [p, q].map((x) => x.map(([a]) => a)), last = corners[corners.length - 1][0], low = smallest(base), high = greatest(above);
    if (p.length + q.length > MAX_CENTRES || smallest(above).below(greatest(base))) {
      beyond(`noise with more than ${MAX_CENTRES} centres, or whose ratio does not rise`);
    }
    Object.assign(this, { noise, p, q, corners, far: high.minus(low), outcomes: p.length + q.length - 1 });
    // beyond the ends the ratio of Laplace noise stays what it is
    Object.assign(this, { ends: [low.minus(last), high.plus(last)], slopes: corners.map((x) => x.map((each) => each.nearest())) });
    this.most = noise === LAPLACE && this.outcomes === 1 ? [this.far, NIL] : null;
    this.rho = alone(this) ? this.far.power(2).times(HALF) : null;
    this.symmetric = same(q, p.map(([a, w]) => [low.plus(high).minus(a), w]));
    const double = (a) => Math.max(Math.min(a.nearest(), FAR), -FAR);
    this.hints = [p, q].map((rows) => rows.map(([a, w]) => [double(a), w.log()]));
  }

  unbounded(remove) {
    return this.noise === GAUSSIAN && !(remove ? this.q : this.p).some(([a]) => a.is(this.ends[Number(remove)]));
  }

  /** Q against P is P against Q of outcomes −y, as f is even. */
  get turned() { return new Pair(this.noise, ...[this.q, this.p].map((rows) => rows.map(([a, w]) => [a.negative(), w])), this.corners); }

  /** Greatest and least dQ/dP; null for ∞ and 0, or nearly. */
  limits(fixed) {
    const found = this.ends.map((y) => {
      if (this.noise === LAPLACE) return this.at(y, fixed)[0];
      const [w, v] = [this.p, this.q].map((x) => sum(x.filter(([a]) => a.is(y)).map(([, weight]) => weight)));
      return w.n ? fixed.of(v.over(w)) : ZERO;
    });
    return found.map((x) => (x[0] > 0n ? x : null));
  }

  /** g(|x|). */
  depth(x) { return sum(this.corners.map(([s, c]) => c.times(greatest([x.abs().minus(s), NIL])))); }

  /** log f(y − a)/f(y), exactly. */
  tilt(a, y) {
    return this.noise === GAUSSIAN ? a.times(y).minus(a.power(2).times(HALF)) : this.depth(y).minus(this.depth(y.minus(a)));
  }

  /** ∫_x^∞ e^{−g}, x ≥ 0: with the slope σ it falls by σ times that from s to t. */
  tail(x, fixed) {
    const { corners } = this, slopes = corners.map((_, k) => sum(corners.slice(0, k + 1).map(([, c]) => c)));
    const ends = [...corners.map(([s]) => fixed.exp(this.depth(greatest([s, x])).negative())), ZERO];
    const falls = corners.map((_, k) => [most(ends[k][0] - ends[k + 1][1], 0n), ends[k][1] - ends[k + 1][0]]);
    const flat = greatest([corners[0][0].minus(x), NIL]), shares = [ONE, ...slopes.map((slope) => slope.inverse())];
    return fixed.mean(shares.map((share) => [NIL, share]), [fixed.of(flat), ...falls]);
  }

  /** The mass of f below x. */
  below(x, fixed) {
    if (this.noise === GAUSSIAN) return fixed.normal(x);
    const [low, high] = fixed.over(this.tail(x.abs(), fixed), this.tail(NIL, fixed).map((end) => 2n * end));
    return x.sign() < 0 ? [low, high] : [fixed.one - high, fixed.one - low];
  }

  /** log R(y), nearly. */
  log(y) {
    const [p, q] = this.hints.map((centres) => {
      const depth = (x) => this.slopes.reduce((found, [s, c]) => found + c * Math.max(Math.abs(x) - s, 0), 0);
      const tilt = (a) => (this.noise === GAUSSIAN ? a * y - (a * a) / 2 : depth(y) - depth(y - a));
      const logs = centres.map(([a, w]) => w + tilt(a)), high = Math.max(...logs);
      return high + log(logs.reduce((found, x) => found + exp(x - high), 0));
    });
    return p - q;
  }

  /** Outcomes that leave out a P-mass of e^−tail, nearly. */
  window(tail) {
    if (this.noise === LAPLACE) return this.ends.map((y) => y.double());
    const rows = this.hints[0].map(([a, w]) => [a, Math.sqrt(2 * Math.max(tail + w, 0))]);
    return [Math.min(...rows.map(([a, far]) => a - far)), Math.max(...rows.map(([a, far]) => a + far))];
  }

  span(tail, remove) {
    const law = remove ? this : this.turned;
    return law.window(tail).map((y) => law.log(y));
  }

  /** Between `low` and `high`, with that log ratio, nearly: by secants, and by halves. */
  outcome(wanted, low, high) {
    let y = low, left = this.log(low) - wanted, right = this.log(high) - wanted;
    for (let step = 1; step < 200; step++) {
      y = step % 3 === 0 ? (low + high) / 2 : low - (left * (high - low)) / (right - left || 1);
      const gap = this.log(y) - wanted;
      if (Math.abs(gap) <= 1e-13 * (1 + Math.abs(wanted))) break;
      [low, left, high, right] = gap < 0 ? [y, gap, high, right] : [low, left, y, gap];
    }
    return y;
  }

  /** dQ/dP at y; P- and Q-mass of the outcomes up to y. */
  at(y, fixed) {
    const means = (of) => [this.p, this.q].map((centres) => fixed.mean(centres, centres.map(([a]) => of(a))));
    const densities = means((a) => (a.n ? fixed.exp(this.tilt(a, y)) : [fixed.one, fixed.one]));
    return [fixed.over(...densities.reverse()), ...means((a) => this.below(y.minus(a), fixed))];
  }

  /** Cells between outcomes whose loss is jh, or less by a hair: it is checked that it is not more. */
  step(h, remove, fixed, tail) {
    if (!remove) return this.turned.step(h, true, fixed, tail);
    const marks = this.marks(h, tail), whole = [fixed.one, fixed.one], loss = (j) => fixed.exp(h.times(Q.of(j)));
    const next = ([j, y], i, _, [at, before] = marks[i]) => j > at && !(at < 0 && j > 0) && before.below(y);
    if (!marks.length || !marks.slice(1).every(next)) beyond("no outcomes of the wanted losses were found");
    let [limit, bottom] = this.limits(fixed), index = marks[0][0] - 1, before = [ZERO, ZERO], cells = [];
    const ends = [...marks.map(([j, y]) => [j, ...this.at(y, fixed)]), [marks[marks.length - 1][0] + 1, bottom, whole, whole]];
    for (const [j, x, ...masses] of ends) {
      const known = x && fixed.times(loss(j), x)[0] >= fixed.one;
      if (!known && masses[0] !== whole) beyond("a loss can't be verified");
      const [p, q] = before.map((u, i) => [most(masses[i][0] - u[1], 0n), most(masses[i][1] - u[0], 0n)]);
      const [low, high] = fixed.times(q, loss(index)), r = [limit ? least(low, fixed.over(q, limit)[0]) : 0n, high];
      cells.push({ index, p, r, endless: !known, width: j - index });
      [index, limit, before] = [j, x, masses];
    }
    return cells;
  }

  /** (j, an outcome whose loss is nearly jh, rather less): hints. Cells end at a loss of 0. */
  marks(h, tail) {
    let [low, high] = this.window(tail);
    const width = h.double(), found = [], [first, last] = this.span(tail, true), end = Math.floor(real(last / width));
    const stride = real(((high - low) * FINER * width) / (last - first));
    for (let j = Math.ceil(real(first / width)), ahead = j; j <= end + 1; j = Math.max(j + 1, ahead)) {
      const loss = j * width - 1e-12 * (1 + Math.abs(j * width));
      if (!(first < loss && loss < last)) continue;
      low = this.outcome(loss, low, high);
      found.push([j, near(low)]);
      ahead = Math.min(Math.floor(real(this.log(low + stride) / width)), j < 0 ? 0 : end);
    }
    return found;
  }
}

/** Noise that moves with probability q against noise that doesn't: a Poisson sample, or all records. */
function shifted(noise, move, q = ONE, corners = SHARP) {
  const moved = [[NIL, ONE.minus(q)], [move, q]].filter(([, w]) => w.n);
  return move.n ? new Pair(noise, moved, [[NIL, ONE]], corners) : stated(q, move); // it says nothing
}

/** Whether it is Gaussian noise, not sampled. */
const alone = (law) => law instanceof Pair && law.noise === GAUSSIAN && law.outcomes === 1;

/** Batches of a fixed size, drawn without replacement, one record replaced. Upper bounds only. */
class Batch {
  constructor(pair) { Object.assign(this, { pair, outcomes: 3, most: null, rho: null, symmetric: true }); }

  span(tail) { return [-1, 1].map((side) => side * this.pair.span(tail, true)[1]); }

  /** M > N lies in the first cells, M ≥ N holds the others; the rest has a loss of 0 at most. */
  step(h, remove, fixed, tail) {
    const [up, down] = [true, false].map((way) => this.pair.step(h, way, fixed, tail)), top = up.pop();
    const cells = [...up.filter((c) => c.index >= 0), top, ...down.filter((c) => c.index < 0)];
    return [...cells, { index: -1, p: [0n, most(fixed.one - total(cells.map((c) => c.p[0])), 0n)], r: ZERO }];
  }
}

/** One of several laws, with weights of at most 1 in all, and it is known which; the rest is lost. Upper bounds. */
class Known {
  constructor(rows) {
    const kept = rows.filter(([w]) => w.sign() > 0), laws = kept.map(([, law]) => law);
    const symmetric = laws.every((law) => law.symmetric), outcomes = laws.reduce((n, law) => n + law.outcomes, 0);
    Object.assign(this, { rows: kept, symmetric, outcomes, most: null, rho: null });
  }

  /** Those that are not too rare, with what counts as a tail of theirs. */
  often(tail) { return this.rows.map((row) => [...row, tail + row[0].log()]).filter((row) => row[2] > 8); }

  span(tail, remove) {
    const spans = this.often(tail).map(([, law, near]) => law.span(near, remove));
    return [Math.min(...spans.map(([low]) => low)), Math.max(...spans.map(([, high]) => high))];
  }

  step(h, remove, fixed, tail) {
    const kept = this.often(tail), lost = ONE.minus(sum(kept.map(([w]) => w)));
    const cells = kept.flatMap(([w, law, near]) => {
      const scaled = (x) => fixed.mean([[NIL, w]], [x]);
      return law.step(h, remove, fixed, near).map((c) => ({ ...c, p: scaled(c.p), r: scaled(c.r) }));
    });
    return [...cells, { index: null, p: [0n, fixed.of(lost)[1]], r: ZERO, endless: true }];
  }
}

/** Of i = 0, 1, … successes in n trials of probability q, enclosed as in WIDE. */
function chances(n, q, size) {
  if (!q.below(ONE) || Q.of(1000).below(q.times(Q.of(n))) || size > 10_000) beyond("too large batches, or q = 1");
  const rest = ONE.minus(q), [low, high] = logarithm(rest, rest).map((x) => WIDE.exp(x.times(Q.of(n))));
  const found = [[low[0], high[1]]];
  for (let i = 0n; i < BigInt(size) - 1n; i++) {
    found.push(WIDE.times(found[Number(i)], WIDE.of(Q.of(n - i).times(q).over(Q.of(i + 1n).times(rest)))));
  }
  return found;
}

/** m draws of n records with replacement: what dominates, what is attained, for how many steps both are one. */
function drawn(m, n, far, low) {
  const [none, ...rest] = chances(m, Q.of(1n, n), Math.min(Number(m), 20) + 1); // more often is rare
  const q = ONE.minus(Q.of(none[0], WIDE.one)), weights = rest.map(([x]) => Q.of(x, WIDE.one));
  const known = weights.map((w, i) => [w.over(q), new Batch(shifted(GAUSSIAN, far.times(Q.of(i + 1)), q))]);
  const moves = [none, ...rest].map((_, j) => low.times(Q.of(j)));
  return [new Known(known), mixture(q, ONE, moves, [ONE.minus(sum(weights)), ...weights]), m === 1n ? 1 : 0];
}

/** Of n records, each in a sample with probability q, at most B are kept, drawn at random. */
function truncated(q, [n, size], whole, part, replaced) {
  const laws = [chances(n - 1n, q, Number(size)), chances(n, q, Number(size) + 1)], far = Q.of(replaced ? 1 : 2);
  const tails = laws.map((law) => [1, 0].map((end) => ONE.minus(Q.of(total(law.map((x) => x[end])), WIDE.one))));
  const [[cutLow, cutHigh], [moreLow, moreHigh]] = tails, share = Q.of(size, n); // Pr[K ≥ B], Pr[Bin(n, q) > B]
  const rate = smallest([q, share.times(moreHigh).over(greatest([cutLow, Q.of(1n, WIDE.one)]))]);
  const cut = shifted(GAUSSIAN, far.times(whole.far), rate), uncut = ONE.minus(cutHigh);
  const above = new Known([[uncut, whole], [cutLow, replaced ? new Batch(cut) : cut]]);
  const kept = q.times(uncut).plus(share.times(greatest([moreLow, NIL])));
  return [above, shifted(GAUSSIAN, far.times(part.far).times(HALF), kept), 0];
}

/** Gaussian noise that moves by one of several distances. */
function mixture(q, sigma, moves, chances) {
  const some = moves.some((move, i) => move.n && chances[i]?.n);
  if (moves.length !== chances.length || !sum(chances).is(ONE) || !some) {
    reject("sensitivities and probabilities must be as many, with a sum of 1, and move something");
  }
  const rows = moves.map((move, i) => [move.over(sigma), chances[i]]);
  return new Pair(GAUSSIAN, rows.filter(([, w]) => w.n), [[NIL, ONE]]);
}

/**
 * Outcomes with (P-mass, Q-mass), exactly 0 where both ends are 0, in a Poisson sample with probability q.
 * `masses(fixed, tail)` are they; `even`: whether P and Q are each other's reflections; `endless`: whether losses have
 * no bound.
 */
class Atoms {
  constructor(masses, q = ONE, { most = null, even = true, endless = false, prepare, rho = null } = {}) {
    Object.assign(this, { masses, q, most, endless, prepare, outcomes: 1, rho, symmetric: even && q.is(ONE) });
  }

  unbounded(remove) {
    const sure = this.endless && (remove || this.q.is(ONE)), rows = () => this.rows(new Fixed(200), 30, remove);
    return sure || (!this.prepare && rows().some(([p, q]) => p[0] > 0n && nil(q)));
  }

  rows(fixed, tail, remove) {
    const weights = [[NIL, ONE.minus(this.q)], [NIL, this.q]];
    const rows = this.masses(fixed, tail).map(([p, q]) => [fixed.mean(weights, [q, p]), q]);
    return remove ? rows : rows.map(([p, q]) => [q, p]);
  }

  /** Losses of outcomes whose mass is about e^−tail or more: a hint. */
  span(tail, remove) {
    const rows = this.rows(new Fixed(64 + Math.trunc(1.5 * tail)), tail, remove);
    const logs = rows.filter(([p, q]) => q[0] > 0n && p[1] >> 64n).map(logRatio), far = this.most?.[0].double() ?? 0;
    return [-1, 1].map((side) => (logs.length ? logs : [side * far]).reduce((a, b) => side * Math.max(side * a, side * b), side * 1e-3));
  }

  /** An atom in the cell of its loss: it is checked that the loss is at most (index+1)h. */
  step(h, remove, fixed, tail) {
    const cells = [], found = new Map(), width = h.double(), power = (j) => fixed.exp(h.times(Q.of(j)));
    for (const [p, q] of this.rows(fixed, tail, remove)) {
      if (q[0] <= 0n) {
        cells.push({ index: null, p: [nil(q) ? p[0] : 0n, p[1]], r: ZERO, endless: true });
      } else if (!nil(p)) {
        const index = Math.floor(real((logRatio([p, q]) + 2e-12) / width + 1e-9));
        found.set(index, found.get(index) ?? []).get(index).push([p, q]);
      }
    }
    for (const [index, rows] of found) {
      const [tilt, more] = [index, index + 1].map(power), r = rows.map(([, q]) => fixed.times(q, tilt));
      if (rows.some(([p, q]) => fixed.times(q, more)[0] < p[1])) beyond("a loss can't be verified");
      const lows = total(rows.map(([p], i) => least(r[i][0], p[0])));
      cells.push({ index, p: gathered(rows.map(([p]) => p)), r: [lows, gathered(r)[1]] });
    }
    return cells;
  }
}

/** Whether it is 0 exactly; log p/q, about, or more. */
const nil = (x) => x[0] === 0n && x[1] === 0n, logRatio = ([p, q]) => new Q(p[1], 1n).log() - new Q(q[0], 1n).log();

/**
 * Any ρ-zCDP mechanism, in a Poisson sample with probability q: an upper bound without a pair. Or one whose moments are
 * promised at some `points` and nowhere beyond; `rho`: of Gaussian noise that keeps the promise.
 */
class Concentrated {
  constructor(q, rho, points = []) { Object.assign(this, { q, rho, points, most: null, symmetric: q.is(ONE), outcomes: 1 }); }

  /** At λ = 0, 1, …, as far as they may be less than the base's; q is rounded up. */
  moments(remove) {
    const d = 1n << 200n, n = up(this.q.n * d, this.q.d), { rho } = this, found = [...this.points], size = (j) => rho.times(Q.of(j * (j - 1)));
    const orders = [...Array(66).keys()].filter((j) => !Q.of(699).below(size(j)));
    const more = orders.map((j) => WIDE.exp(size(j))[1] - WIDE.one), end = n < d && more.length > 2 ? more.length : 1;
    for (let k = 1, e = 1n; k < end; k++, e++) { // λ + 1
      let all = 0n, ways = 1n;
      for (let j = 0n; j <= e; ways = (ways * (e - j)) / (j + 1n), j++) {
        all += ways * (d - n) ** (e - j) * n ** j * more[Number(j)];
      }
      const taylor = up(e * (e - 1n) * n ** 2n * d ** (e - 1n) * more[2], 2n * (d - n) ** (e + 1n));
      const x = Q.of(WIDE.one + (remove ? up(all, d ** e) : least(taylor, up(n * more[k], d))), WIDE.one);
      found.push([Q.of(e - 1n), logarithm(x, x)[1]]);
    }
    if (n < d && !remove) { // losses are at most −log(1 − q)
      const left = Q.of(d - n, d);
      found.push(...(found.length ? [] : [[NIL, NIL]]), [Q.of(10 ** 9), logarithm(left, left)[0].times(Q.of(-(10 ** 9)))]);
    }
    return [found, this.points.length ? Q.of(10n ** 999n) : momentsOf({ rho })[1]]; // more than any claim allows
  }
}

/**
 * Points (λ, upper bound of log E e^{λ loss}), from (0, 0) on, between which chords bound it, and the ρ that is known to
 * hold at all λ.
 */
const momentsOf = (law, remove) => law.moments?.(remove) ?? [[], Q.of(WIDE.of(law.rho)[1], WIDE.one)];

/** D_α ≤ τ both ways at some orders α. */
function renyi(q, orders, divergences) {
  const rows = orders.map((a, i) => [a.minus(ONE), divergences[i]]), n = orders.length;
  if (!n || n > 100 || n !== divergences.length || rows.some(([a]) => a.sign() <= 0)) beyond("up to 100 orders above 1");
  const rho = smallest(rows.map(([a, t]) => t.over(a.plus(ONE)))), points = rows.map(([a, t]) => [a, a.times(t)]);
  points.sort(([a, u], [b, v]) => a.against(b) || u.against(v));
  return rho.n ? new Concentrated(q, rho, [[NIL, NIL], ...points]) : stated(q, rho);
}

/** Any (ε, δ)-DP mechanism, m records apart. */
function stated(q, epsilon, delta = NIL, m = ONE) {
  const n = Number(integer(m, 1, 1000)), far = within(epsilon.times(m), 0, 100), kept = ONE.minus(within(delta, 0, 1));
  const masses = (fixed) => {
    const less = fixed.exp(epsilon.negative()), lost = fixed.of(delta), { one } = fixed, rows = [];
    let last = fixed.over(fixed.times(less, fixed.of(kept)), less.map((x) => one + x));
    for (let j = 1; j <= n; j++) {
      const ends = [last[0] - lost[1], last[1] - lost[0]], growth = fixed.exp(epsilon.times(Q.of(2 * j - n)));
      if (ends[0] <= 0n && ends[1] > 0n && j < n) beyond("a mass that may be 0");
      const here = j < n ? fixed.times(ends.map((x) => most(x, 0n)), less) : ZERO;
      const mass = [most(last[0] - here[1], 0n), last[1] - here[0]], other = fixed.times(mass, growth);
      if (2 * j >= n && last[1] > 0n) rows.push(...[[other, mass], [mass, other]].slice(0, 2 * j > n ? 2 : 1));
      last = here;
    }
    const sums = [1, 0].map((end) => one - total(rows.map(([p]) => p[end]))), rest = [most(sums[0], 0n), sums[1]];
    return delta.n ? [...rows, [rest, ZERO], [ZERO, rest]] : rows;
  };
  const exact = (q.is(ONE) || !(epsilon.n || delta.n)) && kept.n && (n === 1 || !delta.n);
  return new Atoms(masses, q, { most: exact ? [far, delta] : null });
}

/**
 * T independent standard normals, one of which, drawn at random, is moved by a in P and by b in Q, observed by the sum
 * of indices; or, `above`, a pair that dominates, b = 0.
 */
function thrown(batches, a, b, above) {
  const move = Math.min(a.double() + (2 * b.double()) / 3, 20), count = Number(batches);
  const deviation = Math.sqrt(Math.expm1(move ** 2) / count);
  const sums = (tail, spend) => { // a scale, and the masses of P and Q times it
    const size = Math.trunc(real(tail / 2.3)) + 6 + `${batches}`.length;
    const fixed = new Fixed(Math.trunc(3.4 * size) + 100), { one, bits } = fixed;
    const setting = new Setting(ONE, 10 ** 6, size + 8, fixed, spend);
    const reach = move * (move / 2 + Math.sqrt(2 * Math.max(tail - 7, 1))), top = exp(Math.min(reach - log(count), 9));
    const fine = Math.max(deviation / Math.sqrt(count) / 200, (top + 16 * Math.min(deviation, 1 + top)) / 2 ** 14);
    spend(2 * (Math.trunc(real(top / fine)) + 2) * dear(Number(bits), tail));
    const g = Q.of(whole(fine * 2 ** 100), 1n << 100n), unit = g.times(Q.of(batches)), step = fixed.of(unit);
    const marks = Array.from({ length: Math.trunc(real(top / fine)) + 1 }, (_, i) => (
      near(log((i + 1) * fine * count) / move + move / 2)));
    const rows = [NIL, a, b].map((shift) => {
      const ends = [...marks.map((y) => fixed.normal(y.minus(shift))), [one, one]];
      return ends.map((v, i) => (i ? [most(v[0] - ends[i - 1][1], 0n), v[1] - ends[i - 1][0]] : v));
    });
    const mass = Array(marks.length + 1).fill(0n), tilt = a.power(2).times(HALF);
    const ratios = above ? marks.map((y, i) => (
      fixed.over(fixed.exp(a.times(y).minus(tilt)), fixed.of(unit.times(Q.of(i + 1)))))) : [];
    const c = ratios.reduce((x, [low, high]) => most(x, most(one - low, high - one)), 0n);
    rows[0].slice(0, ratios.length).forEach((q, at) => {
      const [low, high] = fixed.over(rows[1][at], step), i = BigInt(at), all = one + (2n * i + 1n) * c;
      const first = down(q[0] * (i + 1n) * (one + c) - high * one, all);
      mass[at] += most((first * (one - c)) >> bits, 0n);
      mass[at + 1] += most(down(low * one - q[1] * i * (one - c), all), 0n);
    });
    const lows = above ? [mass] : rows.map((row) => row.map(([x]) => x)); // no Q-masses are asked
    const [still, moved, other] = lows.map((row) => (
      new Lower({ setting, level: 0, start: 0, infinite: 0n, mass: row.map((x) => (x * setting.scale) >> bits) })));
    const others = repeated(still, count - 1, Q.of(1n, 10n ** BigInt(size)), 0);
    if (!above) return [setting.scale, others.times(moved).mass, others.times(other).mass];
    const found = others.times(still), ratio = (i) => BigInt(found.start + i) * g.n;
    return [setting.scale, found.mass.map((m, i) => (m * ratio(i)) / g.d), found.mass];
  };
  return counted(sums, above, { even: false, endless: true });
}

/**
 * Outcomes whose P- and Q-masses, times a scale, `sums` rounds down or leaves out: each lacks at most what all together
 * lack of 1. `above`: what they lack is told, and lost.
 */
function counted(sums, above, options) {
  const known = {}, prepare = (tail, spend) => { known[tail] ??= sums(tail, spend); };
  const masses = (fixed, tail) => {
    const [scale, ...laws] = known[tail], { one } = fixed;
    const floors = laws.map((law) => law.map((m) => (m * one) / scale)), lost = floors.map((law) => one - total(law));
    const to = (x, i) => [x, above ? x : x + lost[i]], found = floors[0].map((p, i) => [to(p, 0), to(floors[1][i], 1)]);
    return above ? [...found, [[0n, lost[0]], ZERO], [ZERO, [0n, lost[1]]]] : found;
  };
  return new Atoms(masses, ONE, { ...options, prepare });
}

// --- products of polynomials -----------------------------------------------------------------------------

/**
 * The exact product of polynomials with coefficients ≥ 0, none of the product's greater than `bound`.
 *
 * **Lemma C.** Modulo a prime p ≡ 1 (mod n), n a power of 2 and no less than the product's length, the product is n
 * values, multiplied one by one: those at the powers of ω, of order n. With ω = x^((p−1)/n), x no square modulo p,
 * ω^(n/2) = x^((p−1)/2) = −1, so n is its order. Residues modulo primes whose product exceeds `bound` are one
 * coefficient's alone (Chinese remainders).
 */
function convolve(a, b, bound) {
  const size = a.length + b.length - 1, n = 2 ** Math.ceil(Math.log2(size + 1)), primes = primesFor(n, bound);
  const whole = primes.reduce((found, p) => found * BigInt(p), 1n), rows = primes.map((p) => cyclic(a, b, n, p));
  const others = primes.map((p) => whole / BigInt(p)); // times these inverses 1 modulo one prime, 0 modulo the others
  const weights = others.map((x, i) => x * BigInt(power(Number(x % BigInt(primes[i])), primes[i] - 2, primes[i])));
  return Array.from({ length: size }, (_, k) => rows.reduce((found, row, i) => found + BigInt(row[k]) * weights[i], 0n) % whole);
}

/** Primes c·n + 1 below MAX_PRIME with a product above `bound`, the greatest first. */
function primesFor(n, bound) {
  let found = [], product = 1n;
  for (let c = Math.floor((MAX_PRIME - 1) / n); product <= bound; c--) {
    if (c < 1) beyond("too many digits, or cells of so many");
    let p = c * n + 1, k = 3;
    while (k * k <= p && p % k) k += 2;
    if (k * k > p) product *= BigInt(found[found.push(p) - 1]);
  }
  return found;
}

/** a + b modulo p, 0 ≤ a ≤ p, 0 ≤ b ≤ p. */
const added = (a, b, p) => (a + b < p ? a + b : a + b - p);

/**
 * ab modulo p, for a, b and p below MAX_PRIME. ab and qp ≤ ab + p are below 2^53, so exact. The float that becomes q has a
 * relative error below 2^−51: it misses ab/p by less than 1, and q misses ⌊ab/p⌋ by at most 1.
 */
function times(a, b, p, inverse) {
  const product = a * b, rest = product - Math.floor(product * inverse) * p;
  return rest < 0 ? rest + p : rest >= p ? rest - p : rest;
}

function power(a, k, p) {
  let found = 1, square = a;
  for (; k; k = Math.floor(k / 2), square = times(square, square, p, 1 / p)) {
    if (k % 2) found = times(found, square, p, 1 / p);
  }
  return found;
}

/** Coefficients of ab modulo p and x^n − 1 (Lemma C). */
function cyclic(a, b, n, p) {
  let x = 2;
  while (power(x, (p - 1) / 2, p) === 1) x++;
  const root = power(x, (p - 1) / n, p), modulus = BigInt(p), inverse = 1 / p, share = power(n, p - 2, p);
  const powers = new Float64Array(n / 2).fill(1);
  for (let i = 1; i < n / 2; i++) powers[i] = times(powers[i - 1], root, p, inverse);
  const values = (coefficients) => {
    const found = new Float64Array(n);
    coefficients.forEach((c, i) => { found[i] = Number(c % modulus); });
    return transformed(found, p, powers);
  };
  const left = values(a), right = a === b ? left : values(b);
  left.forEach((v, i) => { left[i] = times(times(v, right[i], p, inverse), share, p, inverse); });
  const back = transformed(left, p, powers);
  return Int32Array.from(back, (_, i) => back[(n - i) % n]);
}

/**
 * X(j) = Σ_m c_m ω^(jm); twice, that is n·c_m at −m. Before each pass X(q + sk) = Σ_m from(q + sm) ω^(skm) for all
 * q < s: even and odd k are two such sums of 2s, at q and at q + s.
 */
function transformed(values, p, powers) {
  const n = values.length, inverse = 1 / p;
  let from = values, to = new Float64Array(n);
  for (let s = 1; s < n; s *= 2, [from, to] = [to, from]) {
    for (let i = 0; i < n / 2; i++) {
      const at = i & -s, u = from[i], v = from[i + n / 2];
      to[i + at] = added(u, v, p);
      to[i + at + s] = times(added(u, p - v, p), powers[at], p, inverse);
    }
  }
  return from;
}

const greatestOf = (numbers) => numbers.reduce(most, 0n);

// --- products --------------------------------------------------------------------------------------------

/** What adds up work, and throws where it is more than is allowed; `tell` hears the share of it. */
const spender = (allowed, tell) => (work) => {
  tell(1 - (allowed -= work) / WORK);
  if (allowed < 0) beyond("more work than is allowed");
};

/** Digits that are handled for one function of so many bits: far out, and from 400 bits on, it takes longer. */
const dear = (bits, tail) => Math.floor((bits * Math.max(bits, 400)) / 400) * Math.trunc(8 + tail / 8);

/** What measures of one attempt share: masses are integers times 10^−digits, grids h·2^level. */
class Setting {
  constructor(h, size, digits, fixed, spend) {
    Object.assign(this, { h, size, digits, fixed, spend, scale: 10n ** BigInt(digits) });
  }

  up(x) { return -((-x * this.scale) >> this.fixed.bits); } grid(level) { return this.h.times(Q.of(1n << BigInt(level))); }

  convolve(a, b) {
    const bound = most(greatestOf(a), 1n) * most(greatestOf(b), 1n) * BigInt(Math.min(a.length, b.length));
    const width = bound.toString().length, work = width * (a.length + b.length);
    if (width > 3000 || work > 6 * 10 ** 7) beyond("too many digits, or cells of so many");
    this.spend(work);
    return convolve(a, b, bound);
  }
}

/** x with other values of some of its fields. */
const changed = (x, values) => Object.assign(Object.create(Object.getPrototypeOf(x)), x, values);

/**
 * P-masses at (start + i + shift)·h·2^level, and at +∞; `q`: Q-masses times e^loss, null where they are the same. δ is
 * bounded by `Upper` and `Lower`.
 */
class Measure {
  constructor(values) { Object.assign(this, { shift: NIL, q: null }, values); }

  /** P-masses are rounded up for upper bounds, down for lower ones; Q-masses, −over(−x, y), not so. */
  over(x, y) { return this.up ? up(x, y) : down(x, y); }

  times(other) {
    const { setting } = this, { scale } = setting, start = this.start + other.start;
    const mass = setting.convolve(this.mass, other.mass).map((c) => this.over(c, scale));
    const q = this.q && setting.convolve(this.q, other.q).map((c) => up(c, scale));
    const all = total(other.mass) + other.infinite, shift = this.shift.plus(other.shift);
    const infinite = this.over(this.infinite * all + total(this.mass) * other.infinite, scale);
    return changed(this, { start, mass, infinite, shift, q });
  }

  /** Up to `allowed` mass at each end is left out; or, `up`, goes to +∞, and from the bottom to what is kept. */
  trim(allowed) {
    const { mass, q } = this, on = BigInt(this.up);
    let low = 0, left = 0n, high = mass.length, right = 0n; // one entry at least stays
    while (low < mass.length - 1 && left + mass[low] <= allowed) left += mass[low++];
    while (high > low + 1 && right + mass[high - 1] <= allowed) right += mass[--high];
    const kept = [mass[low] + on * left, ...mass.slice(low + 1, high)], infinite = this.infinite + on * right;
    return changed(this, { start: this.start + low, mass: kept, infinite, q: q && q.slice(low, high) });
  }

  /** `join` of the masses at 2i and 2i + 1, which become i. */
  pairs(masses, join) {
    const all = this.start % 2 ? [0n, ...masses, 0n] : [...masses, 0n];
    return Array.from({ length: Math.ceil(all.length / 2) }, (_, i) => join(all[2 * i], all[2 * i + 1] ?? 0n));
  }

  /** A bound of δ, Σ (p − e^(ε − loss) q)₊, whose other terms are 0, or are left out. */
  delta(epsilon) {
    const { fixed, scale } = this.setting, g = this.setting.grid(this.level), start = BigInt(this.start);
    const first = most(epsilon.minus(Q.of(40)).over(g).minus(this.shift).floor(), start), q = this.q ?? this.mass;
    const at = Number(first - start), losses = [epsilon.minus(this.shift.plus(Q.of(first)).times(g)), g.negative()];
    let [weight, step] = losses.map((x) => fixed.exp(x)[1 - this.up]), found = this.infinite << fixed.bits;
    this.mass.slice(at).forEach((p, i) => {
      found += most((p << fixed.bits) - q[at + i] * weight, 0n);
      weight = -this.over(-weight * step, fixed.one);
    });
    return Q.of(found, scale << fixed.bits);
  }
}

/** Connected dots (Lemma U). */
class Upper extends Measure {
  get up() { return 1; }

  /** v rounded up, but at most p, and p − v: that moves mass up. */
  static of(cells, setting, level) {
    const { fixed } = setting, [start, size] = extent(cells), mass = Array(size + 1).fill(0n), known = {};
    const spread = (n) => fixed.one - fixed.exp(setting.grid(level).times(Q.of(-n)))[1]; // 1 − e^−ng, or less
    for (const { index, p, r, width = 1 } of cells.filter((c) => !c.endless)) {
      const part = (known[width] ??= spread(width)) || beyond("a grid is too fine");
      const right = least(up((p[1] - r[0]) << fixed.bits, part), p[1]);
      mass[index - start] += setting.up(p[1] - right);
      mass[index - start + width] += setting.up(right);
    }
    const infinite = setting.up(total(cells.filter((c) => c.endless).map((c) => c.p[1])));
    return new Upper({ setting, level, start, mass, infinite });
  }

  coarser() {
    const { fixed } = this.setting, all = fixed.one + fixed.exp(this.setting.grid(this.level).negative())[0];
    const moved = this.pairs(this.mass, (_, odd) => least(up(odd << fixed.bits, all), odd));
    const mass = this.pairs(this.mass, (a, b) => a + b).map((m, i) => m - moved[i] + (i ? moved[i - 1] : 0n));
    return changed(this, { level: this.level + 1, start: Math.floor(this.start / 2), mass });
  }
}

/** By cell (Lemma L): it becomes the index in its middle. */
class Lower extends Measure {
  get up() { return 0; }

  static of(cells, setting, level) {
    const { fixed, scale } = setting, half = setting.grid(level).times(HALF), known = {};
    const [start, size] = extent(cells), [mass, q] = [0, 1].map(() => Array(size).fill(0n));
    for (const { index, p, r, width = 1 } of cells.filter((c) => c.index !== null)) {
      const middle = (width - 1) >> 1, at = index - start + middle, place = half.times(Q.of(2 * middle + 1));
      mass[at] += (p[0] * scale) >> fixed.bits;
      q[at] += setting.up(-((-r[1] * (known[middle] ??= fixed.exp(place)[1])) >> fixed.bits));
    }
    const infinite = (total(cells.filter((c) => c.index === null).map((c) => c.p[0])) * scale) >> fixed.bits;
    return new Lower({ setting, level, start, mass, infinite, shift: HALF, q });
  }

  /** The tilt of the new cell is that of the middle between its two. */
  coarser() {
    const { fixed } = this.setting, half = this.setting.grid(this.level).times(HALF);
    const [more, less] = [half, half.negative()].map((x) => fixed.exp(x)[1]);
    const mass = this.pairs(this.mass, (a, b) => a + b), shift = this.shift.plus(HALF).times(HALF);
    const q = this.pairs(this.q, (a, b) => -(-(a * more + b * less) >> fixed.bits));
    return changed(this, { level: this.level + 1, start: Math.floor(this.start / 2), shift, mass, q });
  }
}

/** First index, number of indices; any where there is no cell. */
function extent(cells) {
  const known = cells.filter((c) => c.index !== null), ends = known.flatMap((c) => [c.index, c.index + (c.width ?? 1)]);
  const [low, high] = [Math.min, Math.max].map((of, i) => ends.reduce((a, b) => of(a, b), ends[0] ?? i));
  if (high - low > 10 * FINER * SIZES[SIZES.length - 1]) beyond("losses lie too far from each other");
  return [low, high - low];
}

function raised(x, level) {
  while (x.level < level) x = x.coarser();
  return x;
}

/** The product, on the coarser one's grid or one that is coarse enough. */
function joined(a, b, allowed) {
  let whole = raised(a, b.level).times(raised(b, a.level)).trim(allowed);
  while (whole.mass.length > whole.setting.size) whole = whole.coarser();
  return whole;
}

/**
 * `count` equal factors by squaring; `allowed` mass may be cut at last, half of it a stage before. Grids of n factors
 * are n^(growth/10) times as coarse.
 */
function repeated(x, count, allowed, growth = 4) {
  if (count === 1) return x;
  const cut = allowed.times(Q.of(x.setting.scale)).floor(), bits = bitLength(BigInt(count)) - 1;
  let half = repeated(x, Math.floor(count / 2), allowed.times(HALF), growth), whole = joined(half, half, cut);
  if (count % 2) whole = joined(whole, x, cut);
  return raised(whole, x.level + Math.floor((growth * bits + 5) / 10));
}

// --- closed forms ----------------------------------------------------------------------------------------

/** δ of N(μ, 1) against N(0, 1): Φ(a) − e^ε Φ(−b), a = μ/2 − ε/μ, b = μ/2 + ε/μ (Balle and Wang 2018). */
function gaussian(mu, epsilon, fixed) {
  const half = mu.times(HALF), a = half.minus(epsilon.over(mu)), b = half.plus(epsilon.over(mu));
  const [low, high] = fixed.normal(a);
  if (fixed.far(a)) return a.sign() > 0 ? [low - 1n, high] : [0n, high];
  const one = b.inverse(), mills = one.minus(one.power(3)), more = mills.plus(Q.of(3).times(one.power(5)));
  const density = () => fixed.times(fixed.norm, fixed.exp(a.power(2).times(HALF).negative()));
  const [least, most] = Q.of(40).below(b)
    ? fixed.times(density(), [fixed.of(mills)[0], fixed.of(more)[1]])
    : fixed.times(fixed.exp(epsilon), fixed.normal(b.negative()));
  return [low - most, high - least];
}

/** δ ≤ E e^{(α−1)(S−ε)} (1−1/α)^α/(α−1) of what is ρ-zCDP, rounded up; any α > 1 will do. */
function converted(parts, remove, epsilon, fixed) {
  const rows = parts.map(([law, k]) => [...momentsOf(law, remove), Q.of(k)]);
  const middle = epsilon.over(sum(parts.map(([law, k]) => law.rho.times(Q.of(k))))).plus(ONE).double() / 2;
  let best = fixed.one, tried = rows.flatMap(([points]) => points.slice(1).map(([a]) => a));
  for (let i = -160; i < 400; i++) tried.push(Q.of(BigInt(Math.max(Math.round(real(middle * 2 ** (i / 64) * 2 ** 12)), 1)), 1n << 12n));
  for (const lam of new Map(tried.map((each) => [String(each), each])).values()) {
    const grown = rows.map(([x, rho, k]) => {
      const at = x.findIndex(([b]) => !b.below(lam)), [[a, u], [b, v]] = [x[at - 1] ?? [], x[at] ?? []];
      const chord = at > 0 ? [u.plus(lam.minus(a).times(v.minus(u)).over(b.minus(a)))] : [];
      return smallest([rho.times(lam).times(lam.plus(ONE)), ...chord]).times(k);
    });
    best = least(best, markov(sum(grown).minus(lam.times(epsilon)), lam, fixed));
  }
  return best;
}

/** At least log (1 − 1/α)^α, α = λ + 1. */
const powerOf = (lam) => sum(Array.from({ length: 11 }, (_, n) => Q.of(-1, n + 1).over(lam.plus(ONE).power(n))));

/** The bound of `converted` at α = λ + 1, of the logarithm of E e^{λ(S − ε)}. */
function markov(size, lam, fixed) {
  const all = size.plus(powerOf(lam));
  return all.below(ONE) ? least(up(fixed.exp(greatest([all, Q.of(-3000)]))[1] * lam.d, lam.n), fixed.one) : fixed.one;
}

// --- the claim -------------------------------------------------------------------------------------------
//
// A claim is {relation, epsilon, delta, parts, directions, under}: what is claimed, of which laws (with counts), in
// which directions (true: "remove"). Upper bounds are of these; lower ones of `under`, if it is another claim: of laws
// that some neighbours have, at the other ends of numbers that are enclosed.

/** A bound of δ(claim.epsilon) in one direction, each step cut into nearly `size` cells, or in closed form. */
function bound(claim, remove, kind, size, spend) {
  const { epsilon, delta, parts } = claim, steps = parts.reduce((a, [, count]) => a + BigInt(count), 0n);
  const small = delta.n ? delta.over(Q.of(10 ** 7)) : Q.of(1n, 10n ** 30n), length = (n) => n.toString().length;
  const grid = FINER * size, digits = 6 + length(steps * BigInt(grid)) + length(small.inverse().floor());
  let fixed = new Fixed(64 + Math.trunc(3.33 * digits + 1.5 * smallest([epsilon, Q.of(800)]).double()));
  if (steps === 1n && alone(parts[0][0])) {
    return Q.of(gaussian(parts[0][0].far, epsilon, fixed)[kind === Upper ? 1 : 0], fixed.one);
  }
  const tail = log(Number(steps)) - small.log();
  for (const [law] of parts) law.prepare?.(tail, spend, epsilon.double(), Number(steps));
  const [known, others] = [false, true].map((x) => parts.filter(([law]) => (law.rho === null) === x));
  const bare = known.some(([law]) => law instanceof Concentrated);
  if (kind === Upper && known.length && others.every(([law]) => law.most && !law.most[0].n)) {
    const tried = known.reduce((all, [law]) => all + (law.points ?? []).length, 500);
    spend(known.length * tried * dear(Number(WIDE.bits), 0));
    const lost = sum(others.map(([law, k]) => law.most[1].times(Q.of(k))));
    const found = lost.plus(Q.of(converted(known, remove, epsilon, fixed), fixed.one));
    if (bare || !delta.below(found)) return found;
  }
  if (bare) beyond("zCDP beside what has other losses");
  const spans = parts.map(([law]) => law.span(tail, remove)), farthest = Math.max(...spans.flat().map(Math.abs));
  const widths = spans.map(([a, b]) => Q.of(most(whole(((b - a) / grid) * 2 ** 50), 1n << 14n), 1n << 50n));
  fixed = new Fixed(64 + Math.trunc(real(3.33 * digits + 1.5 * farthest)));
  const setting = new Setting(smallest(widths), grid, digits, fixed, spend);
  let all = null, price = dear(Number(fixed.bits), tail);
  parts.forEach(([law, count], i) => {
    const level = bitLength(widths[i].over(setting.h).floor()) - 1;
    spend(size * price * law.outcomes);
    const step = law.step(setting.grid(level), remove, fixed, tail);
    spend(step.length * price);
    const block = repeated(kind.of(step, setting, level), count, small);
    all = all ? joined(all, block, small.times(Q.of(setting.scale)).floor()) : block;
  });
  return all ? all.delta(epsilon) : NIL;
}

/** [CERTIFIED, REFUTED or UNDECIDED, how]: by finer and finer grids, the likely side of δ(ε) first. */
function decide(claim, { work = WORK, cells = null, tell = () => {} } = {}) {
  const exact = extreme(claim), spend = spender(work, tell);
  if (exact) return exact;
  const uppers = new Map(claim.directions.map((way) => [way, ONE])), upper = () => greatest([...uppers.values()]);
  let reason = "", lower = NIL, unders = [claim.under ?? claim];
  while (unders[unders.length - 1].under) unders.push(unders[unders.length - 1].under);
  for (const size of cells === null ? SIZES : [...SIZES.filter((n) => n < cells), cells]) {
    const likely = claim.delta.times(TWO).below(lower.plus(upper()));
    const below = unders.map((under) => [Lower, under]), sides = likely ? [...below, [Upper, claim]] : [[Upper, claim], ...below];
    const tasks = sides.flatMap(([kind, of]) => (of.parts.length ? of.directions.map((way) => [kind, of, way]) : []));
    let best = [NIL, unders[0]];
    for (const [kind, of, way] of tasks) {
      if (byDelta(claim, lower, upper()) !== "UNDECIDED") break;
      try {
        if (uppers.get(way)?.below(claim.delta)) continue; // this direction has less than δ
        if (kind === Lower) {
          const found = bound(of, way, kind, size, spend);
          if (best[0].below(found)) best = [found, of];
          lower = greatest([lower, found]);
        } else uppers.set(way, smallest([bound(of, way, kind, size, spend), uppers.get(way)]));
      } catch (error) {
        reason = `; ${excuse(error)}`;
      }
    }
    unders = [best[1]]; // of all neighbours
  }
  const found = byDelta(claim, lower, upper()), between = `δ(ε) is in [${general(lower)}, ${general(upper())}]`;
  return [found, between + (found === "UNDECIDED" ? reason : "")];
}

/** Decided by losses without a bound, or by the greatest finite loss and the mass at +∞ alone, exactly, or null. */
function extreme(claim) {
  const under = claim.under ?? claim, endless = ([law]) => under.directions.some((way) => law.unbounded(way)), how = new Set();
  let low = !under.delta.n && under.parts.some(endless) ? EVER : NIL, high = EVER, strict = false;
  for (const [one, upper] of [[claim, true], [under, false]]) {
    const rows = one.parts.filter(([law]) => law.most).map(([law, count]) => [...law.most, count]);
    const size = rows.reduce((found, [, lost, count]) => found + count * (bitLength(lost.d) - 1), 0);
    if (!rows.length || rows.length < one.parts.length || size > 10 ** 6) continue;
    const at = under === claim ? "" : upper ? "at most " : "at least ", whole = sum(rows.map(([x, , k]) => x.times(Q.of(k))));
    const lost = ONE.minus(rows.map(([, x, k]) => (x.n ? ONE.minus(x).power(k) : ONE)).reduce((a, b) => a.times(b)));
    const more = lost.against(one.delta);
    how.add(`from ε = ${general(whole).replace("e-0", "e-")} on, δ(ε) is ${at}${general(lost)}`);
    if (upper && more <= 0) [high, strict] = [whole, more < 0];
    else if (!upper && more >= 0) low = greatest([low, more ? EVER : whole]);
  }
  const below = high.below(claim.epsilon) || (strict && high.is(claim.epsilon) && high.n > 0n);
  const found = ruling(claim.relation, !claim.epsilon.below(high), under.epsilon.below(low), !low.below(under.epsilon), below);
  return found === "UNDECIDED" ? null : [found, [...how].join("; ") || "no ε is enough"];
}

function byDelta(claim, lower, upper) {
  const under = claim.under ?? claim, above = under.delta.below(lower);
  const below = upper.below(claim.delta) && claim.epsilon.n > 0n;
  return ruling(claim.relation, !claim.delta.below(upper), above, above || !under.epsilon.n, below);
}

/** From what is proved of the true ε against the claimed one. */
function ruling(relation, atMost, above, atLeast, below) {
  const holds = { "<=": atMost, ">=": atLeast, "=": atMost && atLeast }[relation];
  const fails = { "<=": above, ">=": below, "=": above || below }[relation];
  return holds ? "CERTIFIED" : fails ? "REFUTED" : "UNDECIDED";
}

/** Six digits of the nearest double, as Python's .6g shows them. */
function general(x) {
  const value = x.nearest(), [digits, power] = value.toExponential(5).split("e"), e = Number(power);
  const trimmed = (text) => (text.includes(".") ? text.replace(/\.?0+$/, "") : text);
  if (!Number.isFinite(value)) return "more than 1e308";
  if (!value || (e >= -4 && e < 6)) return trimmed(value.toFixed(5 - e));
  return `${trimmed(digits)}e${e < 0 ? "-" : "+"}${String(Math.abs(e)).padStart(2, "0")}`;
}

// --- the certificate -------------------------------------------------------------------------------------

/** What a verdict takes for granted; a certificate has to name what its composition needs. */
const ASSUMPTIONS = {
  releases: "nothing else that depends on the data is released",
  noise: "each step's randomness is exact, independent and secret",
  sensitivity: "each step's query has the stated sensitivity, per record",
  "poisson-sampling": "each record is in each batch independently, with the stated probability",
  "fixed-batches": "each batch is drawn as stated, independently of the others",
  "hidden-batches": "each record's batch is drawn as stated, and stays secret",
  draws: "moves of queries, numbers of runs and orders of reports are drawn as stated, and stay secret",
  guarantee: "the guarantees that are stated of mechanisms hold",
  pairs: "the pairs that are stated dominate all neighbours",
};
const ADJACENCIES = ["add", "remove", "add-or-remove", "replace-one", "zero-out"];
const VERDICTS = ["CERTIFIED", "REFUTED", "CONDITIONAL", "UNDECIDED"];
const STANDINGS = ["exact", "upper bound", "lower bound", "neither"];
const CLAIM = { quantity: ["epsilon"], relation: ["<=", ">=", "="], epsilon: "text", delta: "text" };
/** Parameters, and the law made of q and them. */
const LAWS = new Map(Object.entries({
  gaussian: [["sigma", "sensitivity"], (q, sigma, s) => shifted(GAUSSIAN, s.over(sigma), q)],
  laplace: [["b", "sensitivity"], (q, b, s) => shifted(LAPLACE, s.over(b), q)],
  mixture_of_gaussians: [["sigma", "sensitivities", "probabilities"], mixture],
  gdp: [["mu"], (q, mu) => shifted(GAUSSIAN, mu, q)], pure_dp: [["epsilon"], stated], approximate_dp: [["epsilon", "delta"], stated],
  zcdp: [["rho"], (q, rho) => (rho.n ? new Concentrated(q, rho) : stated(q, rho))],
  group_dp: [["epsilon", "delta", "m"], stated], renyi_dp: [["orders", "divergences"], renyi],
}));
/**
 * Where the law above is attained up to some step only: that step, and what some neighbours have, of the law made of the
 * smaller ends: in every step for m = 2; m = 1000 for a step alone, of m cells; or several of these.
 */
const noisy = (law) => (law.rho ? shifted(GAUSSIAN, root(TWO.times(law.rho), false), law.q) : law);
const ATTAINED = { zcdp: [0, noisy], renyi_dp: [0, noisy] };
const NAMES = [...LAWS.keys()], ONLY = ["gaussian"], REAL = ["gaussian", "laplace"], NOISE = [...REAL], POISSON = [...REAL, ...NAMES.slice(3, 7)];
const GIVEN = Object.fromEntries(NAMES.slice(3).map((name) => [name, "guarantee"])), PLAIN = NAMES.filter((name) => name !== "mixture_of_gaussians");
/** What has rational parameters only; of all else δ is proved to be monotone in each, p > 1/2, and falls in FALLS. */
const RATIONAL = [], FALLS = ["sigma", "b"], LISTS = ["sensitivities", "probabilities", "orders", "divergences"];
/** What a parameter is multiplied by; the second parameter of what can be replaced only so. */
const SCALED = {}, EVEN = {}, HIDDEN = "hidden-batches", FIXED = "fixed-batches";
/** What runs a mechanism: what it says, what it may say, what it assumes, and what it may run, under which relation. */
const AROUND = new Map(Object.entries({
  "": [[], [], "noise", { "add-or-remove": NAMES, "zero-out": PLAIN, "replace-one": PLAIN }],
  poisson: [["q"], [], "poisson-sampling", { "add-or-remove": POISSON, "zero-out": NOISE, "replace-one": ONLY }],
  sampled_without_replacement: [["q"], [], FIXED, { "replace-one": REAL }],
  sampled_with_replacement: [["m", "n"], [], FIXED, { "replace-one": ONLY }],
  truncated_poisson: [["q", "dataset_size", "max_batch"], [], FIXED, { "add-or-remove": ONLY, "replace-one": ONLY }],
  shuffled: [["batches", "dropped", "persistent"], [], HIDDEN, { "zero-out": ONLY, "replace-one": ONLY }],
  balls_and_bins: [["batches", "participations"], ["steps"], HIDDEN, { "add-or-remove": ONLY, "zero-out": ONLY }],
}));
/** Other ways to run one, of what is said, both laws, and the parameters' ends; what reads its own parameters. */
const INSIDE = {}, WHOLE = new Map();
/** Kinds of values: words, integers, Maps of objects, lists; "both" are words and lists. */
const KINDS = {
  text: (x) => typeof x === "string", integer: (x) => typeof x === "number", object: (x) => x instanceof Map,
  list: Array.isArray, both: (x) => typeof x === "string" || Array.isArray(x), any: () => true,
};
/** Of one kind each. */
const each = (names, kind) => Object.fromEntries(names.map((name) => [name, kind]));
const KEYS = {
  schema: [SCHEMA], adjacency: ADJACENCIES, standing: STANDINGS, verdict: VERDICTS, ...each(["reason", "sha256"], "text"),
  ...each(["claim", "versions"], "object"), ...each(["composition", "assumptions", "dominating_pairs"], "list"),
  ...each(["cause", "enclosure", "witness"], "any"),
};
const NUMBER = /^(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,3}))?(?:\/([1-9]\d*))?$/;
const TOKEN = /\d+(?:\.\d+)?(?:[eE][+-]?\d{1,3})?|sqrt|exp|ln|log|[-+*/()]/g;
const END = /^(0|[1-9]\d*)(?:\*2\^(-?[1-9]\d{0,4})|\/([1-9]\d*))?$/;
const SPACE = /[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/g;

/** [the certificate in a file, what is to be said of its envelope, if it has one]. */
function opened(data) {
  const content = loads(data);
  if (!content.has("payload")) return [certificate(content), []];
  const [payload, signed] = envelope(content);
  const kinds = { subject: "list", _type: [STATEMENT], predicateType: [PREDICATE], predicate: "object" };
  const [subject, , , predicate] = fields(loads(payload), kinds);
  const document = certificate(predicate), named = subject.map((row) => row?.get?.("digest"));
  if (!named.some((x) => x?.size === 1 && x.get("sha256") === document.get("sha256"))) reject("the subject of its statement is something else");
  return [document, [`in an envelope${signed ? " whose signatures were not checked" : ", but nobody signed it"}`]];
}

/** [payload, whether there are signatures] of a DSSE envelope, not verified. */
function envelope(content) {
  const [, payload, signatures] = fields(content, { payloadType: [PAYLOAD], payload: "text", signatures: "list" });
  const texts = signatures.map((row) => fields(row, each(row?.has?.("keyid") ? ["sig", "keyid"] : ["sig"], "text"))[0]);
  const base64 = (text) => text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);
  if (![payload, ...texts].every(base64)) reject("its payload and signatures must be base64");
  if (![payload, ...texts].every((text) => text)) reject("its payload and signatures must not be empty");
  return [Uint8Array.from(atob(payload), (c) => c.charCodeAt(0)), texts.length > 0];
}

/** A JSON object without floats, repeated keys, deep nesting or large integers; objects become Maps. */
function loads(data) {
  if (data.length > MAX_BYTES) reject(`it has more than ${MAX_BYTES} bytes`);
  const exact = "numbers must be integers that are not too large, or exact ones in strings";
  const other = "it is not JSON in UTF-8, or nested too deep";
  let text = "", depth = 0, keys = 0, found;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(data);
    found = JSON.parse(text, (_, value) => {
      if (value === null || typeof value !== "object") return typeof value === "number" ? value + 0 : value; // no −0
      if (!Array.isArray(value)) keys -= Object.keys(value).length;
      return Array.isArray(value) ? value : new Map(Object.entries(value));
    });
  } catch {
    reject(/[:[,]\s*(?:NaN|-?Infinity)/.test(text) ? exact : other);
  }
  // It is JSON: these are its strings, keys among them, its brackets and its numbers.
  for (const [token] of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"(?:\s*:)?|[[{}\]]|-?\d[^\s,}\]]*/g)) {
    if (token[0] === '"') keys += Number(token.endsWith(":"));
    else if ("[{}]".includes(token)) depth += "[{".includes(token) ? 1 : -1;
    else if (!/^-?\d{1,16}$/.test(token) || !Number.isSafeInteger(Number(token))) reject(exact);
    if (depth > MAX_NESTING) reject(other);
  }
  if (keys) reject("a key comes twice");
  return KINDS.object(found) ? found : reject("it is no JSON object");
}

/** The document, if it is a certificate with its own digest. */
function certificate(document) {
  fields(document, KEYS);
  const content = new Map([...document].filter(([key]) => key !== "sha256"));
  const digest = sha256(new TextEncoder().encode(canonical(content, 0)));
  if (document.get("sha256") !== digest) reject("its digest is not that of its content");
  return document;
}

/** RFC 8785: no spaces, keys in the order of UTF-16 units. */
function canonical(value, depth) {
  if (depth > MAX_DEPTH) reject(`it is nested deeper than ${MAX_DEPTH}`);
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item, depth + 1)).join()}]`;
  if (!KINDS.object(value)) return /\p{Cs}/u.test(value) ? reject("it has half a character") : JSON.stringify(value);
  const row = (key) => `${canonical(key, depth + 1)}:${canonical(value.get(key), depth + 1)}`;
  return `{${[...value.keys()].sort().map(row).join()}}`;
}

/** SHA-256 in hexadecimal digits (FIPS 180-4); of files and in workers no browser promises its own. */
function sha256(data) {
  const part = (x) => (x * 2 ** 32) | 0; // 32 bits after the point; doubles hold 17 more of these roots
  const primes = [];
  for (let n = 2; primes.length < 64; n++) if (primes.every((p) => n % p)) primes.push(n);
  const constants = primes.map((p) => part(Math.cbrt(p))), hash = primes.slice(0, 8).map((p) => part(Math.sqrt(p)));
  const padded = new Uint8Array(Math.ceil((data.length + 9) / 64) * 64), view = new DataView(padded.buffer);
  padded.set(data);
  padded[data.length] = 0x80;
  view.setUint32(padded.length - 4, data.length * 8); // a file has less than 2^29 bytes
  const turn = (x, ...by) => by.reduce((found, n) => found ^ ((x >>> n) | (x << (32 - n))), 0), w = new Int32Array(64);
  for (let at = 0; at < padded.length; at += 64) {
    for (let i = 0; i < 16; i++) w[i] = view.getInt32(at + 4 * i);
    const s = (x, a, b, c) => turn(x, a, b) ^ (x >>> c);
    for (let i = 16; i < 64; i++) w[i] = w[i - 16] + s(w[i - 15], 7, 18, 3) + w[i - 7] + s(w[i - 2], 17, 19, 10);
    let [a, b, c, d, e, f, g, h] = hash;
    for (let i = 0; i < 64; i++) {
      const first = h + turn(e, 6, 11, 25) + ((e & f) ^ (~e & g)) + constants[i] + w[i];
      const second = turn(a, 2, 13, 22) + ((a & b) ^ (a & c) ^ (b & c));
      [a, b, c, d, e, f, g, h] = [(first + second) | 0, a, b, c, (d + first) | 0, e, f, g];
    }
    [a, b, c, d, e, f, g, h].forEach((x, i) => { hash[i] = (hash[i] + x) | 0; });
  }
  return hash.map((x) => (x >>> 0).toString(16).padStart(8, "0")).join("");
}

/** The values of an object that has these keys, of these kinds or in these lists. */
function fields(value, kinds) {
  const names = Object.keys(kinds);
  if (!KINDS.object(value) || value.size !== names.length || !names.every((name) => value.has(name))) {
    reject(`keys must be ${names.join(", ")}`);
  }
  for (const [name, kind] of Object.entries(kinds)) {
    const words = Array.isArray(kind), known = words ? kind.includes(value.get(name)) : KINDS[kind](value.get(name));
    if (!known) reject(words ? `${name} must be ${kind.join(" or ")}` : `${name} is of another type`);
  }
  return names.map((name) => value.get(name));
}

/** As Python shows it in a list. */
function quoted(text) {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  return quote + visible(text.replaceAll("\\", "\\\\").replaceAll(quote, `\\${quote}`)) + quote;
}

const start = (text) => quoted([...text.slice(0, 80)].slice(0, 40).join(""));
/** Whether it is a text of at most MAX_CHARS characters. */
const short = (text) => KINDS.text(text) && text.length <= 2 * MAX_CHARS && [...text].length <= MAX_CHARS;

/** A decimal or a fraction, ≥ 0. */
function number(text) {
  if (!short(text)) reject("numbers must be short strings");
  const found = NUMBER.exec(text);
  if (!found || (found[4] && found[3])) beyond(`${start(text)} is no decimal and no fraction`);
  const [, whole, part = "", power = "0", under = "1"] = found, n = BigInt(whole + part), e = Number(power) - part.length;
  if (Math.abs(e + n.toString().length - 1) > MAX_EXPONENT) beyond(`numbers within 10^±${MAX_EXPONENT} only`);
  const ten = 10n ** BigInt(Math.abs(e));
  return e < 0 ? Q.of(n, ten * BigInt(under)) : Q.of(n * ten, BigInt(under));
}

/** A number ≥ 0 twice, or what encloses it: sums, products, exp, ln and sqrt, with the precedences of Python. */
function enclosed(text) {
  if (!short(text) || NUMBER.test(text)) return [number(text), number(text)];
  const words = text.match(TOKEN) ?? [];
  if (words.join("") !== text.replace(SPACE, "")) beyond(`${start(text)} is not made of decimals`);
  const tokens = ["end", ...words.reverse()], found = expression(tokens, 0);
  return tokens.length === 1 && found[0].sign() >= 0 ? found : beyond("numbers ≥ 0, whose brackets close");
}

const FUNCTIONS = { sqrt: (a, b) => [root(a, false), root(b, true)], exp: expOf, ln: logarithm, log: logarithm };
const BINDS = { "+": 1, "-": 1, "*": 2, "/": 2 };

/** Up to an operator that binds no closer than `floor`. */
function expression(tokens, floor) {
  let token = tokens.pop(), found;
  if (NUMBER.test(token)) found = [number(token), number(token)];
  else if (token === "+" || token === "-") found = product(Array(2).fill(Q.of(`${token}1`)), expression(tokens, 2));
  else if (token === "(" || (token in FUNCTIONS && tokens.pop() === "(")) {
    found = expression(tokens, 0);
    if (tokens.pop() !== ")" || (found[0].sign() <= 0 && token !== "(" && token !== "exp")) {
      beyond("numbers whose brackets close; roots and logarithms of numbers above 0");
    }
    if (token !== "(") found = cut(...FUNCTIONS[token](...found));
  } else beyond(`a number with ${start(token)}`);
  while ((BINDS[tokens[tokens.length - 1]] ?? 0) > floor) {
    const sign = tokens.pop(), [low, high] = expression(tokens, BINDS[sign]);
    if (sign === "/" && low.sign() <= 0 && high.sign() >= 0) beyond("a number that is divided by 0");
    if (sign === "+") found = cut(found[0].plus(low), found[1].plus(high));
    else if (sign === "-") found = cut(found[0].minus(high), found[1].minus(low));
    else found = product(found, sign === "*" ? [low, high] : [high.inverse(), low.inverse()]);
  }
  return found;
}

const WIDE = new Fixed(2000);

/** Short exact numbers stay; others are rounded outward. */
function cut(low, high) {
  if (new Q(2n ** 2000n, 1n).below(greatest([low.abs(), high.abs()]))) beyond("a number is too large");
  if (low.is(high) && bitLength(low.d) < 2000) return [low, high];
  return [Q.of(WIDE.of(low)[0], WIDE.one), Q.of(WIDE.of(high)[1], WIDE.one)];
}

function product(a, b) {
  const products = a.flatMap((x) => b.map((y) => x.times(y)));
  return cut(smallest(products), greatest(products));
}

function expOf(low, high) {
  if (Q.of(700).below(greatest([low.abs(), high.abs()]))) beyond("a power that is too large");
  return [Q.of(WIDE.exp(low)[0], WIDE.one), Q.of(WIDE.exp(high)[1], WIDE.one)];
}

/** ln x = y + ln(1 + u), u = xe^−y − 1, of any y; u − u² ≤ ln(1 + u) ≤ u for |u| ≤ 1/4. */
function logarithm(low, high) {
  const [x, y] = [low, high].map((each) => near(each.log()));
  const u = low.times(expOf(x.negative(), x.negative())[0]).minus(ONE);
  const v = high.times(expOf(y.negative(), y.negative())[1]).minus(ONE);
  if (Q.of(1, 4).below(greatest([u.abs(), v.abs()]))) beyond("a logarithm that floats miss");
  return [x.plus(u).minus(u.power(2)), y.plus(v)];
}

/** An end of an enclosure: `m*2^e`, `n/d` or `inf`, which is 1/0. */
function end(text) {
  if (text === "inf") return EVER;
  const found = text.length <= 4000 && END.exec(text);
  if (!found) reject("an end of the enclosure must be m*2^e, n/d or inf, m and n ≥ 0");
  const e = Number(found[2] ?? 0), two = 1n << BigInt(Math.abs(e)), n = BigInt(found[1]);
  return e < 0 ? Q.of(n, two) : Q.of(n * two, BigInt(found[3] ?? 1));
}

function within(x, low, high) {
  const [a, b] = [low, high].map((each) => (each instanceof Q ? each : Q.of(each)));
  if (x.below(a) || b.below(x)) beyond(`a parameter, or sensitivity over noise, from ${low} to ${high} only`);
  return x;
}

/** A BigInt. */
function integer(x, low, high) {
  if (x.d !== 1n) reject("counts, and moves of integers, must be integers");
  return within(x, low, high).n;
}

const counts = (texts) => texts.map((text) => integer(number(text), 1, MAX_COUNT));

/**
 * [a law that dominates all neighbours, one that some have, up to how many steps the first one is had (null: any)] of
 * one step, and into `needed` what it assumes.
 */
function lawOf(mechanism, adjacency, needed, alone = false) {
  const row = { name: "text", parameters: "object", base: "any" };
  let [name, values, base] = fields(mechanism, row), around = "", outer = new Map();
  if (WHOLE.has(name)) return WHOLE.get(name)(values, base, adjacency, needed);
  const relation = ["replace-one", "zero-out"].includes(adjacency) ? adjacency : "add-or-remove";
  if (name && AROUND.has(name)) [around, outer, [name, values, base]] = [name, values, fields(base, row)];
  const [keys, may, assumed, { [relation]: known = [] }] = AROUND.get(around);
  if (!known.includes(name) || base !== null) beyond(`${around || "a mechanism"} of ${start(name)} under ${adjacency}`);
  const [names, make] = LAWS.get(name), replaced = relation === "replace-one";
  fields(values, each(names, "both"));
  const ends = names.map((key) => endsOf(name, key, values.get(key)));
  for (const each of [assumed, GIVEN[name] ?? "sensitivity"]) needed.add(each);
  if (name === "mixture_of_gaussians") needed.add("draws");
  if (replaced && name in EVEN && !ends[1][0].is(EVEN[name])) beyond("uneven or monotone scores, replaced");
  if (replaced && names.includes("sensitivity")) ends.push(ends.pop().map((x) => TWO.times(x))); // one record leaves, another comes
  const texts = fields(outer, each([...keys, ...may.filter((word) => outer.has(word))], "text"));
  const [least, most] = keys[0] === "q" ? enclosed(texts[0]) : [ONE, ONE];
  if (least.sign() <= 0 || ONE.below(most)) beyond("Poisson sampling and batches with q in (0, 1] only");
  const made = (q, up) => make(q, ...ends.map((both, i) => both[Number(up !== FALLS.includes(names[i]))]));
  const [tight, had] = ATTAINED[name] ?? [null, (law) => law];
  let whole = made(most, true), part = had(made(least, false), alone ? 1000 : 2);
  if (around in INSIDE) return INSIDE[around](texts, whole, part, ends);
  if (assumed === HIDDEN) return hidden(around === "balls_and_bins", texts, whole.far, part.far, replaced);
  if (around === "sampled_with_replacement") return drawn(...counts(texts), whole.far, part.far);
  if (around === "sampled_without_replacement") return least.below(ONE) ? [new Batch(whole), part, 1] : [whole, part, tight];
  if (around && replaced) [whole, part] = [other(whole, most), other(part, least)];
  const sizes = counts(texts.slice(1));
  return sizes[1] < sizes[0] ? truncated(number(texts[0]), sizes, whole, part, replaced) : [whole, part, tight];
}

/** Shuffled batches, or, `once`, one of T drawn at random: the batch revealed dominates both. */
function hidden(once, texts, far, low, replaced) {
  const plain = ["0 False", "1"].includes(texts.slice(1).join(" "));
  const n = counts(once ? texts : texts.slice(0, 1));
  const order = ["True", "False"].includes(texts.slice(2).join(" ")) && number(texts[1]).below(ONE);
  const several = n.length > 2 && n[1] > 1n && n[1] > absolute(n[2] - n[0] * n[1]);
  if (!(order || several || (n.length === 2 && n[1] === 1n))) reject("what is said of batches does not go together");
  const [a, b] = replaced || once ? [low, NIL] : [low.times(TWO), low], x = far.double();
  const attack = n[0] > 1n ? thrown(n[0], a, b, false) : shifted(GAUSSIAN, a.minus(b));
  const fits = once && n[0] > 1n && n[0] <= 10_000n && x * (x / 2 + 6) < 9 + log(Number(n[0]));
  const above = fits ? thrown(n[0], far, NIL, true) : shifted(GAUSSIAN, far);
  return [above, plain ? attack : null, once && !plain ? 0 : null];
}

/** A sampled record that moves Gaussian noise by C is replaced by one that moves it by −C, 2C away. */
function other(pair, q) {
  const rest = q.below(ONE) ? [[NIL, ONE.minus(q)]] : [], far = pair.ends[1].times(HALF);
  return new Pair(GAUSSIAN, [[far, q], ...rest], [[far.negative(), q], ...rest]);
}

/** A parameter, twice or enclosed; lists of exact numbers. */
function endsOf(name, key, value) {
  if (key === "monotone") return Array(2).fill([NIL, ONE][["False", "True"].indexOf(value)] ?? reject("it is True or False"));
  const many = LISTS.includes(name) || LISTS.includes(key);
  if (Array.isArray(value) !== many) reject(`${key} is of another type`);
  if (many) {
    const exact = value.slice(0, MAX_OUTCOMES + 1).map(number);
    if (exact.length > MAX_OUTCOMES || exact.reduce((bits, x) => bits + bitLength(x.d), 0) > 10 ** 5) {
      beyond(`more than ${MAX_OUTCOMES} outcomes, or too many digits of them`);
    }
    return [exact, exact];
  }
  const told = enclosed(value), [low, high] = name in SCALED ? product(told, enclosed(SCALED[name])) : told;
  if ([...FALLS, "sensitivity"].includes(key) && !low.n) reject("noise and sensitivity must be > 0");
  const falls = key === "p" && !HALF.below(low);
  const wide = low.times(Q.of(1n, 1n << 100n)).below(high.minus(low)); // or too little is known of it
  if (wide || (low.below(high) && (RATIONAL.includes(name) || falls))) beyond(`an irrational ${key} of ${name}`);
  return [low, high];
}

/** Gaussian noise adds up to one of μ² = Σ kμ², whose root is rounded to its side. */
function oneGaussian(parts, upper) {
  const plain = parts.filter(([law]) => alone(law));
  if (plain.reduce((steps, [, k]) => steps + k, 0) < 2) return parts;
  const mu = root(sum(plain.map(([law, k]) => law.far.power(2).times(Q.of(k)))), upper);
  return [...parts.filter(([law]) => !alone(law)), [shifted(GAUSSIAN, mu), 1]];
}

/** √x, rounded to 200 bits after the point or more: up or down. */
function root(x, upper) {
  const bits = BigInt(200 + Math.max(bitLength(x.d) - bitLength(x.n), 0));
  const floor = squareRoot((x.n << (2n * bits)) / x.d), exact = Q.of(floor, 1n << bits).power(2).is(x);
  return Q.of(upper && !exact ? floor + 1n : floor, 1n << bits);
}

/** The claim; standing, assumptions and enclosure must fit it. */
function claimOf(document) {
  const { adjacency, verdict, composition, standing, assumptions, enclosure, reason } = Object.fromEntries(document);
  const [, relation, epsilon, delta] = fields(document.get("claim"), CLAIM);
  if (!composition.length || composition.length > MAX_PARTS) beyond(`compositions of 1 to ${MAX_PARTS} kinds only`);
  const needed = new Set(["releases", "noise"]);
  const known = composition.map((step) => {
    const [count, mechanism] = fields(step, { count: "integer", mechanism: "object" });
    if (count < 1 || count > MAX_COUNT) reject(`count must be from 1 to ${MAX_COUNT}`);
    return [lawOf(mechanism, adjacency, needed, composition.length === 1 && count === 1), count];
  });
  const numbers = [enclosed(epsilon), enclosed(delta)];
  const claim = claimed(relation, adjacency, numbers, known, standing), names = [...needed].sort();
  const said = assumptions.map((row) => fields(row, each(["id", "text"], "text"))).sort(([a], [b]) => (a < b ? -1 : 1));
  const told = said.length === names.length && said.every(([id, text], i) => id === names[i] && text === ASSUMPTIONS[id]);
  if (!told || ONE.below(claim.delta)) reject(`its assumptions must be ${names.join(", ")}, and delta at most 1`);
  if (enclosure !== null) {
    const [low, high] = fields(enclosure, { lower: "text", upper: "text" }).map(end), [a, b] = numbers[0];
    const ruled = ruling(relation, !a.below(high), b.below(low), !low.below(b), high.below(a));
    const open = ruled === "UNDECIDED" && reason; // why it is decided nevertheless
    if (high.below(low) || (["CERTIFIED", "REFUTED"].includes(verdict) && ruled !== verdict && !open)) {
      reject("the verdict does not follow from the enclosure");
    }
  }
  return claim;
}

/**
 * Upper bounds need a law above every step. Lower ones need some steps: who doesn't look at the others knows no more. A
 * weaker standing than what is derived takes away what it doesn't say.
 */
function claimed(relation, adjacency, [epsilons, deltas], known, told) {
  const steps = known.reduce((found, [, count]) => found + count, 0);
  const exact = known.every(([[, , tight]]) => tight === null || steps <= tight);
  if (!exact && ["exact", "lower bound"].includes(told)) reject("pairs that only bound are said to be attained");
  const weaker = told === "neither" || (exact && told !== "exact");
  const ways = { add: [false], remove: [true] }[adjacency] ?? [true, false];
  const side = (upper, under, turn = 0) => {
    const kept = !weaker || told === (upper ? "upper bound" : "lower bound");
    const one = (law) => (Array.isArray(law) ? law[Math.min(turn, law.length - 1)] : law);
    const laws = known.map(([both, count]) => [kept ? one(both[upper ? 0 : 1]) : null, count]).filter(([law]) => law);
    const parts = oneGaussian(!upper || laws.length === known.length ? laws : [], upper);
    const directions = parts.every(([law]) => law.symmetric) ? [true] : ways, at = upper ? 0 : 1;
    return { relation, epsilon: epsilons[at], delta: deltas[at], parts, directions, under };
  };
  let under = null;
  for (let turn = Math.max(...known.map(([[, law]]) => (Array.isArray(law) ? law.length : 1))); turn--;) under = side(false, under, turn);
  return side(true, under);
}

/** [CONFIRMED, CONTRADICTED or UNDECIDED, lines to read]. */
function recheck(document, limits) {
  const { verdict, claim, adjacency, composition, assumptions } = Object.fromEntries(document);
  let found, how;
  try {
    [found, how] = decide(claimOf(document), limits);
  } catch (error) {
    return ["UNDECIDED", [`UNDECIDED: beyond this checker: ${excuse(error)}`]];
  }
  const lines = [
    `claim: ε ${claim.get("relation")} ${claim.get("epsilon")} at δ = ${claim.get("delta")}, ${adjacency}`,
    ...composition.map((step) => `of: ${step.get("count")} * ${plain(step.get("mechanism"))}`),
    ...assumptions.map((row) => `assumed: ${row.get("text")}`),
    `found: ${found}; ${how}`,
  ];
  if (found === "UNDECIDED" || (verdict !== "CERTIFIED" && verdict !== "REFUTED")) {
    return ["UNDECIDED", [`UNDECIDED: ${verdict} is stated, ${found} is found`, ...lines]];
  }
  const outcome = found === verdict ? "CONFIRMED" : "CONTRADICTED";
  return [outcome, [`${outcome}: ${verdict}`, ...lines]];
}

function plain(mechanism) {
  const show = (value) => (Array.isArray(value) ? `[${value.map(quoted).join(", ")}]` : value);
  const { name, parameters, base } = Object.fromEntries(mechanism), inner = base ? [plain(base)] : [];
  return `${name}(${[...inner, ...[...parameters].map(([key, value]) => `${key}=${show(value)}`)].join(", ")})`;
}

/** No line of a certificate steers a terminal. */
function visible(line) {
  return line.replace(/[\p{C}\p{Z}]/gu, (c) => {
    const code = c.codePointAt(0), known = { "\t": "\\t", "\n": "\\n", "\r": "\\r", " ": " " }[c];
    const hex = code.toString(16), width = code < 256 ? 2 : code < 65536 ? 4 : 8;
    return known ?? `\\${"xuU"[Math.log2(width) - 1]}${hex.padStart(width, "0")}`;
  });
}

/**
 * What is to be said of the bytes of a file: {outcome, lines}. The outcome is CONFIRMED, CONTRADICTED, REJECTED,
 * UNDECIDED or, of an error in this file, which says nothing, FAILED. `limits` are as recheck.py has them; its `tell`
 * hears the share of the work.
 */
function checked(data, limits = {}) {
  try {
    const [document, notes] = opened(data), [outcome, lines] = recheck(document, limits);
    return { outcome, lines: [...lines, ...notes].map(visible) };
  } catch (error) {
    const outcome = error instanceof Rejected ? "REJECTED" : "FAILED";
    const said = outcome === "REJECTED" ? error.message : `an error of the checker, which says nothing: ${error}`;
    return { outcome, lines: [visible(`${outcome}: ${said}`)] };
  }
}

// --- queries ---------------------------------------------------------------------------------------------
//
// What answers queries: integer noise, responses, stated outcomes, choices, thresholds, shuffled reports. What trains does
// not need this section: without it these are beyond the checker, all else is as it is with it.

/** True answer with probability p, each of the others with r = (1 − p)/(k − 1). */
function response(q, p, categories) {
  const k = integer(categories, 2, 10 ** 9), r = ONE.minus(within(p, 0, 1)).over(Q.of(k - 1n));
  return listed(q, [p, r, r.times(Q.of(k - 2n))], [r, p, r.times(Q.of(k - 2n))]);
}

/** Outcomes of these probabilities, with the record and without it. */
function listed(q, p, base) {
  if (p.length !== base.length || ![p, base].every((x) => sum(x).is(ONE))) reject("both laws must be as long, of sum 1");
  const rows = p.map((a, i) => [a, base[i]]).filter(([a, b]) => a.n || b.n);
  const even = same(rows, rows.map(([a, b]) => [b, a]));
  return new Atoms((fixed) => rows.map(([a, b]) => [fixed.of(a), fixed.of(b)]), q, { even });
}

/** s + Bin(n, p) against Bin(n, p). */
function binomial(q, n, p, sensitivity) {
  const size = Number(integer(n, 1, 1000)), s = Number(integer(sensitivity, 1, 2000));
  if (p.sign() <= 0 || !p.below(ONE) || size * bitLength(p.d) > 4000) beyond("binomial noise of a short p only");
  let weights = [], ways = 1n, nothing = Array(s).fill(ZERO), whole = p.d ** BigInt(size);
  for (let i = 0n; i <= size; i++) {
    weights.push(ways * p.n ** i * (p.d - p.n) ** (BigInt(size) - i));
    ways = (ways * (BigInt(size) - i)) / (i + 1n);
  }
  const masses = (fixed) => {
    const law = weights.map((w) => fixed.over([w, w], [whole, whole])), base = [...law, ...nothing];
    return [...nothing, ...law].map((x, i) => [x, base[i]]).filter(([x, y]) => !(nil(x) && nil(y)));
  };
  return new Atoms(masses, q, { even: p.is(HALF) || s > size });
}

/** Noise ∝ e^{−x²/2σ²} on the integers, around s against around 0. */
function discreteGaussian(q, sigma, sensitivity) {
  const s = Number(integer(sensitivity, 1, 1000));
  within(sigma, Q.of(1, 5), 1500);
  const masses = (fixed, tail) => {
    const x = Math.ceil(real(sigma.double() * Math.sqrt(2 * tail))) + s + 2;
    if (x > 15_000) beyond("too many outcomes of integer noise");
    const weights = Array.from({ length: x + 1 }, (_, i) => fixed.exp(Q.of(-i * i).over(TWO.times(sigma.power(2)))));
    const beyondX = fixed.times(weights[x], fixed.of(sigma.power(2).over(Q.of(x))))[1];
    const mass = fixed.shares([...weights.slice(1).reverse(), ...weights], 2n * beyondX);
    const outcomes = mass.slice(s).map((base, i) => [mass[i], base]);
    const rest = [0n, fixed.one - total(outcomes.map(([p]) => p[0]))];
    return [...outcomes, [rest, ZERO], [ZERO, rest]];
  };
  return new Atoms(masses, q, { endless: true });
}

/** Q-masses ∝ 1, x, …, xⁿ, x = e^{−η/n}, those between both ends times `inner`, by default 1 − x; P backwards. */
function geometric(q, eta, n, inner = null, rho = null) {
  within(eta, 0, 5000);
  const size = Number(integer(n, 1, 1000));
  const masses = (fixed) => {
    const weights = Array.from({ length: size + 1 }, (_, i) => fixed.exp(eta.times(Q.of(-i, size)))), [low, high] = weights[1];
    const factor = inner ? fixed.of(inner) : [most(fixed.one - high, 0n), fixed.one - low];
    const law = fixed.shares(weights.map((w, i) => (i % size ? fixed.times(w, factor) : w)));
    return law.map((base, i) => [law[size - i], base]);
  };
  return new Atoms(masses, q, { most: q.is(ONE) ? [eta, NIL] : null, rho });
}

/** Whether noise is above a share of the move. */
const told = (pair, share = HALF) => new Atoms((fixed) => {
  const [, ...below] = pair.at(pair.far.times(share), fixed);
  return [below, below.map(([low, high]) => [fixed.one - high, fixed.one - low])];
}, ONE, { even: share.is(HALF) });

/** GNMax, two classes, the first ahead by d + 1 votes and by d − 1: it wins with Φ((d + 1)h) and Φ((d − 1)h). */
function ahead(pair, turn) {
  const h = pair.far.times(HALF), more = ONE.plus(Q.of(1n, 1n << 100n));
  let lead = ONE;
  const prepare = (tail, spend, epsilon, steps) => {
    const loss = (epsilon * [0.9, 0.95, 1, 1.1][turn % 4]) / Math.min([1, 2, 3, 4, 6, 9, 14][turn >> 2], steps);
    lead = greatest([Q.of(BigInt(Math.round(real(loss / (2 * h.double() ** 2))))), ONE]);
  };
  const masses = (fixed) => {
    const places = [lead.plus(ONE).times(h), lead.minus(ONE).times(h).times(more)];
    return [places, places.map((y) => y.negative())].map((row) => row.map((y) => fixed.normal(y)));
  };
  return new Atoms(masses, ONE, { even: false, prepare });
}

/** A candidate with probability ∝ e^{εu/2Δ}; scores u move by at most Δ, all one way in one of two cases. */
function exponential(q, epsilon, oneWay, times) {
  const eta = epsilon.over(ONE.plus(oneWay)).over(Q.of(integer(times, 1, 1)));
  return geometric(q, eta, Q.of(1000), TWO, eta.power(2).times(Q.of(1, 8)));
}

/**
 * Bits, and the chance that each of some stages (v, n) is passed and all before it: that n independent noises are below
 * σz − v, z being one noise of all stages.
 */
function passed(noise, sigma, stages, tail, spend) {
  const all = stages.reduce((found, [, n]) => found + n, 0), far = Math.trunc(tail) + 37, found = stages.map(() => ZERO);
  const laplace = noise === LAPLACE, fixed = new Fixed(256 + 2 * far + (laplace ? 4 * all : 0)), bits = Number(fixed.bits);
  const half = fixed.one >> 1n, error = fixed.exp(Q.of(-far))[1], power = ONE.plus(sigma.power(2).times(Q.of(all))).double();
  const root = (x) => Number(squareRoot(BigInt(Math.trunc(real(x))))), fine = root(((tail + 40) * power) / 19) + 1;
  const wide = laplace ? -1 : (root(2 * far) + 3) * fine, ends = [Q.of(-far), NIL, Q.of(far), ...stages.map(([v]) => v.over(sigma))];
  const cuts = [...new Map(ends.map((x) => [String(x), x])).values()].filter((x) => !Q.of(far).below(x.abs()));
  cuts.sort((a, b) => a.against(b));
  spend((2 * wide + 2) * (4 * dear(bits, tail + 40) + Math.floor((all * bits) / 8)));
  if (laplace) spend(cuts.length * (all + 1) ** 2 * bits);
  const product = (x, y) => {
    const products = x.flatMap((a) => y.map((b) => a * b));
    return [products.reduce(least) >> fixed.bits, -(-products.reduce(most) >> fixed.bits)];
  };
  const plus = (x, y) => [x[0] + y[0], x[1] + y[1]];
  const gain = (j, x, y) => { found[j] = plus(found[j], product(x, y)); };
  for (let i = -wide; i <= wide; i++) {
    const z = Q.of(i, fine), below = new Map();
    let left = fixed.times(fixed.norm, fixed.exp(z.power(2).times(HALF).negative()));
    stages.forEach(([v, n], j) => {
      const key = String(v);
      if (!below.has(key)) below.set(key, fixed.normal(sigma.times(z).minus(v)));
      for (let k = 0; k < n; k++) left = fixed.times(left, below.get(key));
      gain(j, left, fixed.of(Q.of(1, fine)));
    });
  }
  cuts.slice(laplace ? 1 : cuts.length).forEach((high, at) => {
    const low = cuts[at], areas = new Map(), sign = high.sign() <= 0 ? 1 : -1;
    let terms = new Map([[0, [half, half]]]);
    stages.forEach(([v, n], j) => {
      const way = v.below(sigma.times(high)) ? -1 : 1, moved = fixed.exp(v.times(Q.of(-way)));
      const factor = moved.map((x, i) => BigInt(way) * ((x + BigInt(i)) >> 1n));
      for (let k = 0; k < n; k++) {
        const next = new Map(way < 0 ? terms : []);
        for (const [at, x] of terms) next.set(at + way, plus(next.get(at + way) ?? ZERO, product(x, factor)));
        terms = next;
      }
      for (const [k, x] of terms) {
        const mu = sigma.times(Q.of(k)).plus(Q.of(sign));
        if (!areas.has(k) && !mu.n) areas.set(k, fixed.of(high.minus(low)));
        if (!areas.has(k)) {
          const [a, b] = [low, high].map((y) => fixed.exp(mu.times(y))), [c, d] = mu.n > 0n ? [a, b] : [b, a];
          areas.set(k, fixed.mean([[NIL, mu.abs().inverse()]], [[d[0] - c[1], d[1] - c[0]]]));
        }
        gain(j, x, areas.get(k));
      }
    });
  });
  return [fixed.bits, found.map(([low, high]) => [most(low - error, 0n), high + error])];
}

/** Which of some stages (v, n, m) is not passed, of v in P and v + m in Q; or, `winners`, whether one of so many wins. */
function seen(noise, sigma, stages, winners = 0) {
  const known = new Map();
  const prepare = (tail, spend) => {
    if (known.has(tail)) return;
    known.set(tail, [NIL, ONE].map((way) => {
      const [bits, chances] = passed(noise, sigma, stages.map(([v, n, m]) => [v.plus(m.times(way)), n]), tail, spend);
      const wins = [chances[chances.length - 1].map((x) => BigInt(winners) * x)], one = 1n << bits;
      const chain = [[one, one], ...(winners ? wins : chances), ZERO];
      return chain.slice(1).map((b, i) => [[most(chain[i][0] - b[1], 0n), chain[i][1] - b[0]], bits]);
    }));
  };
  const scaled = ([[low, high], bits], fixed) => [(low << fixed.bits) >> bits, -((-high << fixed.bits) >> bits)];
  const masses = (fixed, tail) => {
    const [p, q] = known.get(tail) ?? [[], []];
    return p.map((x, i) => [scaled(x, fixed), scaled(q[i], fixed)]);
  };
  return new Atoms(masses, ONE, { even: false, prepare });
}

/** Some times n queries that rise, and one that falls: by turns the first are higher. Any prove. */
function stops({ noise, moves: [threshold, move], oneWay, cap }, turn) {
  const sigma = move.over(threshold), many = cap > 15, laplace = noise === LAPLACE, turned = laplace && turn > 3;
  const n = !laplace ? (many ? 1 : cap - 1) : turned ? Math.min(Math.max(Number(up(4n * sigma.d, sigma.n)), 4), 32) : 4;
  const times = laplace ? 4 : Math.min(Math.floor(cap / (n + 1)), 50), wide = !laplace && many ? sigma.times(HALF) : NIL;
  const low = laplace ? Q.of(1, 16) : Q.of(-5 - 2 * bitLength(BigInt(times)), 8);
  const rises = low.plus(Q.of(turn - (turned ? 7 : laplace ? 4 : 0), 5)), falls = oneWay.n && n ? NIL : move.negative();
  const pair = [[rises, n, move], [low, 1, falls]].filter(([, many]) => many);
  const shifts = Array.from({ length: times }, (_, i) => (2 * i >= times ? wide : wide.negative()));
  return seen(noise, sigma, shifts.flatMap((x) => pair.map(([v, n, m]) => [v.plus(x).minus(m.times(HALF)), n, m])));
}

const CONTESTS = [[2, 2, 0], [2, 3, 0], [2, 3, 8], [1, 3, -5], [1, 5, -16], [1, 5, -5], [1, 5, 10], [1, 8, 0]];

/** Report noisy max: whether one of n candidates wins against m, whose lead of v grows by c. */
function wins(c, turn) {
  const [n, m, lead] = CONTESTS[turn], v = Q.of(lead, 80).plus(Q.of(turn, 19).minus(HALF).times(c));
  return seen(LAPLACE, ONE, [[v, m, c], [NIL, n - 1, NIL]], n);
}

/** Noisy counts of the keys that some record has, shown from a threshold on; a record adds `most`. */
function thresholded([threshold], pair, part, [[scale, other], [most, high]]) {
  if (!scale.is(other) || !most.is(high)) beyond("a histogram with irrational noise");
  const [, shown] = pair.below(most.minus(number(threshold)).over(scale), WIDE);
  return [new Known([[ONE.minus(Q.of(shown, WIDE.one)), pair]]), part, 1];
}

/** Where a function is least that falls and then rises: `falls` says whether it does between two places. */
function lowest(places, falls) {
  let low = 0, high = places.length - 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    [low, high] = falls(places[middle], places[middle + 1]) ? [middle + 1, high] : [low, middle];
  }
  return places[low];
}

/** Where AboveThreshold ends; `cap`: at most so many queries; 0: any number. */
class Halting extends Concentrated {
  constructor(noise, threshold, answer, oneWay, cap) {
    super(ONE, threshold.power(2).plus(answer.power(2)).times(HALF), [[NIL, NIL]]);
    Object.assign(this, { noise, moves: [threshold, answer], oneWay, cap, fixed: new Fixed(256), known: new Map(), curves: new Map() });
    if (noise === LAPLACE) this.most = [threshold.plus(TWO.minus(oneWay).times(answer)), NIL];
  }

  /** Moments at multiples of 1/4, as a search for the least bound of δ asks them; another chooses θ. */
  prepare(tail, spend, epsilon, steps) {
    const middle = (epsilon / steps / this.rho.double() + 1) / 2, limit = near(epsilon).over(Q.of(steps));
    const value = (lam) => Q.of(steps).times(this.moment(lam, spend).minus(lam.times(limit))).plus(powerOf(lam)).minus(near(lam.log()));
    const top = Math.min(40 / Math.sqrt(this.rho.double()), 2 ** 53); // ρλ² = 100: moments of e^700 have no logarithm here
    const tried = new Set(Array.from({ length: 140 }, (_, i) => Math.max(Math.round(Math.min(middle * 2 ** (2 + (i - 40) / 16), top)), 1)));
    this.moment(lowest([...tried].map((quarters) => Q.of(quarters, 4)), (a, b) => !value(a).below(value(b))), spend);
    this.points = [[NIL, NIL], ...[...this.known.values()].sort(([a], [b]) => a.against(b))];
  }

  moment(lam, spend) {
    const key = String(lam), size = this.noise === GAUSSIAN ? 32 : 512, shares = Array.from({ length: size + 1 }, (_, i) => Q.of(i, size));
    if (!this.known.has(key)) {
      const tops = (this.oneWay.n ? [[0, 1, 1, -1], [1, -1, 0, 1]] : [[1, -1, 1, 1]]).map((way) => {
        const cost = (x) => this.cost(Number(lam.times(Q.of(4)).n), x, way.map((each) => Q.of(each)), spend);
        return cost(lowest(shares, (a, b) => cost(a) >= cost(b)));
      });
      const x = Q.of(tops.reduce(most), this.fixed.one);
      this.known.set(key, [lam, logarithm(x, x)[1]]);
    }
    return this.known.get(key)[1];
  }

  /** A bound of E e^{λ loss}, λ = quarters/4, for one θ. */
  cost(quarters, share, way, spend) {
    const { fixed, fixed: { one, bits }, moves: [threshold, answer] } = this, lam = Q.of(quarters, 4), more = lam.plus(ONE);
    const x = share.times(threshold), [rise, fall] = [0, 2].map((i) => way[i].plus(way[i + 1].times(share)).times(answer));
    let rows = [...this.corners(quarters, fall, spend), ...this.corners(quarters, rise, spend).map(([a, b]) => [b, a])];
    let moved = fixed.exp(lam.times(more).times(x.power(2)).times(HALF))[1], worst = one;
    if (this.noise === LAPLACE) {
      const [near, far] = [lam.times(x), more.times(x).negative()].map((each) => fixed.exp(each)[1]), sides = lam.plus(more);
      const top = more.times(Q.of(near)).plus(lam.times(Q.of(far))).over(sides);
      moved = up(top.n, top.d);
      if (rows.some(([, b]) => b >= one)) return ((10n ** 100n * (rise.n + rise.d)) / rise.d) * one; // a search finds its way
      worst = rows.reduce((found, [a, b]) => most(found, up(a * one, one - b)), one);
    }
    for (let i = 0; i < this.cap; i++) {
      const value = ([a, b]) => a * one + b * worst, best = rows.reduce((a, b) => (value(b) > value(a) ? b : a));
      worst = best[0] - ((-best[1] * worst) >> bits);
      rows = rows.filter(([, b]) => b >= best[1]);
      spend(rows.length * Number(bits)); // steeper ones may be more where R has grown
    }
    return -((-moved * worst) >> bits);
  }

  /** Upper bounds of both terms of g without R: in all corners, and in the tails. */
  corners(quarters, move, spend) {
    const { fixed, fixed: { one, bits } } = this, laplace = this.noise === LAPLACE, key = String(move), rows = [];
    const places = Array.from({ length: laplace ? 17 : 108 }, (_, i) => (
      laplace ? move.times(Q.of(i, 16)) : Q.of(i - 62, 8).plus(Q.of(i - 62, 32).power(3))));
    if (move.n && !this.curves.has(key)) {
      const pair = shifted(this.noise, move);
      spend(places.length * dear(Number(bits), 100));
      this.curves.set(key, places.map((y) => pair.at(y, fixed)));
    }
    const grown = (x, y) => { // x (x/y)^λ, rounded up
      if (y <= 0n) beyond("an answer that is too sure");
      let root = squareRoot(squareRoot(up(x << (4n * bits), y)) + 1n) + 1n, found = x;
      for (let left = quarters; left; left = Math.floor(left / 2), root = -((-root * root) >> bits)) {
        if (root >> BigInt(LONGEST)) beyond("a power that is too large");
        if (left % 2) found = -((-found * root) >> bits);
      }
      return found;
    };
    const at = this.curves.get(key) ?? [];
    spend(at.length * 8 * Number(bits));
    at.slice(1).forEach(([less, others, next], i) => { // dh/dh', h', h: in h' their tangents meet by e beyond the first
      const [w, other, h] = at[i];
      if (w[0] <= less[1]) beyond("slopes that can't be told apart");
      const ends = [0, 1].map((k) => ((next[k] - h[1 - k]) << bits) - less[1 - k] * (others[1 - k] - other[k]));
      const low = most(down(ends[0], w[1] - less[0]), 0n), high = up(ends[1], w[0] - less[1]);
      const above = grown(h[1] - ((-w[1] * high) >> bits), other[0] + low);
      rows.push([above, grown(one - h[0] - ((w[0] * low) >> bits), one - other[1] - high)]);
    });
    if (at.length && !laplace) {
      const x = Q.of(quarters, 4).times(move), factor = fixed.exp(x.times(x.plus(move)).times(HALF));
      const [left, right] = [places[0].plus(x), places[107].plus(x).negative()].map((y) => fixed.times(factor, fixed.normal(y))[1]);
      rows.push([left, one], [grown(one, at[107][1][0]), right]);
    }
    return rows;
  }
}

/** A fraction near a float, > 0. */
const exact = (x) => Q.of(BigInt(Math.max(Math.round(real(x * 2 ** 20)), 1)), 1n << 20n);

/** Where something becomes true, nearly: a hint. */
function crossing(above, low, high) {
  for (let i = 0; i < 50; i++) [low, high] = above((low + high) / 2) ? [low, (low + high) / 2] : [(low + high) / 2, high];
  return high;
}

/** At least log x, x ≥ 1, hardly more. */
function logUp(x, fixed) {
  const found = Q.of(BigInt(Math.ceil(real(x.log() * 2 ** 40)) + 1), 1n << 40n);
  return fixed.exp(found)[0] < fixed.of(x)[1] ? beyond("a logarithm that floats miss") : found;
}

/** The best of K runs of any ρ-zCDP mechanism; K is geometric, or Poisson. An upper bound. */
function tuned(rho, mean, poisson) {
  const law = new Concentrated(ONE, rho, [[NIL, NIL]]), fixed = new Fixed(200), r = rho.double(), more = poisson ? NIL : mean.minus(ONE);
  const loss = (e) => { // δ̂, at the order that suits it
    const y = e.double(), lam = exact(2 ** crossing((x) => r * (2 * 2 ** x + 1) - Math.log1p(2 ** -x) > y, -20, 20));
    return Q.of(markov(lam.times(rho.times(lam.plus(ONE)).minus(e)), lam, fixed), fixed.one);
  };
  const point = (e) => {
    const rounded = (x) => Q.of(fixed.exp(x)[1], fixed.one), d = loss(e), b = d.times(more).plus(ONE), grown = rounded(e);
    const lam = exact(1 / Math.max(exp(e.double()) / b.double() - 1, 2 ** -20)), alpha = lam.plus(ONE);
    const ratio = poisson
      ? mean.times(d.plus(greatest([grown.minus(ONE).minus(lam.inverse()), NIL])))
      : TWO.times(logUp(greatest([b, grown.times(lam).over(alpha)]), fixed));
    const size = lam.times(ratio.plus(rho.times(alpha))), none = poisson ? rounded(mean.plus(size).negative()) : NIL;
    return [lam, size.plus(logUp(mean.plus(none), fixed))];
  };
  law.prepare = (tail, spend) => {
    spend(4000 * dear(Number(fixed.bits), 0));
    const start = more.n ? crossing((x) => exp(x) > 1 + loss(exact(x)).times(more).double(), 0, 20) : 0;
    const points = Array.from({ length: 193 }, (_, i) => point(exact(start + 2 ** ((i - 160) / 16))));
    law.points = [[NIL, NIL], ...points.sort(([a, u], [b, v]) => a.against(b) || u.against(v))];
  };
  return law;
}

/** Who wins of K runs, ranked so that losses win: what some neighbours have. */
function ranked(one, mean, poisson) {
  const noise = one instanceof Pair, five = Array.from({ length: 500 }, (_, i) => Q.of(i, 500));
  let cut = NIL;
  const wins = ([u, v], fixed) => {
    const { n, d } = mean, unit = fixed.one, share = (x, to) => to(n * x * unit, d * unit + (n - d) * x);
    if (!poisson) return [share(u, down), share(v, up)];
    const [[, high], [low]] = [u, v].map((x) => fixed.exp(mean.times(Q.of(-x, unit))));
    return [unit - high, unit - low];
  };
  const masses = (fixed, tail) => {
    const gap = noise && one.far.plus(Q.of(Math.ceil(Math.sqrt(2 * tail)))).minus(cut), all = [fixed.one, fixed.one];
    const far = (y) => [fixed.normal(one.far.minus(y)), fixed.normal(y.negative())];
    const [pair, first] = noise ? [null, [cut.minus(one.far), cut].map((y) => fixed.normal(y))] : one.masses(fixed, tail);
    const part = (i) => (noise ? far(cut.plus(gap.times(ONE.minus(i)))) : pair.map((x) => fixed.mean([[NIL, i]], [x])));
    const above = [...five.map((i) => part(i).map((x, side) => gathered([first[side], x]))), [all, all]];
    const best = [[ZERO, ZERO], ...[first, ...above].map((row) => row.map((x) => wins(x, fixed)))];
    return best.slice(1).map((row, j) => row.map((b, i) => [most(b[0] - best[j][i][1], 0n), most(b[1] - best[j][i][0], 0n)]));
  };
  const prepare = (tail, spend, epsilon, steps) => {
    spend(2000 * dear(200, tail));
    const rough = new Fixed(64), m = mean.double(), log = (u) => (poisson ? -m * u : -2 * Math.log1p((m - 1) * u));
    const gain = (y) => {
      const [p, q] = [y.minus(one.far), y].map((x) => log(Q.of(rough.normal(x)[1], rough.one).double())), rho = one.rho.double();
      return [p - Math.max(epsilon / steps - p + q - rho, 0) ** 2 / (4 * rho), y];
    };
    const found = noise && Array.from({ length: 321 }, (_, i) => gain(one.far.times(HALF).plus(Q.of(i - 160, 32))));
    if (noise) [, cut] = found.reduce((a, b) => (b[0] > a[0] ? b : a));
  };
  return new Atoms(masses, ONE, { endless: noise, prepare });
}

/** n users' reports, shuffled; p = x of randomised response over k categories; or `clones`: x = ε of all that is ε-DP. */
function reports(n, x, k, above, clones) {
  const hides = k === 2n && !above;
  const sums = (tail, spend) => {
    const size = Math.trunc(real(tail / 2.3)) + 9, fixed = new Fixed(Math.trunc(3.4 * size) + 100), { one, bits } = fixed;
    const setting = new Setting(ONE, 10 ** 6, size + 8, fixed, spend), { scale } = setting, rare = Q.of(1n, 10n ** BigInt(size));
    const t = clones ? fixed.exp(x) : fixed.of(x.times(Q.of(k - 1n)).over(ONE.minus(x)));
    const [p, r, z] = fixed.shares([t, [one, one], [(k - 2n) * one, (k - 2n) * one]]);
    const binomial = (m, chance) => {
      const mass = [most(one - chance[1], 0n), chance[0]].map((y) => (y * scale) >> bits);
      const coin = new Lower({ setting, level: 0, start: 0, mass: m ? mass : [scale], infinite: 0n });
      return m ? repeated(coin, m, rare, 0) : coin;
    };
    const chance = clones && above ? fixed.over([one, one], t) : r.map((y) => 2n * y);
    const others = hides ? changed(binomial(0, r), { start: n - 1 }) : binomial(n - 1, chance);
    const coin = hides ? r : [one / 2n, one / 2n], width = 1 + (hides ? 0 : Math.floor(others.start / 200));
    const step = binomial(width, coin), neither = (z[0] * (above ? scale : others.mass[0])) >> bits, rows = [[neither, neither]];
    let law = binomial(others.start + (above ? 0 : width - 1), coin);
    for (let i = 0; i < others.mass.length; i += width) {
      const [here, beside] = [i, i + 1].map((j) => total(others.mass.slice(j, j + width)));
      const [a, b] = [p, r].map((y) => (here * y[0] + (above ? 0n : (beside * z[0]) / 2n)) >> bits);
      spend(2000 * law.mass.length);
      [...law.mass, 0n].forEach((v, j) => {
        const u = law.mass[j - 1] ?? 0n;
        rows.push([(a * u + b * v) / scale, (b * u + a * v) / scale]);
      });
      law = law.times(step).trim(rare.times(Q.of(scale)).floor());
    }
    return [scale, ...[0, 1].map((side) => rows.map((row) => row[side]))];
  };
  return counted(sums, above, { even: !hides });
}

/** Reports that are shuffled. Of ε-DP, two or three categories are attained: three are better from about log 2 on. */
function shuffled(texts, whole, part, [[low, high], many]) {
  const clones = !many, n = Number(integer(number(texts[0]), 1, 10 ** 9)), k = clones ? 2n : integer(many[1], 2, 10 ** 9);
  const wrong = !clones && (!ONE.below(low.times(Q.of(k))) || !high.below(ONE));
  if (texts[1] !== "False" || wrong) beyond("users alike, or a response that tells nothing, or all");
  return [reports(n, high, k, true, clones), reports(n, low, k + BigInt(clones && Q.of(7, 10).below(low)), false, clones), 0];
}

/** The best of several runs; of pure ε-DP losses are at most 3ε, or ε + μ tanh(ε/2). */
function selected(values, inner, adjacency, needed) {
  const [text, mean, shape] = fields(values, { base: "text", mean: "text", shape: "text" });
  const found = /^(gdp|zcdp|pure_dp)\(([a-z]+)=(.*)\)$/s.exec(text), poisson = shape === "inf";
  if (!found || inner !== null || !["1", "inf"].includes(shape)) beyond("the best of runs of this kind, or of so many");
  needed.add("draws");
  const base = new Map([["name", found[1]], ["parameters", new Map([[found[2], found[3]]])], ["base", null]]);
  const [whole, part] = lawOf(base, adjacency, needed), runs = within(number(mean), 1, 10 ** 6), below = ranked(part, runs, poisson);
  if (!(whole instanceof Atoms)) return [tuned(whole.rho, runs, poisson), below, 0];
  const [e] = whole.most, more = runs.times(ONE.minus(TWO.over(expOf(e, e)[1].plus(ONE))));
  return [stated(ONE, poisson ? e.plus(more) : e.times(Q.of(3))), below, 0];
}

const BLUNT = [76, 234, 413, 489].map((x) => [Q.of(x, 500), Q.of(1, 4)]), TURNS = [...Array(28).keys()];
const stopped = [0, (law) => TURNS.slice(0, 20).map((turn) => stops(law, turn))];
const QUERIES = {
  discrete_gaussian: [["sigma", "sensitivity"], discreteGaussian],
  discrete_laplace: [["b", "sensitivity"], (q, b, s) => geometric(q, s.over(b), s)],
  binomial: [["n", "p", "sensitivity"], binomial], randomized_response: [["p", "categories"], response],
  finite_pair: [["p", "q"], listed],
  gnmax: [["sigma"], (q, sigma) => shifted(GAUSSIAN, sigma.inverse(), q)],
  exponential: [["epsilon", "monotone", "times"], exponential],
  permute_and_flip: [["epsilon", "monotone"], (q, epsilon, one) => shifted(LAPLACE, epsilon.over(ONE.plus(one)), q)],
  noisy_max: [["b", "monotone", "sensitivity"], (q, b, one, s) => shifted(LAPLACE, TWO.minus(one).times(s).over(b), q, BLUNT)],
  above_threshold: [["b", "monotone", "query_b", "sensitivity"], (q, b, one, other, s) => new Halting(LAPLACE, s.over(b), s.over(other), one, 0)],
  gaussian_above_threshold: [["sigma", "monotone", "query_sigma", "queries", "sensitivity"], (q, b, one, other, k, s) => (
    new Halting(GAUSSIAN, s.over(b), s.over(other), one, Number(integer(k, 1, 10 ** 4))))],
};
for (const [name, row] of Object.entries(QUERIES)) {
  LAWS.set(name, row);
  NAMES.push(name);
  PLAIN.push(name);
}
NOISE.push(...Object.keys(QUERIES).slice(0, 3));
POISSON.push(...Object.keys(QUERIES).slice(0, 5));
RATIONAL.push("discrete_gaussian", "binomial", "finite_pair");
FALLS.push("query_sigma", "query_b");
LISTS.push("finite_pair");
GIVEN.finite_pair = "pairs";
SCALED.gnmax = "sqrt(1/2)";
Object.assign(EVEN, { binomial: HALF, permute_and_flip: NIL, exponential: NIL, above_threshold: NIL, gaussian_above_threshold: NIL });
Object.assign(ATTAINED, {
  gnmax: [0, (law) => [told(law), ...TURNS.map((turn) => ahead(law, turn))]], noisy_max: [0, (law) => CONTESTS.map((_, turn) => wins(law.far, turn))],
  above_threshold: stopped, gaussian_above_threshold: stopped,
  exponential: [1, (law, m) => geometric(law.q, law.most[0].times(Q.of(m - 1, m)), Q.of(m - 1), ONE)],
  permute_and_flip: [1, (law, m) => (m > 2 || !law.most[0].n ? law : TURNS.slice(8, 16).map((turn) => told(law, Q.of(turn, 16))))],
});
AROUND.set("shuffle_model", [["n", "alike"], [], "draws", { "replace-one": ["randomized_response", "pure_dp"] }]);
AROUND.set("thresholded_histogram", [["threshold"], [], "noise", { "add-or-remove": REAL, "zero-out": REAL }]);
Object.assign(INSIDE, { shuffle_model: shuffled, thresholded_histogram: thresholded });
WHOLE.set("repeat_and_select", selected);

// --- what runs it ----------------------------------------------------------------------------------------

if (typeof module !== "undefined") module.exports = { checked, convolve, sha256, Fixed, Q, general };
if (typeof WorkerGlobalScope !== "undefined") {
  onmessage = ({ data }) => postMessage(checked(data, { tell: (share) => postMessage({ share }) }));
}
