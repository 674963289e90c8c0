import { createCipheriv, createDecipheriv } from 'node:crypto'

const CIPHER = 'aes-256-ctr'
const KEY_BYTES = 32

/** Bytes that can only be decrypted with the `MemorySeal` that encrypted them. */
export interface Sealed {
  /** Position in the key stream, unique for each entry. */
  readonly number: number
  readonly bytes: Buffer
}

/**
 * Encrypts data in memory with a key that exists only in this object. Encryption does not protect against a dump of the
 * complete memory, which also contains the key.
 */
export class MemorySeal {
  readonly #key: Buffer
  #number = 0

  /** @param random unpredictable bytes */
  constructor(random: (length: number) => Uint8Array) {
    this.#key = Buffer.from(random(KEY_BYTES))
  }

  /** Encrypts bytes and overwrites the plain text. */
  close(plain: Buffer): Sealed {
    this.#number += 1
    const number = this.#number
    const bytes = createCipheriv(CIPHER, this.#key, toCounterBlock(number)).update(plain)
    plain.fill(0)
    return { number, bytes }
  }

  /** Decrypts bytes for `read`, and overwrites the plain text afterwards. */
  open<T>({ number, bytes }: Sealed, read: (plain: Buffer) => T): T {
    const plain = createDecipheriv(CIPHER, this.#key, toCounterBlock(number)).update(bytes)
    try {
      return read(plain)
    } finally {
      plain.fill(0)
    }
  }

  /** Overwrites the key, so that remaining encrypted data in memory is unreadable. */
  forget(): void {
    this.#key.fill(0)
  }
}

function toCounterBlock(number: number): Buffer {
  const place = Buffer.alloc(16)
  place.writeBigUInt64BE(BigInt(number))
  return place
}
