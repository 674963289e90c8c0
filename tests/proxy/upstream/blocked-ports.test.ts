import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ThrottledHttp } from '@burgee/import/http/throttled-http'
import { fetchLimited } from '@burgee/server/admin/sso/limited-fetch'
import { followAnyPort } from '@burgee/serving/upstream/fetch-any-port'
import { afterEach, expect, test } from 'vitest'
import { download } from '../../../bin/src/evaluate/feature-documents.ts'
import { runHealth } from '../../../bin/src/health-command.ts'
import { upstreamAt } from '../../edge/upstream-of-server.ts'
import { startProxy } from '../../support/proxy.ts'
import { until } from '../../support/wait.ts'

/** Ports that `fetch` blocks to protect browsers are valid for servers. */
const DOCUMENT = { version: 2, features: [] }
/** Loopback addresses that only this process uses, so that the ports are free. Each server gets a different address. */
const NETWORK = `127.${100 + (process.pid % 100)}.${(process.pid >> 8) % 200}`
let hosts = 0
const seen: string[] = []

let server: Server | undefined

afterEach(() => {
  server?.closeAllConnections()
  server?.close()
  server = undefined
  seen.length = 0
})

const listen = async (port: number): Promise<string> => {
  const listening = createServer((request, response) => {
    const { url = '', headers } = request
    seen.push(url)
    if (url.startsWith('/moved')) response.writeHead(302, { location: url.slice('/moved'.length) }).end()
    else if (url === '/edge/validate') response.end('{"tokens":[]}')
    else if (url === '/host') response.end(JSON.stringify([headers.host, headers.authorization]))
    else response.end(JSON.stringify(DOCUMENT))
  })
  server = listening
  hosts += 1
  const host = `${NETWORK}.${hosts}`
  await new Promise<void>((resolve, reject) => listening.once('error', reject).listen(port, host, resolve))
  return `http://${host}:${port}`
}

const CALLERS: Record<string, (url: string) => Promise<unknown>> = {
  'the upstream of the proxy': async (url) => {
    const proxy = await startProxy({ flagUrl: `${url}/api` })
    await proxy.close()
  },
  'a bootstrap source that redirects': async (url) => {
    const flagUrl = 'http://127.0.0.1:1/api'
    const proxy = await startProxy({ flagUrl, expBootstrap: { url: `${url}/moved/flags` } }, { ready: false })
    await until(() => seen.includes('/flags'))
    await proxy.close()
  },
  'the upstream of the edge': (url) => upstreamAt(url).validate([]),
  'an identity provider': (url) =>
    fetchLimited(url, { method: 'GET', headers: {}, body: undefined, redirect: 'manual' }),
  'the service that burgee health asks': async (url) => {
    expect((await runHealth(['--url', url])).code).toBe(0)
  },
  'the server of burgee evaluate': (url) => download(new URL(url), { token: undefined, limitMs: 5000 }),
  'an import source': (url) => new ThrottledHttp({ base: url, kind: '', pauseMs: 0 }).request('/', { headers: {} }),
}
const ROWS = [6000, 10_080, 5060, 6666, 4045].flatMap((port) =>
  Object.keys(CALLERS).map((caller) => ({ port, caller })),
)

test.each(ROWS)('port $port is open to $caller', async ({ port, caller }) => {
  const url = await listen(port)
  await CALLERS[caller]?.(url)
})

test('a redirect at such a port stays there, with the token and the host that was asked', async () => {
  const url = await listen(6000)
  const reply = await followAnyPort(`${url}/moved/host`, { headers: { authorization: 'token' } })
  expect(await reply.json()).toEqual([new URL(url).host, 'token'])
})

test('a redirect to another origin does not get the token', async () => {
  const url = await listen(6000)
  const other = createServer((request, response) => void response.end(String(request.headers.authorization)))
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  const { port } = other.address() as AddressInfo
  const reply = await followAnyPort(`${url}/movedhttp://127.0.0.1:${port}/`, { headers: { authorization: 'token' } })
  expect(await reply.text()).toBe('undefined')
  other.closeAllConnections()
  other.close()
})
