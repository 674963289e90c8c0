import type { Socket } from 'node:net'
import { toNetwork } from './client-network.ts'
import { toPlainAddress } from './mapped-ipv4.ts'

/**
 * Connections whose TLS handshake is not finished. If the maximum is exceeded, the network with the most unfinished
 * handshakes loses its oldest connection, so that no network can lock out others.
 */
export class PendingHandshakes {
  readonly #max: number
  readonly #sockets = new Map<string, Socket>()
  /** Keys into `#sockets` by network, oldest first. */
  readonly #networks = new Map<string, Set<string>>()

  constructor(max: number) {
    this.#max = max
  }

  /** Number of connections whose handshake is not finished. */
  get size(): number {
    return this.#sockets.size
  }

  /** Tracks an accepted connection until its handshake finishes or the connection closes. */
  add(socket: Socket): void {
    const key = getKey(socket)
    const network = toNetwork(toPlainAddress(socket.remoteAddress ?? ''))
    const keys = this.#networks.get(network) ?? new Set<string>()
    this.#networks.set(network, keys)
    keys.add(key)
    this.#sockets.set(key, socket)
    socket.once('close', () => {
      if (this.#sockets.get(key) === socket) this.#remove(key, network)
    })
    if (this.#sockets.size > this.#max) this.#evict()
  }

  /** Stops tracking a connection whose handshake has finished. */
  finish(socket: Socket): void {
    const key = getKey(socket)
    if (this.#sockets.has(key)) this.#remove(key, toNetwork(toPlainAddress(socket.remoteAddress ?? '')))
  }

  #remove(key: string, network: string): void {
    this.#sockets.delete(key)
    const keys = this.#networks.get(network)
    keys?.delete(key)
    if (keys?.size === 0) this.#networks.delete(network)
  }

  #evict(): void {
    let largest: [string, Set<string>] | undefined
    for (const entry of this.#networks) if (entry[1].size > (largest?.[1].size ?? 0)) largest = entry
    if (largest === undefined) return
    const [network, keys] = largest
    const [oldest = ''] = keys
    const socket = this.#sockets.get(oldest)
    this.#remove(oldest, network)
    socket?.destroy()
  }
}

/** Returns a key for a connection. The key is the same for the TLS socket and the TCP socket below it. */
function getKey({ remoteAddress, remotePort, localAddress }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localAddress}`
}
