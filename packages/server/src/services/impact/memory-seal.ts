import { createCipheriv, createDecipheriv } from 'node:crypto'

const CIPHER = 'aes-256-ctr'
const KEY_BYTES = 32

/** Bytes that nobody can read without the seal that they were sealed by. */
export interface Sealed {
  /** Their place in the stream of the key: no other bytes have it. */
  readonly number: number
  readonly bytes: Buffer
}

/** Seals what lies in memory by a key that is nowhere else. Whoever has all of the memory has that as well. */
export class MemorySeal {
  readonly #key: Buffer
  #number = 0

  /** @param random unpredictable bytes */
  constructor(random: (length: number) => Uint8Array) {
    this.#key = Buffer.from(random(KEY_BYTES))
  }

  /** Seals bytes, of which nothing readable stays: they are overwritten. */
  close(plain: Buffer): Sealed {
    this.#number += 1
    const number = this.#number
    const bytes = createCipheriv(CIPHER, this.#key, placeOf(number)).update(plain)
    plain.fill(0)
    return { number, bytes }
  }

  /** What they were, for `read`; overwritten as soon as that is done. */
  open<T>({ number, bytes }: Sealed, read: (plain: Buffer) => T): T {
    const plain = createDecipheriv(CIPHER, this.#key, placeOf(number)).update(bytes)
    try {
      return read(plain)
    } finally {
      plain.fill(0)
    }
  }

  /** Forgets the key: what it has sealed is noise from now on, wherever in memory it is left. */
  forget(): void {
    this.#key.fill(0)
  }
}

function placeOf(number: number): Buffer {
  const place = Buffer.alloc(16)
  place.writeBigUInt64BE(BigInt(number))
  return place
}
