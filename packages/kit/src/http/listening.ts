import { createBoundedServer, listenBounded } from './bounded-servers.ts'
import type { ListenOptions } from './listener.ts'

/** Address to listen on, and the names of the options that set the port and the address (`PORT, --port`). */
export interface ListenSettings {
  /** Port; 0 selects a free port. */
  readonly port: number
  /** Host; undefined means all addresses. */
  readonly host: string | undefined
  /** Listen backlog. Default: `DEFAULT_LISTEN_BACKLOG`. */
  readonly backlog?: number | undefined
  readonly portNames: string
  readonly hostNames: string
}

/** Failure to listen on a port or address. The message names the options; `code` is the error code of the platform. */
export class ListenError extends Error {
  override readonly name = 'ListenError'
  readonly code: string
  constructor(message: string, code: string, cause: unknown) {
    super(message, { cause })
    this.code = code
  }
}

/**
 * Rejects with ListenError if the port is not available at the moment. Does not keep the port open, so a later attempt
 * to listen can still fail.
 */
export async function requireFreePort(at: ListenSettings): Promise<void> {
  const server = createBoundedServer({ kind: 'probe' })
  await listenBounded(server, at).catch((error: unknown) => {
    throw toListenError(error, at)
  })
  await new Promise<void>((resolve) => server.close(() => resolve()))
}

/** Service that opens a port and returns its URL. */
interface Listening {
  listen(at: ListenOptions): Promise<string>
}

/**
 * Starts listening on a host. Without a host, listens on all IPv4 addresses, and on all IPv6 addresses if the machine
 * has IPv6. Returns the URL. Rejects with ListenError.
 */
export async function listenOn(listener: Listening, at: ListenSettings): Promise<string> {
  const { port, host, backlog } = at
  try {
    return await (host === undefined ? listenOnAll(listener, port, backlog) : listener.listen({ port, host, backlog }))
  } catch (error) {
    throw toListenError(error, at)
  }
}

async function listenOnAll(listener: Listening, port: number, backlog: number | undefined): Promise<string> {
  try {
    return await listener.listen({ port, host: '::', backlog })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code !== 'EAFNOSUPPORT' && code !== 'EADDRNOTAVAIL') throw error
    return listener.listen({ port, host: '0.0.0.0', backlog })
  }
}

/**
 * Converts the platform's error for a failed `listen` to a ListenError that names the options. Returns other errors
 * unchanged.
 */
export function toListenError(error: unknown, at: ListenSettings): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const sentence = describeListenFailure(code, at)
  return sentence === undefined ? error : new ListenError(sentence, code, error)
}

function describeListenFailure(code: string, { port, host, portNames, hostNames }: ListenSettings): string | undefined {
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} (${portNames}) is in use (${code}) by another Burgee or another program; find it with lsof -i :${port}`
    case 'EACCES':
    case 'EPERM':
      return `Port ${port} (${portNames}) is not permitted for this user (${code}): ports below 1024 often need an additional privilege; use a port from 1024 on`
    case 'EADDRNOTAVAIL':
    case 'EAFNOSUPPORT':
    case 'EINVAL':
      return `Cannot listen on ${host ?? 'all addresses'} (${hostNames}): it is not an address of this machine (${code})`
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `Cannot listen on ${host ?? 'all addresses'} (${hostNames}): the name has no address (${code})`
    default:
      return undefined
  }
}
