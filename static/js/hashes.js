// BLAKE2b (RFC 7693), which browsers lack, and SHA-256 (FIPS 180-4), which they have on secure pages only. Both take
// bytes and give bytes.

const BLOCK = 128;
const ROUNDS = 12;
const IV = [
  0x6a09e667f3bcc908n, 0xbb67ae8584caa73bn, 0x3c6ef372fe94f82bn, 0xa54ff53a5f1d36f1n,
  0x510e527fade682d1n, 0x9b05688c2b3e6c1fn, 0x1f83d9abfb41bd6bn, 0x5be0cd19137e2179n,
];
const ORDER = [
  [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15], [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
  [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4], [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
  [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13], [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
  [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11], [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
  [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5], [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
];
// Columns, then diagonals.
const LANES = [
  [0, 4, 8, 12], [1, 5, 9, 13], [2, 6, 10, 14], [3, 7, 11, 15],
  [0, 5, 10, 15], [1, 6, 11, 12], [2, 7, 8, 13], [3, 4, 9, 14],
];

const word = (number) => BigInt.asUintN(64, number);
const right = (number, by) => word((number >> by) | (number << (64n - by)));

function mix(v, [a, b, c, d], x, y) {
  v[a] = word(v[a] + v[b] + x);
  v[d] = right(v[d] ^ v[a], 32n);
  v[c] = word(v[c] + v[d]);
  v[b] = right(v[b] ^ v[c], 24n);
  v[a] = word(v[a] + v[b] + y);
  v[d] = right(v[d] ^ v[a], 16n);
  v[c] = word(v[c] + v[d]);
  v[b] = right(v[b] ^ v[c], 63n);
}

function compress(h, block, counted, isLast) {
  const view = new DataView(block.buffer);
  const m = Array.from({ length: 16 }, (_, i) => view.getBigUint64(8 * i, true));
  const v = [...h, ...IV];
  v[12] ^= BigInt(counted);
  if (isLast) v[14] = word(~v[14]);
  for (let round = 0; round < ROUNDS; round++) {
    const s = ORDER[round % 10];
    LANES.forEach((lane, i) => mix(v, lane, m[s[2 * i]], m[s[2 * i + 1]]));
  }
  for (let i = 0; i < 8; i++) h[i] ^= v[i] ^ v[i + 8];
}

// Without a key; `size` bytes, 1 to 64.
export function blake2b(bytes, size) {
  const h = [...IV];
  h[0] ^= 0x01010000n ^ BigInt(size);
  for (let at = 0; at === 0 || at < bytes.length; at += BLOCK) {
    const block = new Uint8Array(BLOCK);
    block.set(bytes.subarray(at, at + BLOCK));
    compress(h, block, Math.min(at + BLOCK, bytes.length), at + BLOCK >= bytes.length);
  }
  const made = new DataView(new ArrayBuffer(64));
  h.forEach((number, i) => made.setBigUint64(8 * i, number, true));
  return new Uint8Array(made.buffer, 0, size);
}

const isPrime = (n) => { for (let d = 2; d * d <= n; d++) if (n % d === 0) return false; return n > 1; };
const PRIMES = Array.from({ length: 312 }, (_, n) => n).filter(isPrime); // the first 64
const fraction = (root) => Math.floor((root - Math.floor(root)) * 2 ** 32);
const K = PRIMES.map((prime) => fraction(Math.cbrt(prime)));
const START = PRIMES.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));
const turn = (number, by) => (number >>> by) | (number << (32 - by));

function digest(h, view, at) {
  const w = new Uint32Array(64);
  for (let i = 0; i < 64; i++) {
    if (i < 16) { w[i] = view.getUint32(at + 4 * i); continue; }
    const a = w[i - 15], b = w[i - 2];
    w[i] = w[i - 16] + (turn(a, 7) ^ turn(a, 18) ^ (a >>> 3)) + w[i - 7] + (turn(b, 17) ^ turn(b, 19) ^ (b >>> 10));
  }
  let [a, b, c, d, e, f, g, k] = h;
  for (let i = 0; i < 64; i++) {
    const one = (k + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + K[i] + w[i]) | 0;
    const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [k, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
  }
  [a, b, c, d, e, f, g, k].forEach((number, i) => { h[i] += number; });
}

export function sha256(bytes) {
  const padded = new Uint8Array(64 * Math.ceil((bytes.length + 9) / 64));
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer), h = new Uint32Array(START);
  view.setBigUint64(padded.length - 8, BigInt(8 * bytes.length));
  for (let at = 0; at < padded.length; at += 64) digest(h, view, at);
  const made = new DataView(new ArrayBuffer(32));
  h.forEach((number, i) => made.setUint32(4 * i, number));
  return new Uint8Array(made.buffer);
}
