import { lookup as lookUp } from 'node:dns/promises'
import type { AddressInfo, Server } from 'node:net'
import { createBoundedServer, listenBounded } from './bounded-servers.ts'

/** Where an app listens; port 0 takes a free one, no host means this machine only. */
export interface ListenOptions {
  readonly port: number
  readonly host?: string | undefined
  /** Connections that wait to be accepted; `DEFAULT_LISTEN_BACKLOG` by default. */
  readonly backlog?: number | undefined
}

/** Gives the addresses of `localhost`. */
export type Lookup = () => Promise<readonly { readonly address: string }[]>

const THIS_MACHINE = 'localhost'

/** Opens and closes the ports of a server, of HTTP or of connections. */
export class Listener {
  readonly #server: Server
  readonly #lookup: Lookup
  /** Further addresses of the same name; their connections are the server's. */
  readonly #others: Server[] = []

  constructor(server: Server, lookup: Lookup = () => lookUp(THIS_MACHINE, { all: true })) {
    this.#server = server
    this.#lookup = lookup
  }

  /**
   * Listens, for `localhost` on all of its addresses (IPv4 and IPv6) as far as the machine has them. Gives a URL that
   * leads there from this machine. Rejects with the platform's error when the port is taken on the first address.
   */
  async listen({ port, host = THIS_MACHINE, backlog }: ListenOptions): Promise<string> {
    const [first = host, ...others] = host === THIS_MACHINE ? await this.#addresses() : []
    await listenBounded(this.#server, { port, host: first, backlog })
    const own = this.#server.address() as AddressInfo
    for (const other of others) await this.#share({ port: own.port, host: other, backlog })
    return urlOf(own)
  }

  /** Takes no more connections; resolves when the last one is closed. */
  async close(): Promise<void> {
    const servers = [this.#server, ...this.#others]
    await Promise.all(servers.map((server) => new Promise<void>((resolve) => server.close(() => resolve()))))
  }

  async #addresses(): Promise<string[]> {
    const found = await this.#lookup().catch(() => [])
    return [...new Set(found.map(({ address }) => address))]
  }

  /** Gives the connections of a further address to the server; one that cannot be had is left out. */
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

function urlOf({ address, family, port }: AddressInfo): string {
  if (family === 'IPv6') return `http://[${address}]:${port}`
  return `http://${address === '0.0.0.0' ? '127.0.0.1' : address}:${port}`
}
