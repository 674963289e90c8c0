import { SILENT } from '@burgee/kit/log/logger'
import { type StartedProxy, start } from '@burgee/proxy'
import type { ProxyConfig } from '@burgee/proxy/options'
import { until } from './wait.ts'

/** Real proxy on a free port. */
export interface TestProxy extends StartedProxy {
  /** URL without a path: `http://127.0.0.1:1234`. */
  readonly url: string
}

/** Client key that test proxies accept. */
export const KEY = 'client-key'

/** Starts a proxy for an upstream, ignoring environment variables. Waits for the first sync unless `ready` is false. */
export async function startProxy(config: ProxyConfig, { ready = true } = {}): Promise<TestProxy> {
  const given = {
    flagApiToken: 'upstream-token',
    clientKeys: [KEY],
    host: '127.0.0.1',
    port: 0,
    logger: SILENT,
    // another test may have left a backup behind
    backup: config.backupFolder !== undefined,
    // tests count the upstream requests
    streaming: 'off' as const,
    ...config,
  }
  const proxy = await start(given, { env: {} })
  if (ready) await until(() => proxy.isReady())
  return { ...proxy, url: `http://127.0.0.1:${proxy.port}` }
}
