import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

/** A mail as it came in. */
export interface Received {
  readonly from: string
  readonly to: readonly string[]
  /** Whether the connection was encrypted, and who had logged in. */
  readonly isEncrypted: boolean
  readonly user: string | undefined
  /** Headers, an empty line and the parts, as they were sent. */
  readonly source: string
}

/** A mail server that keeps what it gets. */
export interface MailServer {
  readonly port: number
  readonly received: Received[]
  close(): Promise<void>
}

/** Starts one at a port of its own, or at the one that is given. */
export async function startMailServer(options: SMTPServerOptions = {}, port = 0): Promise<MailServer> {
  const received: Received[] = []
  const server = new SMTPServer({
    authOptional: true,
    // its own certificate is one that nobody vouches for
    ...('cert' in options ? {} : { disabledCommands: ['STARTTLS', 'AUTH'] }),
    closeTimeout: 100,
    // the names of hosts that connect are nobody's business here
    disableReverseLookup: true,
    ...options,
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope
        received.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          isEncrypted: session.secure,
          user: typeof session.user === 'string' ? session.user : undefined,
          source: Buffer.concat(chunks).toString('utf8'),
        })
        done()
      })
    },
  })
  // clients that trust nobody break off, which is what a test wants to see
  server.on('error', () => {})
  server.listen(port, '127.0.0.1')
  await once(server.server, 'listening')
  return {
    port: (server.server.address() as AddressInfo).port,
    received,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

/** The text part of a mail, without the breaks that its coding puts in. */
export function textOf({ source }: Received): string {
  const part = source.split(/\r\n--/).find((one) => one.includes('text/plain')) ?? ''
  const body = part.slice(part.indexOf('\r\n\r\n') + 4)
  return body
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_all, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
}
