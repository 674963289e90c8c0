/**
 * Process with many stream clients. Opens streams and reports when each of them received a change. The parent process
 * controls it with messages, one at a time.
 */
import { connect, type Socket } from 'node:net'

/** Path, token and expected first data of a stream. */
export interface StreamEndpoint {
  readonly path: string
  readonly token: string
  readonly begins: string
}

/** Messages from the parent process. */
export type ClientQuestion =
  | ({ readonly open: number; readonly port: number } & StreamEndpoint)
  /** Requests the times, in milliseconds since 1970, at which the clients received the next change. */
  | { readonly hear: true }
  | { readonly close: true }

interface Client {
  readonly socket: Socket
  isOpen: boolean
  heardAtMs: number | undefined
}

const CHANGED = 'feature-updated'
/** Maximum number of connections that are opened at the same time, because a server's listen queue is short. */
const AT_ONCE = 100
const clients: Client[] = []
let onChangeReceived = (): void => {}

function dial(port: number, { path, token, begins }: StreamEndpoint): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    const client: Client = { socket, isOpen: false, heardAtMs: undefined }
    clients.push(client)
    socket.on('error', reject)
    socket.on('data', (piece) => {
      if (!client.isOpen) {
        client.isOpen = piece.includes(begins)
        if (client.isOpen) resolve()
      } else if (client.heardAtMs === undefined && piece.includes(CHANGED)) {
        client.heardAtMs = Date.now()
        onChangeReceived()
      }
    })
    socket.write(`GET ${path} HTTP/1.1\r\nHost: h\r\nAuthorization: ${token}\r\n\r\n`)
  })
}

async function open(count: number, port: number, at: StreamEndpoint): Promise<void> {
  for (let opened = 0; opened < count; opened += AT_ONCE) {
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, count - opened) }, () => dial(port, at)))
  }
}

async function awaitChange(): Promise<number[]> {
  for (const client of clients) client.heardAtMs = undefined
  let left = clients.length
  process.send?.('listening')
  await new Promise<void>((resolve) => {
    onChangeReceived = () => {
      left -= 1
      if (left === 0) resolve()
    }
  })
  return clients.map(({ heardAtMs }) => heardAtMs ?? Number.NaN)
}

async function answer(question: ClientQuestion): Promise<unknown> {
  if ('open' in question) await open(question.open, question.port, question)
  else if ('hear' in question) return awaitChange()
  else for (const { socket } of clients.splice(0)) socket.destroy()
  return 'done'
}

process.on('message', (question: ClientQuestion) => {
  void answer(question).then((reply) => process.send?.(reply))
})
process.on('disconnect', () => process.exit())
