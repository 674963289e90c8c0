import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

/** Received mail. */
export interface Received {
  readonly from: string
  readonly to: readonly string[]
  /** True if the connection was encrypted. */
  readonly isEncrypted: boolean
  readonly user: string | undefined
  /** Headers, an empty line and the parts, as sent. */
  readonly source: string
}

/** Mail server that stores its mails. */
export interface MailServer {
  readonly port: number
  readonly received: Received[]
  close(): Promise<void>
}

/** Starts a mail server on the given port, or on a free one. */
export async function startMailServer(options: SMTPServerOptions = {}, port = 0): Promise<MailServer> {
  const received: Received[] = []
  const server = new SMTPServer({
    authOptional: true,
    // the default certificate is self-signed
    ...('cert' in options ? {} : { disabledCommands: ['STARTTLS', 'AUTH'] }),
    closeTimeout: 100,
    // no reverse DNS lookups of connecting hosts
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
  // clients that reject the certificate disconnect, which some tests expect
  server.on('error', () => {})
  server.listen(port, '127.0.0.1')
  await once(server.server, 'listening')
  return {
    port: (server.server.address() as AddressInfo).port,
    received,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

/** Returns the text part of a mail, decoded from quoted-printable. */
export function textOf({ source }: Received): string {
  const part = source.split(/\r\n--/).find((one) => one.includes('text/plain')) ?? ''
  const body = part.slice(part.indexOf('\r\n\r\n') + 4)
  return body
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_all, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
}
