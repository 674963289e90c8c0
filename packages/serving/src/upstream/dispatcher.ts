import { Agent, type buildConnector, Dispatcher, ProxyAgent } from 'undici'
import { chooseProxyServer, type ProxyServerSettings } from './proxy-servers.ts'
import { MAX_RESPONSE_BYTES } from './response-body.ts'

/** Settings for connections to an upstream. */
export interface DispatcherSettings extends ProxyServerSettings {
  /** TLS settings: trusted CAs, client certificate, timeouts. */
  readonly connect: buildConnector.BuildOptions
  /** Upstream addresses that are known at startup. A proxy server that is configured for one of them must be valid. */
  readonly addresses: readonly string[]
  /** Additional settings for every connection. */
  readonly agent?: Omit<Agent.Options, 'connect' | 'maxResponseSize'>
}

/**
 * Creates the dispatcher for outgoing connections of a process, which go through proxy servers if configured. Limits
 * the size of responses to `MAX_RESPONSE_BYTES`. Throws OptionsError if the proxy server for one of the `addresses` has
 * an invalid address.
 */
export function createDispatcher({ connect, addresses, agent, ...settings }: DispatcherSettings): Dispatcher {
  const common = { ...agent, maxResponseSize: MAX_RESPONSE_BYTES, connect }
  const direct = new Agent(common)
  const { httpProxy, httpsProxy, allProxy } = settings
  if (httpProxy === undefined && httpsProxy === undefined && allProxy === undefined) return direct
  const choose = chooseProxyServer(settings)
  for (const address of addresses) choose(new URL(address))
  return new ProxyingDispatcher(choose, direct, (server) => createProxyAgent(server, common))
}

function createProxyAgent(server: URL, common: Agent.Options): ProxyAgent {
  const { username, password } = server
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  const isNamed = username !== '' || password !== ''
  return new ProxyAgent({
    ...common,
    uri: server.href,
    requestTls: common.connect as buildConnector.BuildOptions,
    // plain http requests are forwarded by the proxy server; only https uses a tunnel
    proxyTunnel: false,
    ...(isNamed ? { token: `Basic ${Buffer.from(credentials).toString('base64')}` } : {}),
  })
}

/** Dispatcher that sends each request either directly or through the proxy server for its address. */
class ProxyingDispatcher extends Dispatcher {
  readonly #choose: (address: URL) => URL | undefined
  readonly #direct: Agent
  readonly #create: (server: URL) => ProxyAgent
  /** Agents by address of the proxy server; at most one agent per option. */
  readonly #proxied = new Map<string, ProxyAgent>()

  constructor(choose: (address: URL) => URL | undefined, direct: Agent, create: (server: URL) => ProxyAgent) {
    super()
    this.#choose = choose
    this.#direct = direct
    this.#create = create
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    return this.#select(new URL(String(options.origin))).dispatch(options as Agent.DispatchOptions, handler)
  }

  override close(): Promise<void>
  override close(callback: () => void): void
  override close(callback?: () => void): Promise<void> | undefined {
    return settle(
      this.#all().map((one) => one.close()),
      callback,
    )
  }

  override destroy(): Promise<void>
  override destroy(error: Error | null): Promise<void>
  override destroy(callback: () => void): void
  override destroy(error: Error | null, callback: () => void): void
  override destroy(error?: Error | null | (() => void), callback?: () => void): Promise<void> | undefined {
    const [reason, done] = typeof error === 'function' ? [null, error] : [error ?? null, callback]
    return settle(
      this.#all().map((one) => one.destroy(reason)),
      done,
    )
  }

  #select(address: URL): Dispatcher {
    const server = this.#choose(address)
    if (server === undefined) return this.#direct
    const known = this.#proxied.get(server.href)
    if (known !== undefined) return known
    const created = this.#create(server)
    this.#proxied.set(server.href, created)
    return created
  }

  #all(): Dispatcher[] {
    return [this.#direct, ...this.#proxied.values()]
  }
}

function settle(work: readonly Promise<void>[], callback?: () => void): Promise<void> | undefined {
  const settled = Promise.all(work).then(() => undefined)
  if (callback === undefined) return settled
  void settled.then(callback)
  return undefined
}
