import { withReadableBody } from './http/unread-body.ts'
import { type BurgeeProxy, createProxy, type ProxyDeps } from './proxy.ts'
import type { ProxyApp } from './proxy-app.ts'
import type { ProxySetup } from './proxy-setup.ts'
import { connectHttp } from './upstream/connection.ts'

/** Proxy with the interface that its user gets. */
export interface BuiltProxy {
  readonly proxy: BurgeeProxy
  readonly facade: ProxyApp
}

/** Creates a proxy with its connection to the upstream, without starting it. */
export function build(
  setup: ProxySetup,
  observers: Pick<ProxyDeps, 'tracer' | 'decisions' | 'flagSet'> = {},
): BuiltProxy {
  const { plugins, readSecrets, ...common } = setup
  const connection = connectHttp({ ...common, strategyNames: plugins.strategies.map(({ name }) => name) })
  const proxy: BurgeeProxy = createProxy({ ...common, ...observers, plugins, connection })
  const facade: ProxyApp = {
    handler: (request, response) => proxy.app.routing(withReadableBody(request), response),
    isReady: proxy.isReady,
    logger: setup.logger,
    reloadSecrets: () => {
      readSecrets()
      proxy.refresh()
      setup.logger.warn('Reloaded client keys and tokens')
    },
    drain: proxy.drain,
    close: proxy.close,
  }
  return { proxy, facade }
}
