import type { Socket } from 'node:net'
import type { PlainChannel } from './messages.ts'

interface Seat {
  readonly channel: PlainChannel
  isOpen: boolean
  /** On its way to the worker. */
  handed: Socket | undefined
}

/** Connections that wait for a worker while all of them are replaced; further ones are closed. */
const MOST_WAITING = 1024

/**
 * Hands connections to workers in turn. This process accepts them, so that the port is never without a listener, and
 * keeps its copy of each until a worker says that it has it: what a worker that ends had not taken ends with it, for
 * nobody would. A worker gets the next one when it has taken the last one: one that stands still gets no more.
 */
export class ConnectionDispatcher {
  readonly #seats = new Set<Seat>()
  /** Open and with nothing on the way, the one that has waited longest first. */
  readonly #free = new Set<Seat>()
  readonly #waiting: Socket[] = []

  /** Takes a worker in, which gets connections from its word on; call the result when it has gone. */
  join(channel: PlainChannel): () => void {
    const seat: Seat = { channel, isOpen: false, handed: undefined }
    this.#seats.add(seat)
    channel.listen((message) => {
      if (message.kind === 'open' || message.kind === 'shut') seat.isOpen = message.kind === 'open'
      else if (message.kind === 'connection') this.#settle(seat, message.isTaken)
      this.#offer(seat)
    })
    return () => this.#leave(seat)
  }

  /** Hands over a connection of which nothing has been read, now or when a worker is free. */
  take(socket: Socket): void {
    // whoever gives up meanwhile is found out by the worker
    socket.on('error', () => {})
    if (this.#waiting.length >= MOST_WAITING) socket.destroy()
    else this.#waiting.push(socket)
    this.#handOut()
  }

  /** Ends the connections that wait. */
  close(): void {
    for (const socket of this.#waiting.splice(0)) socket.destroy()
  }

  #settle(seat: Seat, isTaken: boolean): void {
    const { handed } = seat
    seat.handed = undefined
    if (handed === undefined) return
    // the worker has a copy of its own
    if (isTaken) handed.destroy()
    else this.#waiting.unshift(handed)
  }

  #offer(seat: Seat): void {
    if (seat.isOpen && seat.handed === undefined && this.#seats.has(seat)) this.#free.add(seat)
    else this.#free.delete(seat)
    this.#handOut()
  }

  #handOut(): void {
    for (const seat of this.#free) {
      const socket = this.#waiting.shift()
      if (socket === undefined) return
      this.#free.delete(seat)
      seat.handed = socket
      seat.channel.send({ kind: 'connection' }, socket)
    }
  }

  #leave(seat: Seat): void {
    this.#seats.delete(seat)
    this.#free.delete(seat)
    seat.handed?.destroy()
  }
}
