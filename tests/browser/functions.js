/**
 * Single functions of recheck.js, each of a row of arguments, as test_recheck_js_functions.py asks them: evaluated
 * after the checker, in its scope. Numbers come and go as text.
 */
"use strict";

/** Floats choose; what is compared is what follows from the same ones. So both checkers get these, of + − × ÷ alone. */
Math.log = (x) => {
  if (!(x > 0 && x < Infinity)) return NaN;
  let e = 0;
  for (let k = 512; k; k = Math.floor(k / 2)) {
    if (x >= 2 ** k) [x, e] = [x / 2 ** k, e + k];
    if (x < 2 ** -k) [x, e] = [x * 2 ** k, e - k];
  }
  if (x > 1.5) [x, e] = [x / 2, e + 1];
  const t = (x - 1) / (x + 1);
  let series = 0;
  for (let i = 16; i >= 0; i--) series = series * t * t + 1 / (2 * i + 1);
  return Math.floor((2 * t * series + e * Math.LN2) * 2 ** 60 + 0.5) / 2 ** 60;
};
Math.exp = (x) => {
  const n = Math.floor(x / Math.LN2 + 0.5), half = Math.floor(n / 2);
  const r = x - n * 0.6931471803691238 - n * 1.9082149292705877e-10;
  let series = 1;
  for (let i = 20; i; i--) series = 1 + (series * r) / i;
  return series * 2 ** half * 2 ** (n - half);
};
Math.expm1 = (x) => Math.exp(x) - 1;

const rational = (text) => new Q(...text.split("/").concat("1").slice(0, 2).map(BigInt));
const pairs = (rows) => rows.map((row) => row.map(rational));
const integers = (row) => row.map(BigInt);
/** Objects become Maps, as the checker has them. */
const mapped = (text) => JSON.parse(text, (_, value) => (
  value && typeof value === "object" && !Array.isArray(value) ? new Map(Object.entries(value)) : value));

/** What can be compared: texts of numbers, lists of them, laws and measures as lists. */
function shown(x) {
  if (typeof x === "bigint" || x instanceof Q || Number.isSafeInteger(x)) return String(x);
  if (["number", "string", "boolean"].includes(typeof x)) return x;
  if (x === null || x === undefined) return null;
  if (Array.isArray(x)) return x.map(shown);
  if (x instanceof Measure) return shown([x.level, x.start, x.mass, x.infinite, x.shift, x.q]);
  if (x.relation) return shown([x.relation, x.epsilon, x.delta, x.parts, x.directions, x.under]);
  if ("symmetric" in x) return shownLaw(x);
  if ("p" in x) return shown([x.index, x.p, x.r, x.endless ?? false, x.width ?? 1]);
  throw new TypeError(`${x} of no known kind`);
}

function shownLaw(law) {
  const centres = law instanceof Pair ? [law.noise, law.p, law.q, law.ends, law.far] : [];
  const more = law.rows instanceof Array ? law.rows : [law.pair ?? (law instanceof Pair ? null : law.q ?? null)];
  return shown([law.constructor.name, law.symmetric, law.outcomes, law.most ?? null, law.rho ?? null, centres, more]);
}

/** What it is, or why there is none. */
function tried(find) {
  try {
    return shown(find());
  } catch (error) {
    if (error instanceof Rejected || error instanceof Beyond) return [error.constructor.name, error.message];
    if (error instanceof RangeError) return ["Beyond", error.message];
    throw error;
  }
}

/** What a law of atoms gives them. */
function print(law, tail) {
  if (!(law instanceof Atoms)) return null;
  law.prepare?.(tail, () => {});
  return tried(() => anyOrder(law.masses(new Fixed(240), tail)).slice(0, 9));
}

const anyOrder = (rows) => rows.map((row) => JSON.stringify(shown(row))).sort();

/** A law made of q and parameters, as they stand in LAWS, or of centres. */
function made([name, q, values]) {
  if (name === "pair") return new Pair(values[0], pairs(values[1]), pairs(values[2]));
  return LAWS.get(name)[1](rational(q), ...values.map((x) => (Array.isArray(x) ? x.map(rational) : rational(x))));
}

/** Its spans, bounds and cells, in both directions. */
function cutLaw(law, h, bits, tail) {
  const fixed = new Fixed(bits), spent = [];
  if (law.prepare) law.prepare(tail, (work) => spent.push(work), 0, 1);
  return [true, false].map((remove) => [
    law.unbounded ? tried(() => law.unbounded(remove)) : null, tried(() => law.span(tail, remove)),
    tried(() => anyOrder(law.step(h, remove, fixed, tail))), spent]);
}

function measure(kind, [h, size, digits, bits], [level, start, mass, infinite, q, shift]) {
  const setting = new Setting(rational(h), size, digits, new Fixed(bits), () => {});
  const values = { setting, level, start, mass: integers(mass), infinite: BigInt(infinite) };
  return new kind(kind === Upper ? values : { ...values, q: integers(q), shift: rational(shift) });
}

const ASKED = {
  constants: () => [
    SCHEMA, PREDICATE, PAYLOAD, STATEMENT, MAX_BYTES, MAX_DEPTH, MAX_PARTS, MAX_COUNT, MAX_CHARS, MAX_EXPONENT,
    MAX_CENTRES, MAX_OUTCOMES, FAR, SIZES, FINER, WORK, ADJACENCIES, VERDICTS, STANDINGS, Object.entries(ASSUMPTIONS),
    [...LAWS].map(([name, [names]]) => [name, names]),
    ...[NOISE, POISSON, PLAIN, FALLS, LISTS, RATIONAL].map((x) => [...x].sort()), Object.entries(GIVEN), Object.entries(SCALED), Object.keys(KEYS),
    [...AROUND].map(([name, [keys, may, assumed, bases]]) => [name, keys, may, assumed, Object.entries(bases).map(([way, x]) => [way, [...x].sort()])]),
    WIDE.bits, Object.entries(BINDS)],
  whole: (row) => {
    const [a, b] = integers(row);
    return [down(a, b), up(a, b), most(a, b), least(a, b), absolute(a), total([a, b, a]), divisor(absolute(a), b)];
  },
  natural: (text) => [bitLength(BigInt(text)), squareRoot(BigInt(text))],
  float: (x) => [near(x), whole(x)],
  real: (x) => real(x === null ? Infinity : x),
  of: (row) => Q.of(...integers(row)),
  rationals: (row) => {
    const [x, y] = row.map(rational);
    return [
      x.plus(y), x.minus(y), x.times(y), x.negative(), x.abs(), x.sign(), x.power(3), x.against(y), x.below(y), x.is(y),
      x.floor(), x.nearest(), x.double(), sum([x, y, x]), greatest([x, y]), greatest([y, x]), smallest([x, y]),
      smallest([y, x]), tried(() => x.over(y)), tried(() => y.inverse()), x.n && x.abs().log()];
  },
  logs: (text) => rational(text).log(),
  same: ([x, y]) => [same(pairs(x), pairs(y)), same(pairs(y), pairs(x))],
  constructed: (bits) => {
    const { one, ln2, norm } = new Fixed(bits);
    return [one, ln2, norm];
  },
  fixed: ([bits, ...row]) => {
    const fixed = new Fixed(bits), [x, y, v] = row.map(rational), [a, b] = [x.abs(), y.abs()].map((each) => fixed.of(each));
    return [
      fixed.of(x), fixed.of(y), fixed.times(a, b), fixed.over(a, fixed.of(ONE.plus(y.abs()))),
      fixed.mean([[NIL, v], [NIL, HALF]], [a, b]), fixed.exp(x), fixed.exp(y), fixed.normal(x), fixed.normal(y),
      fixed.scientific(down(x.n << fixed.bits, x.d))];
  },
  over: ([bits, a, b]) => new Fixed(bits).over(integers(a), integers(b)),
  pair: ([noise, p, q, y, remove, tail, bits]) => {
    const pair = new Pair(noise, pairs(p), pairs(q)), fixed = new Fixed(bits), at = rational(y);
    return [
      pair, alone(pair), pair.unbounded(true), pair.unbounded(false), pair.limits(fixed), pair.at(at, fixed),
      pair.below(at, fixed), pair.tilt(pair.p[0][0], at), pair.hints, pair.window(tail), pair.turned.window(tail), pair.span(tail, remove),
      pair.log(at.double())];
  },
  made: (row) => made(row),
  marks: ([law, h, tail]) => [made(law), made(law).turned].map((each) => each.marks(rational(h), tail)),
  marked: ([law, h, remove, bits, marks]) => {
    const pair = remove ? made(law) : made(law).turned;
    pair.marks = () => marks.map(([j, y]) => [j, rational(y)]);
    return pair.step(rational(h), true, new Fixed(bits), 9);
  },
  cuts: ([law, h, bits, tail]) => cutLaw(made(law), rational(h), bits, tail),
  batch: ([law, h, bits, tail]) => cutLaw(new Batch(made(law)), rational(h), bits, tail),
  known: ([rows, h, bits, tail]) => {
    const known = new Known(rows.map(([w, law]) => [rational(w), made(law)]));
    return [known, known.often(tail), cutLaw(known, rational(h), bits, tail)];
  },
  chances: ([n, q, size]) => chances(BigInt(n), rational(q), size),
  drawn: ([m, n, far, low]) => drawn(BigInt(m), BigInt(n), rational(far), rational(low)),
  truncated: ([q, n, size, whole, part, replaced]) => truncated(
    rational(q), [BigInt(n), BigInt(size)], made(whole), made(part), replaced),
  mixture: ([q, sigma, moves, weights]) => mixture(...[q, sigma].map(rational), moves.map(rational), weights.map(rational)),
  other: ([law, q]) => other(made(law), rational(q)),
  masses: ([law, bits, tail]) => anyOrder(made(law).masses(new Fixed(bits), tail)),
  misled: ([share, cells, h, bits]) => { // by floats that are wrong
    const all = Math.log, law = new Atoms(() => cells.map((both) => both.map(integers)), ONE);
    Math.log = (x) => share * all(x);
    try {
      return [tried(() => law.step(rational(h), true, new Fixed(bits), 9)), tried(() => logarithm(Q.of(99), Q.of(99)))];
    } finally {
      Math.log = all;
    }
  },
  moments: ([q, rho]) => [true, false].map((remove) => new Concentrated(rational(q), rational(rho)).moments(remove)),
  thrown: ([batches, a, b, above, tail, bits, most]) => { // of no more than `most` bits inside
    const all = Fixed, spent = [];
    Fixed = class extends all {
      constructor(given) { super(Math.min(given, most)); }
    };
    try {
      const law = thrown(BigInt(batches), rational(a), rational(b), above);
      law.prepare(tail, (work) => spent.push(work), 0, 1);
      law.prepare(tail, (work) => spent.push(work), 0, 1);
      return [law.endless, anyOrder(law.masses(new all(bits), tail)), total(spent.map(BigInt))];
    } finally {
      Fixed = all;
    }
  },
  queries: ([mechanism, tail, epsilon, steps, some]) => { // what is made before cells are, of both sides
    const spent = [], fixed = new Fixed(90), way = mechanism.includes("True") ? "add" : "replace-one";
    const [above, below] = lawOf(mapped(mechanism), way, new Set());
    const laws = [above, ...(Array.isArray(below) ? below : [below])].filter((_, i) => some.includes(i));
    const found = laws.map((law) => {
      law.prepare?.(tail, (work) => spent.push(work), epsilon, steps);
      return [law.points ?? null, law.masses ? tried(() => anyOrder(law.masses(fixed, tail))) : null];
    });
    return [found, spent.map(Number).reduce((a, b) => a + b, 0)];
  },
  modular: ([a, b, p, k]) => [added(a, b, p), times(a, b, p, 1 / p), power(a, k, p)],
  primes: ([n, bound]) => primesFor(n, BigInt(bound)),
  cyclic: ([a, b, n, p]) => [...cyclic(integers(a), integers(b), n, p)],
  spender: ([allowed, works]) => {
    const heard = [], spend = spender(allowed, (share) => heard.push(share));
    return [tried(() => works.map(spend)), heard];
  },
  setting: ([h, digits, bits, x, level]) => {
    const setting = new Setting(rational(h), 9, digits, new Fixed(bits), () => {});
    return [setting.up(BigInt(x)), setting.grid(level), setting.scale];
  },
  convolved: ([bits, low, high]) => {
    const all = convolve, spent = [], setting = new Setting(ONE, 9, 3, new Fixed(20), (work) => spent.push(work));
    convolve = (a, b, bound) => [a.length, b.length, bound]; // what would be asked of it
    try {
      return [setting.convolve(Array(low).fill(1n << BigInt(bits)), Array(high).fill(1n)), spent];
    } finally {
      convolve = all;
    }
  },
  measures: ([setting, one, two, allowed, epsilon, count]) => [Upper, Lower].map((kind) => {
    const [x, y] = [one, two].map((row) => measure(kind, setting, row)), cut = BigInt(allowed);
    const same = x.level === y.level ? [x.times(y)] : [];
    return [
      ...same, x.trim(cut), x.coarser(), x.delta(rational(epsilon)), x.pairs(x.mass, (a, b) => [a, b]), joined(x, y, cut),
      repeated(x, count, Q.of(cut, x.setting.scale))];
  }),
  gathered: ([[h, size, digits, bits], level, cells]) => [Upper, Lower].map((kind) => {
    const setting = new Setting(rational(h), size, digits, new Fixed(bits), () => {});
    const rows = cells.map(([index, width, endless, p, r]) => ({ index, width, endless, p: integers(p), r: integers(r) }));
    return [extent(rows), kind.of(rows, setting, level)];
  }),
  extent: (rows) => extent(rows.map(([index, width]) => ({ index, width }))),
  gaussian: ([mu, epsilon, bits]) => gaussian(rational(mu), rational(epsilon), new Fixed(bits)),
  converted: ([parts, remove, epsilon, bits]) => converted(
    parts.map(([law, k]) => [made(law), k]), remove, rational(epsilon), new Fixed(bits)),
  bound: ([parts, epsilon, delta, size]) => {
    const claim = { epsilon: rational(epsilon), delta: rational(delta), parts: parts.map(([law, k]) => [made(law), k]) };
    return [Upper, Lower].flatMap((kind) => [true, false].map((remove) => {
      let spent = 0;
      return [tried(() => bound(claim, remove, kind, size, (work) => { spent += work; })), spent];
    }));
  },
  decided: ([claim, limits, bounds]) => {
    const all = bound, said = [], claims = stub(claim);
    bound = (of, way, kind, size, spend) => {
      const next = bounds[said.length % bounds.length];
      said.push([of === claims, way, kind === Upper, size]);
      spend(1000);
      return next === null ? beyond("none here") : rational(next);
    };
    try {
      return [decide(claims, limits), said];
    } finally {
      bound = all;
    }
  },
  extreme: (claim) => extreme(stub(claim)),
  byDelta: ([claim, lower, upper]) => byDelta(stub(claim), rational(lower), rational(upper)),
  ruling: (row) => ruling(...row),
  general: (text) => general(rational(text)),
  shownText: (text) => [quoted(text), visible(text)],
  start: (text) => start(text),
  number: (text) => number(text),
  enclosed: (text) => enclosed(text),
  cut: (row) => cut(...row.map(rational)),
  product: ([x, y]) => product(x.map(rational), y.map(rational)),
  exponential: (row) => expOf(...row.map(rational)),
  logarithm: (row) => logarithm(...row.map(rational)),
  root: ([x, upper]) => root(rational(x), upper),
  end: (text) => [end(text).n, end(text).d].map((x) => x % 10n ** 40n),
  within: ([x, low, high]) => within(rational(x), low, high),
  integer: ([x, low, high]) => integer(rational(x), low, high),
  counts: (texts) => counts(texts),
  endsOf: ([name, key, value]) => endsOf(name, key, value),
  oneGaussian: ([parts, upper]) => oneGaussian(parts.map(([law, k]) => [made(law), k]), upper),
  hidden: ([once, texts, far, low, replaced]) => hidden(once, texts, rational(far), rational(low), replaced),
  hiddenMasses: ([once, texts, far, low, replaced]) => hidden(
    once, texts, rational(far), rational(low), replaced).slice(0, 2).map((law) => print(law, 3)),
  lawOf: ([mechanism, adjacency, alone = false]) => {
    const needed = new Set(), found = lawOf(mapped(mechanism), adjacency, needed, alone);
    return [found, [...needed].sort(), found.slice(0, 2).map((law) => (law?.prepare ? null : print(law, 9)))];
  },
  claimOf: (text) => claimOf(mapped(text)),
  canonical: (text) => canonical(mapped(text), 0),
  loads: (text) => canonical(loads(new TextEncoder().encode(text)), 0),
  padded: ([size, depth]) => { // of that many bytes, and that many levels
    const inner = "[".repeat(depth - 1) + "]".repeat(depth - 1);
    const text = `{"a":${inner || 1}}`;
    return loads(new TextEncoder().encode(text.padEnd(size))).size;
  },
  fields: ([text, kinds]) => fields(mapped(text), kinds).map((x) => JSON.stringify(x)),
  envelope: (text) => {
    const [payload, signed] = envelope(mapped(text));
    return [String.fromCharCode(...payload), signed];
  },
  failed: () => [checked(null).outcome, checked(null).lines.map((line) => line.slice(0, 56))],
  excuse: (name) => excuse({ Beyond: new Beyond("a"), RangeError: new RangeError("a"), Rejected: new Rejected("b") }[name]),
  plain: (text) => plain(mapped(text)),
};

/** A claim whose laws only say what `extreme` asks of them. */
function stub({ relation, epsilon, delta, laws, directions, under }) {
  const parts = laws.map(([most, unbounded, count]) => [
    { most: most && most.map(rational), unbounded: (way) => unbounded[Number(way)], symmetric: false }, count]);
  const below = under && stub({ relation, ...under, under: null });
  return { relation, epsilon: rational(epsilon), delta: rational(delta), parts, directions, under: below };
}
