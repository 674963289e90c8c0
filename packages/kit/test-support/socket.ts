import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import type { App } from '../src/http/app.ts'

/** Raw connection, with the text received so far and a promise for its end. */
export interface Wire {
  readonly socket: Socket
  readonly received: () => string
  /** Resolves with all received text once the server has closed the connection. */
  readonly ended: Promise<string>
  /** Resolves once the received text matches the pattern. Rejects if the connection ends first. */
  until(pattern: RegExp): Promise<void>
}

/** Listens on a free port of the loopback address, and resolves with the port. Returns the port. */
export async function listen(app: App): Promise<number> {
  await app.listen({ port: 0, host: '127.0.0.1' })
  return (app.server.address() as AddressInfo).port
}

/** Opens a connection and sends the text. */
export async function dial(port: number, text: string): Promise<Wire> {
  const socket = connect(port, '127.0.0.1')
  let received = ''
  socket.on('data', (chunk) => {
    received += chunk
  })
  socket.on('error', () => {})
  const ended = new Promise<string>((resolve) => socket.once('close', () => resolve(received)))
  await once(socket, 'connect')
  socket.write(text)
  const until = async (pattern: RegExp) => {
    while (!pattern.test(received))
      await Promise.race([once(socket, 'data'), ended.then(() => failUntil(pattern, received))])
  }
  return { socket, received: () => received, ended, until }
}

function failUntil(pattern: RegExp, received: string): never {
  throw new Error(`The connection ended before ${pattern}; received: ${received}`)
}
