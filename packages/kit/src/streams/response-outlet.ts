import type { ServerResponse } from 'node:http'
import type { Connections } from '../http/connections.ts'
import type { EventMessage } from './event-message.ts'
import type { Outlet } from './outlet.ts'

/** Dependencies of a response outlet. */
export interface ResponseOutletDeps {
  readonly connections: Connections
  /** Keys of the callers to which the memory of the stream is charged. */
  readonly owners: readonly string[]
}

/**
 * Outlet that writes to the response of an HTTP server. The server decides on the framing of a body without a length.
 */
export class ResponseOutlet implements Outlet {
  readonly #response: ServerResponse
  readonly #deps: ResponseOutletDeps
  #unwritten = 0
  #last: Buffer | undefined
  #sent: (() => void) | undefined

  constructor(response: ServerResponse, deps: ResponseOutletDeps) {
    this.#response = response
    this.#deps = deps
  }

  get unsentBytes(): number {
    return this.#unwritten === 0 ? 0 : this.#response.writableLength
  }

  write({ plain }: EventMessage): void {
    const response = this.#response
    if (!response.writable || response.destroyed) return
    this.#unwritten += 1
    response.write(plain, this.#written)
    this.#last = plain
    // the response collects all writes of one turn of the event loop
    if (this.#unwritten === 1) setImmediate(this.#chargeUnsent)
    else this.#chargeUnsent()
  }

  /** Charges the unsent bytes to the connection. */
  readonly #chargeUnsent = (): void => {
    const { socket } = this.#response
    const { connections, owners } = this.#deps
    if (this.#unwritten > 0 && socket) connections.recordWrite(socket, this.#last, owners)
  }

  readonly #written = (error?: Error | null): void => {
    this.#unwritten -= 1
    if (error) return
    if (this.#unwritten > 0) {
      this.#chargeUnsent()
      return
    }
    this.#last = undefined
    if (this.#response.socket) this.#deps.connections.markDrained(this.#response.socket)
    const sent = this.#sent
    this.#sent = undefined
    sent?.()
  }

  whenSent(call: () => void): void {
    this.#sent = call
    if (this.#unwritten > 0) return
    this.#unwritten += 1
    setImmediate(this.#written)
  }

  whenClosed(call: () => void): void {
    this.#response.once('close', call)
  }

  end(): void {
    this.#response.end()
  }

  cut(): void {
    this.#response.destroy()
  }
}
