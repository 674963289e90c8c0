import type { ListenOptions } from '@burgee/kit/http/listener'
import { explainListening } from '@burgee/kit/http/listening'
import type { ProxyOptions } from './options.ts'

/** Where a proxy with these options listens, and by what names people set that. */
export function listenAt({ port, host }: Pick<ProxyOptions, 'port' | 'host'>, portFlag = '--port') {
  return { port, host, portNames: `PROXY_PORT, ${portFlag}`, hostNames: 'PROXY_HOST' }
}

/** Something that opens a port, and gives its URL. */
interface Listening {
  listen(at: ListenOptions): Promise<string>
}

/**
 * Listens where the options say: all addresses by default, of both families where the machine has both. Gives the URL.
 * Throws ListenError.
 */
export async function listenOn(listener: Listening, options: ProxyOptions): Promise<string> {
  const { port, host } = options
  try {
    return await (host === undefined ? listenOnAll(listener, port) : listener.listen({ port, host }))
  } catch (error) {
    throw explainListening(error, listenAt(options))
  }
}

async function listenOnAll(listener: Listening, port: number): Promise<string> {
  try {
    return await listener.listen({ port, host: '::' })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code !== 'EAFNOSUPPORT' && code !== 'EADDRNOTAVAIL') throw error
    return listener.listen({ port, host: '0.0.0.0' })
  }
}
