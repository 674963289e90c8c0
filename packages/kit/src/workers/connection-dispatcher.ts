import type { Socket } from 'node:net'
import { FairQueue } from '../fair-queue.ts'
import { toNetwork } from '../http/client-network.ts'
import { toPlainAddress } from '../http/mapped-ipv4.ts'
import type { PlainChannel } from './messages.ts'

interface WorkerSlot {
  readonly channel: PlainChannel
  isOpen: boolean
  /** Connection that was sent to the worker but that the worker has not yet confirmed. */
  inTransit: Socket | undefined
}

/**
 * Maximum number of connections that wait for a worker, for example while all workers are being replaced. If the number
 * is exceeded, the newest connection is closed in the network that has the most waiting connections.
 */
const MAX_WAITING_CONNECTIONS = 1024

/**
 * Hands connections to workers in round-robin order. If connections from several networks are waiting, the networks
 * also take turns. The primary process accepts all connections, so that the port always has a listener. The primary
 * process keeps its copy of a connection until the worker confirms receipt. A worker gets its next connection only
 * after it has confirmed the previous one, so a stuck worker gets no more connections. If a worker exits, the
 * connection that it has not confirmed is closed, because no other process would answer it.
 */
export class ConnectionDispatcher {
  readonly #seats = new Set<WorkerSlot>()
  /**
   * Workers that accept connections and have confirmed all connections sent to them. The worker that has been free for
   * the longest time is first.
   */
  readonly #free = new Set<WorkerSlot>()
  readonly #waiting = new FairQueue<Socket>({ max: MAX_WAITING_CONNECTIONS })
  /** Connections that a worker has given back. These connections are handed out before all others. */
  #returned: Socket[] = []
  #taken = 0

  /**
   * Adds a worker, which gets connections once it has sent `open`. Returns a function that must be called when the
   * worker exits.
   */
  join(channel: PlainChannel): () => void {
    const seat: WorkerSlot = { channel, isOpen: false, inTransit: undefined }
    this.#seats.add(seat)
    channel.listen((message) => {
      if (message.kind === 'open' || message.kind === 'shut') seat.isOpen = message.kind === 'open'
      else if (message.kind === 'connection') this.#settle(seat, message.isTaken)
      this.#offer(seat)
    })
    return () => this.#leave(seat)
  }

  /** Hands a connection from which nothing has been read yet to a worker: at once, or as soon as a worker is free. */
  take(socket: Socket): void {
    // the worker notices if the client disconnects in the meantime
    socket.on('error', () => {})
    this.#taken += 1
    this.#waiting.add(toNetwork(toPlainAddress(socket.remoteAddress ?? '')), String(this.#taken), socket)?.destroy()
    this.#handOut()
  }

  /** Closes the connections that wait for a worker. */
  close(): void {
    for (const socket of [...this.#returned, ...this.#waiting.clear()]) socket.destroy()
    this.#returned = []
  }

  #settle(seat: WorkerSlot, isTaken: boolean): void {
    const { inTransit } = seat
    seat.inTransit = undefined
    if (inTransit === undefined) return
    // closes only the copy of the socket in this process, because the worker has its own copy
    if (isTaken) inTransit.destroy()
    else this.#returned.push(inTransit)
  }

  #offer(seat: WorkerSlot): void {
    if (seat.isOpen && seat.inTransit === undefined && this.#seats.has(seat)) this.#free.add(seat)
    else this.#free.delete(seat)
    this.#handOut()
  }

  #handOut(): void {
    for (const seat of this.#free) {
      const [socket] = this.#returned.length > 0 ? this.#returned.splice(0, 1) : this.#waiting.take(1).values()
      if (socket === undefined) return
      this.#free.delete(seat)
      seat.inTransit = socket
      seat.channel.send({ kind: 'connection' }, socket)
    }
  }

  #leave(seat: WorkerSlot): void {
    this.#seats.delete(seat)
    this.#free.delete(seat)
    seat.inTransit?.destroy()
  }
}
