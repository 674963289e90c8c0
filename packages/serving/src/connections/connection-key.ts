import type { Caller } from '@burgee/kit/http/route'

/** Number of 32-bit words in a connection key. */
export const KEY_WORDS = 4

/** Default time between polls in milliseconds, for SDKs that do not report their interval. */
const DEFAULT_INTERVAL_MS = 15_000
const MIN_INTERVAL_MS = 1000
const MAX_INTERVAL_MS = 3_600_000
/** Maximum number of characters of a header that are hashed; SDKs send a UUID, which is shorter. */
const MAX_HASHED = 200
const UUID_LENGTH = 36
const UUID_DIGITS = 32
const WORD_DIGITS = 8
const HYPHEN = 0x2d
const HYPHENS = [8, 13, 18, 23]
/** Numeric value of each lower-case hexadecimal digit, indexed by character code; -1 for other characters. */
const DIGITS = Int8Array.from({ length: 128 }, (_, code) => '0123456789abcdef'.indexOf(String.fromCharCode(code)))
/** Hash seeds: the FNV-1a offset basis and three other odd constants. */
const SEEDS = [0x811c9dc5, 0x9e3779b1, 0x85ebca77, 0xc2b2ae3d] as const
/** Number of bits in each half of a 48-bit hash. */
const HALF_BITS = 24
const HALF_SHIFT = 32 - HALF_BITS
const PRIMES = [0x01000193, 0x5bd1e995, 0x27d4eb2f, 0x165667b1] as const

/**
 * Writes the connection key of a caller into `key`, without allocating memory. Returns true if the SDK sent a
 * connection id. Without a connection id, the key is derived from application, instance and address, which several
 * processes on one machine can share.
 */
export function readConnectionKey({ headers, remoteAddress }: Caller, key: Int32Array): boolean {
  const id = headers['unleash-connection-id'] ?? headers['x-unleash-connection-id']
  if (typeof id === 'string' && id !== '') {
    if (!parseUuid(id, key)) hashInto(id, key, true)
    return true
  }
  hashInto(toText(headers['unleash-appname']), key, true)
  hashInto(toText(headers['unleash-instanceid']), key, false)
  hashInto(remoteAddress, key, false)
  return false
}

/** Returns the time between polls that the SDK reports, in milliseconds, clamped to the allowed range. */
export function readIntervalMs({ headers }: Pick<Caller, 'headers'>): number {
  const announced = Number(headers['unleash-interval'])
  if (!(announced >= MIN_INTERVAL_MS)) return announced > 0 ? MIN_INTERVAL_MS : DEFAULT_INTERVAL_MS
  return Math.min(announced, MAX_INTERVAL_MS)
}

/** Formats as a UUID a key that was parsed from one. Keys from any other source are hashes and get the same format. */
export function formatConnectionKey(words: ArrayLike<number>, start: number): string {
  let digits = ''
  for (let word = start; word < start + KEY_WORDS; word += 1) {
    digits += ((words[word] ?? 0) >>> 0).toString(16).padStart(WORD_DIGITS, '0')
  }
  const parts = [digits.slice(0, 8), digits.slice(8, 12), digits.slice(12, 16), digits.slice(16, 20), digits.slice(20)]
  return parts.join('-')
}

function toText(header: string | string[] | undefined): string {
  return typeof header === 'string' ? header : ''
}

/** Parses a lower-case UUID into `key`. Returns false for any other text, and leaves `key` in an undefined state. */
function parseUuid(text: string, key: Int32Array): boolean {
  if (text.length !== UUID_LENGTH) return false
  // the hyphens are at these places in every UUID
  for (const at of HYPHENS) if (text.charCodeAt(at) !== HYPHEN) return false
  let word = 0
  let digits = 0
  let value = 0
  let seen = 0
  for (let at = 0; at < UUID_LENGTH; at += 1) {
    const code = text.charCodeAt(at)
    if (code === HYPHEN) continue
    // the lookup table returns a negative number for every other character
    const digit = code < DIGITS.length ? (DIGITS[code] ?? -1) : -1
    seen |= digit
    value = (value << 4) | digit
    digits += 1
    if ((digits & 7) === 0) {
      key[word] = value
      word += 1
      value = 0
    }
  }
  return seen >= 0 && digits === UUID_DIGITS
}

/** Hashes a string into the key, either from the initial seeds or continuing from the hash in `key`. */
function hashInto(text: string, key: Int32Array, isStart: boolean): void {
  const length = Math.min(text.length, MAX_HASHED)
  for (let word = 0; word < KEY_WORDS; word += 1) {
    const prime = PRIMES[word] ?? 1
    // a separator between strings, so that "ab" + "c" and "a" + "bc" have different keys
    let hash = isStart ? (SEEDS[word] ?? 0) : Math.imul((key[word] ?? 0) ^ 0xff, prime)
    for (let at = 0; at < length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), prime)
    key[word] = hash ^ (hash >>> 15)
  }
}

/** Returns a 32-bit hash of a string (FNV-1a). */
export function hashText(text: string): number {
  let hash: number = SEEDS[0]
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), PRIMES[0])
  return hash
}

/** Returns a 48-bit hash of a key and a scope. */
export function hashConnectionKey(words: ArrayLike<number>, start: number, scopeHash: number): number {
  let low: number = SEEDS[1] ^ scopeHash
  let high: number = SEEDS[2] ^ scopeHash
  for (let word = start; word < start + KEY_WORDS; word += 1) {
    low = mix(low ^ (words[word] ?? 0), PRIMES[1])
    high = mix(high ^ (words[word] ?? 0), PRIMES[3])
  }
  return (high >>> HALF_SHIFT) * 2 ** HALF_BITS + (low >>> HALF_SHIFT)
}

function mix(value: number, prime: number): number {
  const product = Math.imul(value, prime)
  return Math.imul(product ^ (product >>> 15), SEEDS[3])
}
