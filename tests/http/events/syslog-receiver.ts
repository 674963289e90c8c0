import { createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'

/** Syslog server that listens on a separate port and counts messages by their length in bytes (RFC 6587). */
export interface SyslogReceiver {
  readonly port: number
  readonly messages: string[]
  /** Number of connections that the next batches cut after the first byte. */
  cuts: number
  close(): Promise<void>
}

/** Starts a receiver on 127.0.0.1, with TLS if it gets a certificate. */
export async function startSyslog(tls?: { readonly key: Buffer; readonly cert: Buffer }): Promise<SyslogReceiver> {
  const receiver: SyslogReceiver = { port: 0, messages: [], cuts: 0, close: () => closeServer(server) }
  const sockets = new Set<Socket>()
  const take = (socket: Socket) => {
    sockets.add(socket)
    const parts: Buffer[] = []
    socket.on('data', (part: Buffer) => {
      if (receiver.cuts > 0) {
        receiver.cuts -= 1
        socket.resetAndDestroy()
      } else parts.push(part)
    })
    socket.on('error', () => {})
    socket.on('end', () => receiver.messages.push(...splitMessages(Buffer.concat(parts))))
  }
  const server = tls === undefined ? createTcpServer(take) : createTlsServer(tls, take)
  async function closeServer(one: Server): Promise<void> {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => one.close(resolve))
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return Object.assign(receiver, { port: typeof address === 'object' && address !== null ? address.port : 0 })
}

function splitMessages(data: Buffer): string[] {
  const messages: string[] = []
  for (let at = 0; at < data.length; ) {
    const blank = data.indexOf(' ', at)
    const length = Number(data.toString('ascii', at, blank))
    messages.push(data.toString('utf8', blank + 1, blank + 1 + length))
    at = blank + 1 + length
  }
  return messages
}
