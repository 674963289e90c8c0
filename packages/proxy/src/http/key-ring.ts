import { hash, timingSafeEqual } from 'node:crypto'

/** Keys are compared in Buffers of one size; longer ones by their digest. */
const PADDED_BYTES = 256

/** A set of secrets that can be asked in constant time, whatever the question. */
export class KeyRing {
  readonly #known: readonly Buffer[]
  readonly #asked = Buffer.alloc(PADDED_BYTES)

  constructor(keys: readonly string[]) {
    this.#known = keys.map((key) => {
      const padded = Buffer.alloc(PADDED_BYTES)
      pad(key, padded)
      return padded
    })
  }

  /** Whether `key` is one of the secrets, to the letter. All of them are compared each time. */
  has(key: string): boolean {
    pad(key, this.#asked)
    let found = false
    for (const known of this.#known) found = timingSafeEqual(known, this.#asked) || found
    return found
  }
}

/** Length, then the key as UTF-8 or what stands for it: different keys are different in this form. */
function pad(key: string, target: Buffer): void {
  target.fill(0)
  const isShort = 3 * key.length <= PADDED_BYTES - 4
  target.writeInt32LE(isShort ? key.length : -1, 0)
  target.write(isShort ? key : hash('sha512', key, 'hex'), 4)
}
