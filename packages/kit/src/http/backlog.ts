import type { Socket } from 'node:net'
import { HeldBytes, type HeldReply } from './held-bytes.ts'

/** Connections whose replies count for the same callers. */
interface Group {
  readonly key: string
  readonly owners: readonly string[]
  /** In the order in which they began to hold something. */
  readonly sockets: Set<Socket>
}

interface Holder extends HeldReply {
  bytes: number
  readonly group: Group
  /** Grows with each holder. */
  readonly order: number
}

/** What a backlog needs. */
export interface BacklogDeps {
  /** For all connections together. */
  readonly mostBytes: number
  /** Hears that a connection was cut. */
  readonly cut: () => void
}

/** Share of the bound that a single connection may use before its own bytes count against its callers: 1/2. */
const OWN_PART = 2

/**
 * What connections hold that do not read: the rest of a reply that the operating system does not take, and requests that
 * wait behind it. Beyond the bound, callers whose other connections hold the most lose one: the one that has waited for
 * longest, and so on. A caller with one slow connection keeps it as long as another caller has several. A single
 * connection may hold more than the bound. Bytes that several connections are sent count once.
 */
export class Backlog {
  readonly #deps: BacklogDeps
  readonly #total = new HeldBytes()
  readonly #holders = new Map<Socket, Holder>()
  readonly #owners = new Map<string, HeldBytes>()
  readonly #groups = new Map<string, Group>()
  #order = 0

  constructor(deps: BacklogDeps) {
    this.#deps = deps
  }

  /** Bytes that are held now. */
  get bytes(): number {
    return this.#total.bytes
  }

  /**
   * A reply was written to a connection: holds what is left of it, if anything is.
   *
   * @param body what was written, besides a head
   * @param more bytes of what waits behind it
   * @param owners callers that the reply counts for: network, and token or user
   */
  hold(socket: Socket, body: string | Buffer | undefined, more: number, owners: readonly string[]): void {
    if (socket.writableLength === 0) return
    this.release(socket)
    const shared = Buffer.isBuffer(body) ? body : undefined
    const bytes = more + Math.max(socket.writableLength - (shared?.length ?? 0), 0)
    const group = this.#groupOf(owners)
    const holder: Holder = { bytes, shared, group, order: this.#order }
    this.#order += 1
    this.#holders.set(socket, holder)
    group.sockets.add(socket)
    this.#total.add(holder)
    for (const owner of owners) this.#heldBy(owner).add(holder)
    this.#shrink()
  }

  /** More has come to wait on a connection; nothing happens where it holds nothing. */
  grow(socket: Socket, bytes: number): void {
    const holder = this.#holders.get(socket)
    if (holder === undefined) return
    holder.bytes += bytes
    this.#total.grow(bytes)
    for (const owner of holder.group.owners) this.#heldBy(owner).grow(bytes)
    this.#shrink()
  }

  /** The connection holds nothing any more. */
  release(socket: Socket): void {
    const holder = this.#holders.get(socket)
    if (holder === undefined) return
    this.#holders.delete(socket)
    this.#total.remove(holder)
    const { key, owners, sockets } = holder.group
    sockets.delete(socket)
    if (sockets.size === 0) this.#groups.delete(key)
    for (const owner of owners) {
      const held = this.#heldBy(owner)
      held.remove(holder)
      if (held.count === 0) this.#owners.delete(owner)
    }
  }

  #groupOf(owners: readonly string[]): Group {
    const key = JSON.stringify(owners)
    const group = this.#groups.get(key) ?? { key, owners, sockets: new Set<Socket>() }
    this.#groups.set(key, group)
    return group
  }

  #heldBy(owner: string): HeldBytes {
    const held = this.#owners.get(owner) ?? new HeldBytes()
    this.#owners.set(owner, held)
    return held
  }

  #shrink(): void {
    while (this.#total.bytes > this.#deps.mostBytes && this.#holders.size > 1) {
      const socket = this.#worst()
      if (socket === undefined) return
      this.release(socket)
      // what the operating system holds of it is not sent any more either
      socket.resetAndDestroy()
      this.#deps.cut()
    }
  }

  /** Of the group whose callers hold the most elsewhere, the connection that has held its reply for longest. */
  #worst(): Socket | undefined {
    let worst: Socket | undefined
    let most = -1
    let order = 0
    for (const { sockets } of this.#groups.values()) {
      const [oldest] = sockets
      const holder = oldest === undefined ? undefined : this.#holders.get(oldest)
      if (holder === undefined) continue
      const blame = this.#blame(holder)
      if (blame < most || (blame === most && holder.order > order)) continue
      worst = oldest
      most = blame
      order = holder.order
    }
    return worst
  }

  /** Bytes that the callers of a connection hold elsewhere, and of its own those beyond half of the bound. */
  #blame(holder: Holder): number {
    const spared = this.#deps.mostBytes / OWN_PART
    return holder.group.owners.reduce((sum, owner) => {
      const held = this.#heldBy(owner)
      const own = held.bytesOf(holder)
      return sum + held.unshared - own + Math.max(0, own - spared)
    }, 0)
  }
}
