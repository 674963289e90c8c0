import { lookup as lookUp } from 'node:dns/promises'
import type { AddressInfo, Server } from 'node:net'
import { createBoundedServer, listenBounded } from './bounded-servers.ts'

/** Address to listen on. Port 0 selects a free port. Without a host, the server listens on localhost. */
export interface ListenOptions {
  readonly port: number
  readonly host?: string | undefined
  /** Listen backlog. Default: `DEFAULT_LISTEN_BACKLOG`. */
  readonly backlog?: number | undefined
}

/** Resolves the addresses of `localhost`. */
export type Lookup = () => Promise<readonly { readonly address: string }[]>

const THIS_MACHINE = 'localhost'

/** Opens and closes the ports of an HTTP or TCP server. */
export class Listener {
  readonly #server: Server
  readonly #lookup: Lookup
  /** Servers on the other addresses of the same host name, which pass their connections to the main server. */
  readonly #others: Server[] = []

  constructor(server: Server, lookup: Lookup = () => lookUp(THIS_MACHINE, { all: true })) {
    this.#server = server
    this.#lookup = lookup
  }

  /**
   * Starts listening. For `localhost`, listens on all addresses (IPv4 and IPv6) of this name that the machine has.
   * Returns a URL that works from this machine. Rejects with the error of the platform if the port is already in use on
   * the first address.
   */
  async listen({ port, host = THIS_MACHINE, backlog }: ListenOptions): Promise<string> {
    const [first = host, ...others] = host === THIS_MACHINE ? await this.#addresses() : []
    await listenBounded(this.#server, { port, host: first, backlog })
    const own = this.#server.address() as AddressInfo
    for (const other of others) await this.#share({ port: own.port, host: other, backlog })
    return formatUrl(own)
  }

  /** Stops accepting connections; resolves when the last connection is closed. */
  async close(): Promise<void> {
    const servers = [this.#server, ...this.#others]
    await Promise.all(servers.map((server) => new Promise<void>((resolve) => server.close(() => resolve()))))
  }

  async #addresses(): Promise<string[]> {
    const found = await this.#lookup().catch(() => [])
    return [...new Set(found.map(({ address }) => address))]
  }

  /** Listens on another address and passes its connections to the main server; skips an address that is unavailable. */
  async #share(at: ListenOptions): Promise<void> {
    const { pauseOnConnect } = this.#server as Server & { readonly pauseOnConnect?: boolean }
    const other = createBoundedServer({
      kind: 'shared',
      pauseOnConnect: pauseOnConnect === true,
      connection: (socket) => this.#server.emit('connection', socket),
    })
    await listenBounded(other, at).then(
      () => this.#others.push(other),
      () => {},
    )
  }
}

function formatUrl({ address, family, port }: AddressInfo): string {
  if (family === 'IPv6') return `http://[${address}]:${port}`
  return `http://${address === '0.0.0.0' ? '127.0.0.1' : address}:${port}`
}
