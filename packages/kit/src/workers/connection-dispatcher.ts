import type { Socket } from 'node:net'
import { FairQueue } from '../fair-queue.ts'
import { toNetwork } from '../http/client-network.ts'
import { toPlainAddress } from '../http/mapped-ipv4.ts'
import type { PlainChannel } from './messages.ts'

interface WorkerSlot {
  readonly channel: PlainChannel
  isOpen: boolean
  /** Connection that was sent to the worker and is not confirmed yet. */
  inTransit: Socket | undefined
}

/**
 * Maximum number of connections that wait for a worker, for example while all workers are replaced. Above this number,
 * the newest connection of the network with the most waiting connections is closed.
 */
const MAX_WAITING_CONNECTIONS = 1024

/**
 * Hands connections to workers in round-robin order. Serves the networks of waiting connections in round-robin order as
 * well. The primary process accepts all connections, so that the port always has a listener. The primary process
 * retains its copy of a connection until the worker confirms receipt. A worker gets the next connection only after it
 * has confirmed the previous connection, so a stuck worker gets no more connections. If a worker exits, the connection
 * in transit to it is closed, because no other process would answer it.
 */
export class ConnectionDispatcher {
  readonly #seats = new Set<WorkerSlot>()
  /** Open workers without a connection in transit. The worker that has waited longest is first. */
  readonly #free = new Set<WorkerSlot>()
  readonly #waiting = new FairQueue<Socket>({ max: MAX_WAITING_CONNECTIONS })
  /** Connections that a worker gave back. These are handed out before all other connections. */
  #returned: Socket[] = []
  #taken = 0

  /** Adds a worker, which gets connections once it sends `open`. Returns a function to call when the worker exits. */
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

  /** Hands over a connection from which nothing has been read. Does so at once, or as soon as a worker is free. */
  take(socket: Socket): void {
    // the worker notices if the client disconnects in the meantime
    socket.on('error', () => {})
    this.#taken += 1
    this.#waiting.add(toNetwork(toPlainAddress(socket.remoteAddress ?? '')), String(this.#taken), socket)?.destroy()
    this.#handOut()
  }

  /** Closes the waiting connections. */
  close(): void {
    for (const socket of [...this.#returned, ...this.#waiting.clear()]) socket.destroy()
    this.#returned = []
  }

  #settle(seat: WorkerSlot, isTaken: boolean): void {
    const { inTransit } = seat
    seat.inTransit = undefined
    if (inTransit === undefined) return
    // closes only this process's copy of the socket: the worker has its own
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
