import type { ListenSettings } from '@burgee/kit/http/listening'
import type { ProxyOptions } from './options.ts'

/** Returns the address to listen on, with the names of the options that set it. */
export function getListenAddress(
  { port, host, listenBacklog }: Pick<ProxyOptions, 'port' | 'host' | 'listenBacklog'>,
  portFlag = '--port',
): ListenSettings {
  return { port, host, backlog: listenBacklog, portNames: `PROXY_PORT, ${portFlag}`, hostNames: 'PROXY_HOST' }
}
