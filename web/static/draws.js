/**
 * The random numbers of NumPy's `Generator(PCG64(seed)).random()`, one after another.
 *
 * The seed is expanded by NumPy's SeedSequence (O'Neill's seed_seq_fe128) and drives a 128-bit
 * congruential generator with XSL-RR output (O'Neill 2014, "PCG: A Family of …").
 */

const MASK_32 = 0xffffffffn;
const MASK_64 = (1n << 64n) - 1n;
const MASK_128 = (1n << 128n) - 1n;
const MULTIPLIER = (2549297995355413924n << 64n) | 4865540595714422341n;
const POOL_SIZE = 4;

const u32 = (value) => value & MASK_32;
const xorshift = (value) => value ^ (value >> 16n);

/** A hash function whose constant changes with every call. */
function createHash(constant, multiplier) {
  let state = constant;
  return (value) => {
    const mixed = u32(value ^ state);
    state = u32(state * multiplier);
    return xorshift(u32(mixed * state));
  };
}

function mix(left, right) {
  return xorshift(u32(0xca01f9ddn * left - 0x4973f715n * right));
}

function spread(seed) {
  const hash = createHash(0x43b0d7e5n, 0x931e8875n);
  const entropy = [u32(seed), u32(seed >> 32n)];
  const pool = Array.from({ length: POOL_SIZE }, (_, index) => hash(entropy[index] ?? 0n));
  for (let source = 0; source < POOL_SIZE; source++) {
    for (let target = 0; target < POOL_SIZE; target++) {
      if (source !== target) pool[target] = mix(pool[target], hash(pool[source]));
    }
  }
  return pool;
}

/** The generator's initial state: four 64-bit words. */
function stateWords(seed) {
  const pool = spread(seed);
  const hash = createHash(0x8b51f9ddn, 0x58f38dedn);
  const words = Array.from({ length: 8 }, (_, index) => hash(pool[index % POOL_SIZE]));
  return [0, 2, 4, 6].map((at) => words[at] | (words[at + 1] << 32n));
}

function rotateRight(value, count) {
  return ((value >> count) | (value << (64n - count))) & MASK_64;
}

/** @param {bigint} seed at least 0, below 2^63. Returns a function that gives the next number in [0, 1). */
export function createDraws(seed) {
  const [stateHigh, stateLow, sequenceHigh, sequenceLow] = stateWords(seed);
  const increment = ((((sequenceHigh << 64n) | sequenceLow) << 1n) | 1n) & MASK_128;
  let state = 0n;
  const step = () => {
    state = (state * MULTIPLIER + increment) & MASK_128;
  };
  step();
  state = (state + ((stateHigh << 64n) | stateLow)) & MASK_128;
  step();
  return () => {
    step();
    const word = rotateRight((state >> 64n) ^ (state & MASK_64), state >> 122n);
    return Number(word >> 11n) / 2 ** 53;
  };
}

/** The random number of draw `index` (from 0) of a seed. */
export function drawNumber(seed, index) {
  const draw = createDraws(seed);
  for (let skipped = 0; skipped < index; skipped++) draw();
  return draw();
}
