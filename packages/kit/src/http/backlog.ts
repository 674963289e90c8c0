import type { Socket } from 'node:net'
import { BufferedBytes, type BufferedReply } from './buffered-bytes.ts'

/** Group of connections whose replies are charged to the same owners. */
interface Group {
  readonly key: string
  readonly owners: readonly string[]
  /** Sockets in the order in which they began to have unsent bytes. */
  readonly sockets: Set<Socket>
}

interface Holder extends BufferedReply {
  bytes: number
  readonly group: Group
  /** Sequence number. */
  readonly order: number
}

/** Dependencies of a backlog. */
export interface BacklogDeps {
  /** Maximum number of bytes for all connections together. */
  readonly maxBytes: number
  /** Called after a connection was closed by force. */
  readonly onCut: () => void
}

/**
 * Divisor of the maximum. Below the maximum divided by this number, the bytes of a connection do not count against its
 * owners.
 */
const OWN_SHARE_DIVISOR = 2

/**
 * Counter of the bytes held for connections that do not read: unsent parts of replies, and requests queued behind these
 * replies. Bytes sent to several connections count once.
 *
 * If the limit is exceeded, connections are cut until the rest fits. The backlog first chooses the group whose owners
 * hold the most bytes through other connections, and then cuts the connection of this group that has waited longest. An
 * owner with one slow connection therefore keeps it while another owner has several. A single connection may exceed the
 * limit.
 */
export class Backlog {
  readonly #deps: BacklogDeps
  readonly #total = new BufferedBytes()
  readonly #holders = new Map<Socket, Holder>()
  readonly #owners = new Map<string, BufferedBytes>()
  readonly #groups = new Map<string, Group>()
  #order = 0

  constructor(deps: BacklogDeps) {
    this.#deps = deps
  }

  /** Number of bytes held now. */
  get bytes(): number {
    return this.#total.bytes
  }

  /**
   * Records the bytes of a connection that are unsent after a reply was written.
   *
   * @param body content that was or will be written, without the head
   * @param more bytes of requests that wait for the reply to be sent
   * @param owners callers charged for the reply: network, and token or user
   */
  hold(socket: Socket, body: string | Buffer | undefined, more: number, owners: readonly string[]): void {
    this.release(socket)
    const shared = Buffer.isBuffer(body) ? body : undefined
    const bytes = more + Math.max(socket.writableLength - (shared?.length ?? 0), 0)
    const group = this.#getGroup(owners)
    const holder: Holder = { bytes, shared, group, order: this.#order }
    this.#order += 1
    this.#holders.set(socket, holder)
    group.sockets.add(socket)
    this.#total.add(holder)
    for (const owner of owners) this.#getBuffered(owner).add(holder)
    this.#shrink()
  }

  /** Adds bytes to a connection that already holds bytes; does nothing if the connection holds none. */
  grow(socket: Socket, bytes: number): void {
    const holder = this.#holders.get(socket)
    if (holder === undefined) return
    holder.bytes += bytes
    this.#total.grow(bytes)
    for (const owner of holder.group.owners) this.#getBuffered(owner).grow(bytes)
    this.#shrink()
  }

  /** Stops counting the bytes of a connection. */
  release(socket: Socket): void {
    const holder = this.#holders.get(socket)
    if (holder === undefined) return
    this.#holders.delete(socket)
    this.#total.remove(holder)
    const { key, owners, sockets } = holder.group
    sockets.delete(socket)
    if (sockets.size === 0) this.#groups.delete(key)
    for (const owner of owners) {
      const held = this.#getBuffered(owner)
      held.remove(holder)
      if (held.count === 0) this.#owners.delete(owner)
    }
  }

  #getGroup(owners: readonly string[]): Group {
    const key = JSON.stringify(owners)
    const group = this.#groups.get(key) ?? { key, owners, sockets: new Set<Socket>() }
    this.#groups.set(key, group)
    return group
  }

  #getBuffered(owner: string): BufferedBytes {
    const held = this.#owners.get(owner) ?? new BufferedBytes()
    this.#owners.set(owner, held)
    return held
  }

  #shrink(): void {
    while (this.#total.bytes > this.#deps.maxBytes && this.#holders.size > 1) {
      const socket = this.#findWorst()
      if (socket === undefined) return
      this.release(socket)
      // also drops unsent data in the kernel's buffer
      socket.resetAndDestroy()
      this.#deps.onCut()
    }
  }

  /**
   * Returns the connection to cut. Selects the group whose owners hold the most bytes through other connections, and in
   * this group the connection that has waited longest.
   */
  #findWorst(): Socket | undefined {
    let worst: Socket | undefined
    let most = -1
    let order = 0
    for (const { sockets } of this.#groups.values()) {
      const [oldest] = sockets
      const holder = oldest === undefined ? undefined : this.#holders.get(oldest)
      if (holder === undefined) continue
      const blame = this.#computeBlame(holder)
      if (blame < most || (blame === most && holder.order > order)) continue
      worst = oldest
      most = blame
      order = holder.order
    }
    return worst
  }

  /**
   * Returns the bytes that the owners of a connection hold through other connections, plus the bytes of this connection
   * above half of the limit.
   */
  #computeBlame(holder: Holder): number {
    const spared = this.#deps.maxBytes / OWN_SHARE_DIVISOR
    return holder.group.owners.reduce((sum, owner) => {
      const held = this.#getBuffered(owner)
      const own = held.bytesOf(holder)
      return sum + held.unshared - own + Math.max(0, own - spared)
    }, 0)
  }
}
