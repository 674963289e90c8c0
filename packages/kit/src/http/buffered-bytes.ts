/** Memory held for one connection. */
export interface BufferedReply {
  /** Bytes held by this connection alone. */
  readonly bytes: number
  /** Buffer that other connections may also hold. The buffer exists in memory only once. */
  readonly shared: Buffer | undefined
}

/** Sum of the bytes held by connections; a shared buffer counts once. */
export class BufferedBytes {
  #bytes = 0
  /**
   * Number of bytes that only one connection holds. Excludes buffers that several connections share, because closing
   * one of these connections frees no memory.
   */
  #unshared = 0
  #count = 0
  /** Number of connections per buffer. */
  readonly #buffers = new Map<Buffer, number>()

  /** Total bytes in memory. */
  get bytes(): number {
    return this.#bytes
  }

  /** Bytes held by exactly one connection. */
  get unshared(): number {
    return this.#unshared
  }

  /** Number of connections. */
  get count(): number {
    return this.#count
  }

  /** Adds the bytes of a connection. */
  add({ bytes, shared }: BufferedReply): void {
    this.#count += 1
    this.grow(bytes)
    if (shared === undefined) return
    const holders = this.#buffers.get(shared) ?? 0
    this.#buffers.set(shared, holders + 1)
    if (holders === 0) this.grow(shared.length)
    else if (holders === 1) this.#unshared -= shared.length
  }

  /** Removes the bytes of a connection. */
  remove({ bytes, shared }: BufferedReply): void {
    this.#count -= 1
    this.grow(-bytes)
    if (shared === undefined) return
    const holders = (this.#buffers.get(shared) ?? 1) - 1
    if (holders > 0) this.#buffers.set(shared, holders)
    else this.#buffers.delete(shared)
    if (holders === 0) this.grow(-shared.length)
    else if (holders === 1) this.#unshared += shared.length
  }

  /** Adds bytes to a connection that is already in the sum. */
  grow(bytes: number): void {
    this.#bytes += bytes
    this.#unshared += bytes
  }

  /** Returns the bytes that removing this connection would free. */
  bytesOf({ bytes, shared }: BufferedReply): number {
    return shared !== undefined && this.#buffers.get(shared) === 1 ? bytes + shared.length : bytes
  }
}
