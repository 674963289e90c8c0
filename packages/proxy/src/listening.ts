import type { ListenAt } from '@burgee/kit/http/listening'
import type { ProxyOptions } from './options.ts'

/** Where a proxy with these options listens, and by what names people set that. */
export function listenAt(
  { port, host, listenBacklog }: Pick<ProxyOptions, 'port' | 'host' | 'listenBacklog'>,
  portFlag = '--port',
): ListenAt {
  return { port, host, backlog: listenBacklog, portNames: `PROXY_PORT, ${portFlag}`, hostNames: 'PROXY_HOST' }
}
