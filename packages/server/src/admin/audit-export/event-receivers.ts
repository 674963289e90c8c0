import { connect as connectByTcp, isIP, type Socket } from 'node:net'
import { connect as connectByTls } from 'node:tls'
import type { Event } from '@burgee/protocol/event'
import type { AuditReceiver } from '../../core/options/audit-export-options.ts'
import { type CallGuard, callGuarded } from '../integrations/guarded-request.ts'
import { formatSyslogMessage } from './syslog-message.ts'

/** Sends a batch of events. Rejects unless the receiver has taken all of them; errors contain no secrets. */
export type SendEvents = (events: readonly Event[]) => Promise<void>

/** Dependencies of receivers. */
export interface ReceiverDeps {
  readonly resolve: CallGuard['resolve']
  readonly requireEncryption: boolean
  /** Name of this machine in syslog messages. */
  readonly hostname: string
}

const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'syslog:': 601, 'syslog+tls:': 6514 }
/** Time limit for a batch, from the connection until the receiver has closed it. */
const TIMEOUT_MS = 10_000

/** Creates the function that sends events to a receiver. */
export function createSender(receiver: AuditReceiver, deps: ReceiverDeps): SendEvents {
  return receiver.url.protocol.startsWith('http') ? sendByHttp(receiver, deps) : sendBySyslog(receiver, deps)
}

/** Posts a batch as JSON Lines. A response status of 2xx means that the receiver has taken the batch. */
function sendByHttp(
  { url, authorization, ca }: AuditReceiver,
  { resolve, requireEncryption }: ReceiverDeps,
): SendEvents {
  // the operator has chosen the receiver, which is usually in a private network
  const guard = { allowPrivate: true, allowedHosts: [], requireEncryption, resolve, ca }
  const headers = {
    'content-type': 'application/x-ndjson; charset=utf-8',
    ...(authorization === undefined ? {} : { authorization }),
  }
  return async (events) => {
    const body = events.map((event) => `${JSON.stringify(event)}\n`).join('')
    const { error } = await callGuarded({ url: url.href, headers, body }, guard)
    if (error !== undefined) throw new Error(error)
  }
}

/**
 * Sends a batch over a new connection, ends it and waits until the receiver closes it. Syslog has no acknowledgements:
 * only a connection that ends without an error shows that the other side has received every byte.
 */
function sendBySyslog({ url, ca }: AuditReceiver, { hostname }: ReceiverDeps): SendEvents {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const port = url.port === '' ? (DEFAULT_PORTS[url.protocol] ?? 0) : Number(url.port)
  const isTls = url.protocol === 'syslog+tls:'
  return (events) =>
    new Promise((resolve, reject) => {
      const socket = isTls
        ? connectByTls({ host, port, ca, ...(isIP(host) === 0 ? { servername: host } : {}) })
        : connectByTcp({ host, port })
      socket.setTimeout(TIMEOUT_MS, () =>
        socket.destroy(new Error('The receiver did not close the connection in time')),
      )
      // discards everything that the receiver sends, so that its end of the connection is noticed
      socket.resume()
      socket.once(isTls ? 'secureConnect' : 'connect', () => {
        socket.end(events.map((event) => formatSyslogMessage(event, hostname)).join(''))
      })
      finish(socket, resolve, reject)
    })
}

function finish(socket: Socket, resolve: () => void, reject: (error: Error) => void): void {
  let isEnded = false
  socket.once('end', () => {
    isEnded = socket.writableFinished
  })
  socket.once('error', (error: NodeJS.ErrnoException) => reject(new Error(describe(error))))
  socket.once('close', () => {
    if (isEnded) resolve()
    else reject(new Error('The receiver closed the connection before it had taken all events'))
  })
}

function describe({ code, message }: NodeJS.ErrnoException): string {
  return code === undefined ? message : `The receiver could not be reached (${code})`
}
