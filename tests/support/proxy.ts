import { SILENT } from '@burgee/kit/log/logger'
import { type StartedProxy, start } from '@burgee/proxy'
import type { ProxyConfig } from '@burgee/proxy/options'
import { until } from './wait.ts'

/** A real proxy on a free port. */
export interface TestProxy extends StartedProxy {
  /** Address without the path: `http://127.0.0.1:1234`. */
  readonly url: string
}

/** The client key that test proxies accept. */
export const KEY = 'client-key'

/** Starts a proxy before an upstream, whatever the environment says; waits for its first sync unless told not to. */
export async function startProxy(config: ProxyConfig, { ready = true } = {}): Promise<TestProxy> {
  const given = {
    flagApiToken: 'upstream-token',
    clientKeys: [KEY],
    host: '127.0.0.1',
    port: 0,
    logger: SILENT,
    // another test may have left one behind
    backup: config.backupFolder !== undefined,
    // what is asked of an upstream is counted
    streaming: 'off' as const,
    ...config,
  }
  const proxy = await start(given, { env: {} })
  if (ready) await until(() => proxy.isReady())
  return { ...proxy, url: `http://127.0.0.1:${proxy.port}` }
}
