import { Agent, type buildConnector, type Dispatcher, EnvHttpProxyAgent } from 'undici'
import { MOST_BYTES } from './upstream.ts'

/** How connections to an upstream are made. */
export interface DispatcherSettings {
  /** TLS of the upstream, or of the proxy server before it: authorities, a certificate of our own, times. */
  readonly connect: buildConnector.BuildOptions
  /** Proxy servers by scheme of the upstream, and hosts that are reached without one, comma-separated. */
  readonly httpProxy?: string | undefined
  readonly httpsProxy?: string | undefined
  readonly noProxy?: string | undefined
  /** Further settings of each connection. */
  readonly agent?: Omit<Agent.Options, 'connect' | 'maxResponseSize'>
}

/** Makes connections as the settings say, through proxy servers where they name them; no answer is larger than `MOST_BYTES`. */
export function dispatcherOf({ connect, httpProxy, httpsProxy, noProxy, agent }: DispatcherSettings): Dispatcher {
  const common = { ...agent, maxResponseSize: MOST_BYTES, connect }
  if (httpProxy === undefined && httpsProxy === undefined) return new Agent(common)
  return new EnvHttpProxyAgent({
    ...common,
    requestTls: connect,
    proxyTunnel: false,
    // an empty text keeps the agent from reading the environment behind the options' back
    httpProxy: httpProxy ?? '',
    httpsProxy: httpsProxy ?? '',
    noProxy: noProxy ?? '',
  })
}
