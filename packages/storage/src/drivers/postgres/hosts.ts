import { Client, type ClientConfig } from 'pg'

/** Address of a server that may be the primary. */
export interface Host {
  readonly host?: string | undefined
  readonly port?: number | undefined
}

const CONNECT_MS = 5000
/**
 * Interval between keep-alive packets. Routers drop idle connections after a few minutes, some even after one minute.
 */
const KEEP_ALIVE_MS = 10_000

type ConnectCallback = (error: Error | null | undefined) => void

/** Database hosts, one of which is the primary. The host to which the last connection succeeded is tried first. */
export class Hosts {
  readonly count: number
  readonly #hosts: readonly Host[]
  #index = 0

  constructor(hosts: readonly Host[]) {
    this.#hosts = hosts
    this.count = hosts.length
  }

  get current(): Host {
    return this.#hosts[this.#index] ?? {}
  }

  /** Makes the next connection go to another host. */
  markFailed(host: Host): void {
    if (host === this.current) this.#index = (this.#index + 1) % this.count
  }
}

/** Driver client for the current host. */
export class HostClient extends Client {
  readonly target: Host
  readonly #hosts: Hosts

  constructor(hosts: Hosts, config: ClientConfig) {
    const { current } = hosts
    // pools make the password non-enumerable, so spreading the options would lose it
    const { password } = config
    super({
      ...config,
      ...current,
      password,
      connectionTimeoutMillis: CONNECT_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    } as ClientConfig)
    this.target = current
    this.#hosts = hosts
  }

  override connect(): Promise<Client>
  override connect(callback: ConnectCallback): void
  override connect(callback?: ConnectCallback): Promise<Client> | undefined {
    if (callback === undefined) {
      return super.connect().catch((error: unknown) => {
        this.#hosts.markFailed(this.target)
        throw error
      })
    }
    super.connect((error: Error | null | undefined) => {
      if (error !== null && error !== undefined) this.#hosts.markFailed(this.target)
      callback(error)
    })
    return undefined
  }
}
