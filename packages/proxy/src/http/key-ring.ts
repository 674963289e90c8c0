import { hash, timingSafeEqual } from 'node:crypto'

/** Buffer size for comparing keys; longer keys are compared by digest. */
const PADDED_BYTES = 256

/** Set of secrets. A lookup takes constant time. */
export class KeyRing {
  readonly #keys: readonly Buffer[]
  readonly #candidate = Buffer.alloc(PADDED_BYTES)

  constructor(keys: readonly string[]) {
    this.#keys = keys.map((key) => {
      const padded = Buffer.alloc(PADDED_BYTES)
      pad(key, padded)
      return padded
    })
  }

  /**
   * Returns true if `key` is exactly one of the secrets. Always compares `key` with all secrets, so that the duration
   * reveals nothing.
   */
  has(key: string): boolean {
    pad(key, this.#candidate)
    let found = false
    for (const known of this.#keys) found = timingSafeEqual(known, this.#candidate) || found
    return found
  }
}

/**
 * Writes the key's length and UTF-8 bytes to `target`, or the key's digest if the key is long. Different keys produce
 * different bytes.
 */
function pad(key: string, target: Buffer): void {
  target.fill(0)
  const isShort = 3 * key.length <= PADDED_BYTES - 4
  target.writeInt32LE(isShort ? key.length : -1, 0)
  target.write(isShort ? key : hash('sha512', key, 'hex'), 4)
}
