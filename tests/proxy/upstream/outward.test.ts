import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { ProxyConfig } from '@burgee/proxy/options'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startProxy, type TestProxy } from '../../support/proxy.ts'
import { type FakeUpstream, startUpstream } from '../../support/upstream.ts'
import { until } from '../../support/wait.ts'

/** Connection of the proxy to its upstream. */
const fixture = (name: string) => readFileSync(fileURLToPath(new URL(`../fixtures/${name}`, import.meta.url)))
const DOCUMENT = { version: 2, features: [] }

let upstream: FakeUpstream
let proxy: TestProxy | undefined
let servers: Server[] = []

beforeEach(async () => {
  upstream = await startUpstream(DOCUMENT)
})
afterEach(async () => {
  await proxy?.close()
  proxy = undefined
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
  }
  servers = []
  await upstream.close()
})

const listen = async (server: Server): Promise<number> => {
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}
const start = async (config: ProxyConfig, ready = true): Promise<TestProxy> => {
  proxy = await startProxy({ flagUrl: upstream.url, refreshInterval: 20, ...config }, { ready })
  return proxy
}

describe('flagUrl', () => {
  test.each(['', '/', '/features', '/features/'])('accepts a URL with %s at its end', async (end) => {
    await start({ flagUrl: `${upstream.url}${end}` })
    await until(() => upstream.seen.some(({ url }) => url === '/api/client/register'))
    expect(upstream.seen[0]?.url).toBe('/api/client/features')
  })

  test('a redirect is followed', async () => {
    upstream.answerWith((request, response) => {
      if (request.url.startsWith('/api/')) response.writeHead(200).end(JSON.stringify(DOCUMENT))
      else response.writeHead(302, { location: request.url.replace('/old', '') }).end()
    })
    await start({ flagUrl: upstream.url.replace('/api', '/old/api') })
    expect(upstream.seen.slice(0, 2).map(({ url }) => url)).toEqual([
      '/old/api/client/features',
      '/api/client/features',
    ])
  })
})

describe('a self-signed upstream', () => {
  const secure = (): Promise<number> => {
    const keys = { key: fixture('self-signed-key.pem'), cert: fixture('self-signed.pem') }
    return listen(createTlsServer(keys, (_request, response) => void response.end(JSON.stringify(DOCUMENT))))
  }

  test('fails by default', async () => {
    const flagUrl = `https://127.0.0.1:${await secure()}/api`
    const { url, isReady } = await start({ flagUrl }, false)
    const detail = await until(async () => {
      const health = (await (await fetch(`${url}/proxy/health/ready`)).json()) as { upstreamFailures: number }
      return health.upstreamFailures > 1 ? health : undefined
    })
    expect([isReady(), detail]).toMatchObject([false, { status: 'not ready' }])
  })

  test('works with rejectUnauthorized: false', async () => {
    const flagUrl = `https://127.0.0.1:${await secure()}/api`
    expect((await start({ flagUrl, httpOptions: { rejectUnauthorized: false } })).isReady()).toBe(true)
  })

  test('follows a redirect from http with the token', async () => {
    const tokens: unknown[] = []
    const keys = { key: fixture('self-signed-key.pem'), cert: fixture('self-signed.pem') }
    const secured = await listen(
      createTlsServer(keys, (request, response) => {
        tokens.push(request.headers.authorization)
        response.end(JSON.stringify(DOCUMENT))
      }),
    )
    const port = await listen(
      createServer((request, response) => {
        response.writeHead(308, { location: `https://127.0.0.1:${secured}${request.url}` }).end()
      }),
    )
    await start({ flagUrl: `http://127.0.0.1:${port}/api`, httpOptions: { rejectUnauthorized: false } })
    expect(new Set(tokens)).toEqual(new Set(['upstream-token']))
  })

  test('works through a tunnel of httpsProxy', async () => {
    const tunnels: string[] = []
    const port = await listen(
      createServer().on('connect', (request: IncomingMessage, socket: Socket) => {
        tunnels.push(request.url ?? '')
        const [host, target] = (request.url ?? '').split(':')
        const out = connect(Number(target), host, () => {
          socket.write('HTTP/1.1 200 OK\r\n\r\n')
          socket.pipe(out).pipe(socket)
        })
        socket.on('error', () => void out.destroy())
        out.on('error', () => void socket.destroy())
      }),
    )
    const target = `127.0.0.1:${await secure()}`
    await start({
      flagUrl: `https://${target}/api`,
      httpsProxy: `http://127.0.0.1:${port}`,
      httpOptions: { rejectUnauthorized: false },
    })
    expect(new Set(tunnels)).toEqual(new Set([target]))
  })
})

describe('httpProxy', () => {
  const forwarder = async (seen: IncomingMessage[]): Promise<number> =>
    listen(
      createServer((request, response) => {
        seen.push(request)
        response.end(JSON.stringify(DOCUMENT))
      }),
    )

  test('gets the whole address, including user and password', async () => {
    const seen: IncomingMessage[] = []
    const port = await forwarder(seen)
    await start({ flagUrl: 'http://nowhere.example/api', httpProxy: `http://user:pass@127.0.0.1:${port}` })
    expect(seen[0]?.url).toBe('http://nowhere.example/api/client/features')
    expect(seen[0]?.headers['proxy-authorization']).toBe(`Basic ${Buffer.from('user:pass').toString('base64')}`)
  })

  test('does not apply to hosts in noProxy', async () => {
    const seen: IncomingMessage[] = []
    const port = await forwarder(seen)
    await start({ httpProxy: `http://127.0.0.1:${port}`, noProxy: '127.0.0.1' })
    expect([seen.length, upstream.seen[0]?.url]).toEqual([0, '/api/client/features'])
  })
})
