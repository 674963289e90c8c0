/** What one connection holds. */
export interface HeldReply {
  /** Bytes that it alone holds. */
  readonly bytes: number
  /** Bytes that other connections may hold as well, and that are in memory once. */
  readonly shared: Buffer | undefined
}

/** Sum of what connections hold; a buffer that several of them share counts once. */
export class HeldBytes {
  #bytes = 0
  /** Without buffers of several connections: closing one of these frees nothing. */
  #unshared = 0
  #count = 0
  /** Number of connections by buffer. */
  readonly #buffers = new Map<Buffer, number>()

  /** Bytes in memory. */
  get bytes(): number {
    return this.#bytes
  }

  /** Bytes that only one of the connections holds. */
  get unshared(): number {
    return this.#unshared
  }

  /** Number of connections. */
  get count(): number {
    return this.#count
  }

  /** Adds what a connection holds. */
  add({ bytes, shared }: HeldReply): void {
    this.#count += 1
    this.grow(bytes)
    if (shared === undefined) return
    const holders = this.#buffers.get(shared) ?? 0
    this.#buffers.set(shared, holders + 1)
    if (holders === 0) this.grow(shared.length)
    else if (holders === 1) this.#unshared -= shared.length
  }

  /** Removes what was added. */
  remove({ bytes, shared }: HeldReply): void {
    this.#count -= 1
    this.grow(-bytes)
    if (shared === undefined) return
    const holders = (this.#buffers.get(shared) ?? 1) - 1
    if (holders > 0) this.#buffers.set(shared, holders)
    else this.#buffers.delete(shared)
    if (holders === 0) this.grow(-shared.length)
    else if (holders === 1) this.#unshared += shared.length
  }

  /** Counts further bytes of a connection that is in the sum. */
  grow(bytes: number): void {
    this.#bytes += bytes
    this.#unshared += bytes
  }

  /** Returns what would be free again without one of the connections in the sum. */
  bytesOf({ bytes, shared }: HeldReply): number {
    return shared !== undefined && this.#buffers.get(shared) === 1 ? bytes + shared.length : bytes
  }
}
