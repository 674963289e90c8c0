/** Memory used by data for one connection. */
export interface BufferedReply {
  /** Bytes that only this connection uses. */
  readonly bytes: number
  /** Buffer that other connections may use as well. A shared buffer exists only once in memory. */
  readonly shared: Buffer | undefined
}

/** Sum of the bytes that wait to be sent on connections; a shared buffer counts once. */
export class BufferedBytes {
  #bytes = 0
  /**
   * Number of bytes that only one connection uses. Excludes buffers that several connections share, because closing one
   * of these connections frees no memory.
   */
  #unshared = 0
  #count = 0
  /** Number of connections that use each buffer. */
  readonly #buffers = new Map<Buffer, number>()

  /** Total bytes in memory. */
  get bytes(): number {
    return this.#bytes
  }

  /** Number of bytes that only one connection uses. */
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

  /** Subtracts the bytes of a connection. */
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

  /** Returns the number of bytes that closing this connection would free. */
  bytesOf({ bytes, shared }: BufferedReply): number {
    return shared !== undefined && this.#buffers.get(shared) === 1 ? bytes + shared.length : bytes
  }
}
