import type { Socket } from 'node:net'

interface Held {
  bytes: number
  /** What other connections may hold as well, and is there once. */
  readonly shared: Buffer | undefined
}

/** What a backlog needs. */
export interface BacklogDeps {
  /** For all connections together. */
  readonly mostBytes: number
  /** Hears that a connection was cut. */
  readonly cut: () => void
}

/**
 * What connections hold that do not read: the rest of a reply that the operating system does not take, and requests that
 * wait behind it. Beyond the bound the connection that has held something for longest is cut, and so on; a single one
 * may hold more than the bound. Bytes that several connections are sent count once.
 */
export class Backlog {
  readonly #deps: BacklogDeps
  #bytes = 0
  /** In the order in which they began to hold something. */
  readonly #holders = new Map<Socket, Held>()
  /** How many hold each. */
  readonly #shared = new Map<Buffer, number>()

  constructor(deps: BacklogDeps) {
    this.#deps = deps
  }

  /** Bytes that are held now. */
  get bytes(): number {
    return this.#bytes
  }

  /**
   * A reply was written to a connection: holds what is left of it, if anything is.
   *
   * @param body what was written, besides a head
   * @param more bytes of what waits behind it
   */
  hold(socket: Socket, body: string | Buffer | undefined, more: number): void {
    if (socket.writableLength === 0) return
    this.release(socket)
    const shared = Buffer.isBuffer(body) ? body : undefined
    const held = { bytes: more + Math.max(socket.writableLength - (shared?.length ?? 0), 0), shared }
    this.#holders.set(socket, held)
    this.#bytes += held.bytes
    if (shared !== undefined) {
      const holders = this.#shared.get(shared) ?? 0
      this.#shared.set(shared, holders + 1)
      if (holders === 0) this.#bytes += shared.length
    }
    this.#shrink()
  }

  /** More has come to wait on a connection; nothing happens where it holds nothing. */
  grow(socket: Socket, bytes: number): void {
    const held = this.#holders.get(socket)
    if (held === undefined) return
    held.bytes += bytes
    this.#bytes += bytes
    this.#shrink()
  }

  /** The connection holds nothing any more. */
  release(socket: Socket): void {
    const held = this.#holders.get(socket)
    if (held === undefined) return
    this.#holders.delete(socket)
    this.#bytes -= held.bytes
    if (held.shared === undefined) return
    const others = (this.#shared.get(held.shared) ?? 1) - 1
    if (others > 0) this.#shared.set(held.shared, others)
    else {
      this.#shared.delete(held.shared)
      this.#bytes -= held.shared.length
    }
  }

  #shrink(): void {
    while (this.#bytes > this.#deps.mostBytes && this.#holders.size > 1) {
      const [oldest] = this.#holders.keys()
      if (oldest === undefined) return
      this.release(oldest)
      // what the operating system holds of it is not sent any more either
      oldest.resetAndDestroy()
      this.#deps.cut()
    }
  }
}
