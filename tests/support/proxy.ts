import { SILENT } from '@burgee/kit/logger'
import { type BurgeeProxy, createProxy, upstreamParts } from '@burgee/proxy'
import { loadOptions, type ProxyConfig } from '@burgee/proxy/options'
import { until } from './wait.ts'

/** A real proxy on a free port. */
export interface TestProxy extends BurgeeProxy {
  /** Address without the path: `http://127.0.0.1:1234`. */
  readonly url: string
}

/** The client key that test proxies accept. */
export const KEY = 'client-key'

/** Starts a proxy before an upstream; waits for its first sync unless told not to. */
export async function startProxy(config: ProxyConfig, { ready = true } = {}): Promise<TestProxy> {
  const given = {
    flagApiToken: 'upstream-token',
    clientKeys: [KEY],
    host: '127.0.0.1',
    port: 0,
    logger: SILENT,
    ...config,
  }
  const options = loadOptions(given, {})
  const logger = options.logger ?? SILENT
  const proxy = createProxy({
    options,
    logger,
    clock: Date.now,
    random: Math.random,
    ...upstreamParts(options, logger, Date.now, Math.random),
  })
  const { port } = await proxy.listen()
  if (ready) await until(() => proxy.isReady())
  return { ...proxy, url: `http://127.0.0.1:${port}` }
}
