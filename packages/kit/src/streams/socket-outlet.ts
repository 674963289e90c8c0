import type { Socket } from 'node:net'
import type { Connections } from '../http/connections.ts'
import type { EventMessage } from './event-message.ts'
import type { Outlet } from './outlet.ts'

/** Dependencies of a socket outlet. */
export interface SocketOutletDeps {
  readonly connections: Connections
  /** Keys of the callers to which the memory of the stream is charged. */
  readonly owners: readonly string[]
  /** Closes the connection after the body. */
  readonly closeConnection: () => void
}

const NOTHING = Buffer.alloc(0)
const LAST_CHUNK = '0\r\n\r\n'

/** Outlet that writes a body in the chunked transfer coding directly to a socket. */
export class SocketOutlet implements Outlet {
  readonly #socket: Socket
  readonly #deps: SocketOutletDeps
  #isOver = false
  #isBlocked = false
  #sent: (() => void) | undefined

  constructor(socket: Socket, deps: SocketOutletDeps) {
    this.#socket = socket
    this.#deps = deps
  }

  get unsentBytes(): number {
    return this.#socket.writableLength
  }

  write({ chunk }: EventMessage): void {
    if (this.#isOver || !this.#socket.writable) return
    this.#socket.write(chunk)
    // most clients read at once, in which case nothing remains unsent
    if (this.#socket.writableLength > 0) this.#chargeUnsent(chunk)
  }

  /** Charges the unsent bytes to the connection. */
  #chargeUnsent(chunk: Buffer): void {
    this.#deps.connections.recordWrite(this.#socket, chunk, this.#deps.owners)
    if (this.#isBlocked) return
    this.#isBlocked = true
    this.#socket.write(NOTHING, (error) => {
      if (!error) this.#written()
    })
  }

  #written(): void {
    this.#isBlocked = false
    if (this.#socket.writableLength > 0) {
      this.#chargeUnsent(NOTHING)
      return
    }
    this.#deps.connections.markDrained(this.#socket)
    const sent = this.#sent
    this.#sent = undefined
    sent?.()
  }

  whenSent(call: () => void): void {
    this.#sent = call
    if (!this.#isBlocked) this.#chargeUnsent(NOTHING)
  }

  whenClosed(call: () => void): void {
    this.#socket.once('close', call)
  }

  end(): void {
    if (this.#isOver) return
    this.#isOver = true
    if (this.#socket.writable) this.#socket.write(LAST_CHUNK, 'latin1')
    this.#deps.closeConnection()
  }

  cut(): void {
    this.#isOver = true
    this.#socket.destroy()
  }
}
