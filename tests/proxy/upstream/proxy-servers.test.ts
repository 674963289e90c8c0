import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { EDGE_OPTIONS } from '@burgee/edge/options'
import { upstreamConnections } from '@burgee/edge/upstream-connections'
import { SILENT } from '@burgee/kit/log/logger'
import { OptionsError, parseOptions } from '@burgee/kit/options/options'
import { start } from '@burgee/proxy'
import { fetchAnyPort } from '@burgee/serving/upstream/fetch-any-port'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type RecordingProxy, startRecordingProxy } from '../../support/recording-proxy.ts'
import { until } from '../../support/wait.ts'

/** Choice of the HTTP proxy for each connection to the upstream, checked by the sockets that are opened. */
const fixture = (name: string) => readFileSync(fileURLToPath(new URL(`../fixtures/${name}`, import.meta.url)))
const NAMES = ['H', 'S', 'A'] as const
type Name = (typeof NAMES)[number]

let servers: Server[] = []
let proxies: Record<Name, RecordingProxy>
const upstreams = { http: 0, https: 0 }

const listen = async (server: Server): Promise<number> => {
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

beforeAll(async () => {
  const answer = (_request: unknown, response: { end(text: string): unknown }) =>
    void response.end('{"version":2,"features":[]}')
  upstreams.http = await listen(createServer(answer))
  const keys = { key: fixture('self-signed-key.pem'), cert: fixture('self-signed.pem') }
  upstreams.https = await listen(createTlsServer(keys, answer))
  const [H, S, A] = await Promise.all(NAMES.map(() => startRecordingProxy()))
  proxies = { H, S, A } as Record<Name, RecordingProxy>
})
afterAll(async () => {
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
  }
  servers = []
  await Promise.all(Object.values(proxies).map((proxy) => proxy.close()))
})
beforeEach(() => {
  for (const { seen } of Object.values(proxies)) seen.length = 0
})

/** Replaces `H`, `S` and `A` in the values of variables with the addresses of the three HTTP proxies. */
const addressed = (variables: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(variables).map(([name, value]) => [
      name,
      value.replace(/\b[HSA]\b/g, (letter) => `127.0.0.1:${proxies[letter as Name].port}`),
    ]),
  )

/** Returns the letter of the HTTP proxy that forwarded a download, or `direct`. */
const used = (scheme: 'http' | 'https'): string => {
  const at = `127.0.0.1:${upstreams[scheme]}`
  const wanted = scheme === 'https' ? `CONNECT ${at}` : `GET http://${at}/api/client/features`
  const all = NAMES.flatMap((name) => proxies[name].seen.map((line) => `${name} ${line}`))
  const downloads = all.filter((line) => line.endsWith(wanted)).map((line) => line.slice(0, 1))
  return downloads[0] ?? (all.length === 0 ? 'direct' : all.join())
}

const ROWS: [variables: Record<string, string>, http: string, https: string][] = [
  [{}, 'direct', 'direct'],
  [{ HTTP_PROXY: 'http://H' }, 'H', 'direct'],
  [{ HTTP_PROXY: 'H' }, 'H', 'direct'],
  [{ http_proxy: 'H' }, 'H', 'direct'],
  [{ HTTPS_PROXY: 'http://S' }, 'direct', 'S'],
  [{ https_proxy: 'S' }, 'direct', 'S'],
  [{ HTTP_PROXY: 'H', HTTPS_PROXY: 'S' }, 'H', 'S'],
  [{ ALL_PROXY: 'A' }, 'A', 'A'],
  [{ all_proxy: 'http://A' }, 'A', 'A'],
  [{ ALL_PROXY: 'A', HTTP_PROXY: 'H' }, 'H', 'A'],
  [{ ALL_PROXY: 'A', HTTPS_PROXY: 'S' }, 'A', 'S'],
  [{ HTTP_PROXY: 'S', http_proxy: 'H' }, 'H', 'direct'],
  [{ HTTPS_PROXY: 'H', https_proxy: 'S' }, 'direct', 'S'],
  [{ ALL_PROXY: 'H', all_proxy: 'A' }, 'A', 'A'],
  [{ HTTP_PROXY: 'H', HTTPS_PROXY: 'S', NO_PROXY: '127.0.0.1' }, 'direct', 'direct'],
  [{ HTTP_PROXY: 'H', HTTPS_PROXY: 'S', NO_PROXY: '10.0.0.0/8,127.0.0.0/8' }, 'direct', 'direct'],
  [{ HTTP_PROXY: 'H', HTTPS_PROXY: 'S', NO_PROXY: '10.0.0.0/8', no_proxy: '*' }, 'direct', 'direct'],
  [{ HTTP_PROXY: 'H', HTTPS_PROXY: 'S', NO_PROXY: '127.0.0.1:1' }, 'H', 'S'],
  [{ HTTP_PROXY: 'H', HTTPS_PROXY: 'not a proxy' }, 'H', 'refused'],
  [{ HTTP_PROXY: 'socks5://H', HTTPS_PROXY: 'S' }, 'refused', 'S'],
  [{ ALL_PROXY: 'socks5://A', NO_PROXY: 'localhost, 127.0.0.1' }, 'direct', 'direct'],
]
const BY_SCHEME = ROWS.flatMap(([variables, http, https]) => [
  { variables, scheme: 'http' as const, way: http },
  { variables, scheme: 'https' as const, way: https },
])

const urlOf = (scheme: 'http' | 'https') => `${scheme}://127.0.0.1:${upstreams[scheme]}/api`

describe.each(BY_SCHEME)('$variables', ({ variables, scheme, way }) => {
  test(`proxy: ${scheme} goes ${way}`, async () => {
    const env = { ...addressed(variables), FLAG_URL: urlOf(scheme), FLAG_API_TOKEN: 't', FLAG_PROXY_CLIENT_KEYS: 'k' }
    const given = { host: '127.0.0.1', port: 0, logger: SILENT, backup: false, streaming: 'off' as const }
    const starting = start({ ...given, httpOptions: { rejectUnauthorized: false } }, { env })
    if (way === 'refused') return expect(starting).rejects.toThrow(OptionsError)
    const proxy = await starting
    try {
      await until(() => proxy.isReady())
      expect(used(scheme)).toBe(way)
    } finally {
      await proxy.close()
    }
  })

  test(`edge: ${scheme} goes ${way}`, async () => {
    const env = { ...addressed(variables), UPSTREAM_URL: urlOf(scheme), SKIP_SSL_VERIFICATION: 'true' }
    const options = parseOptions(EDGE_OPTIONS, { env })
    if (way === 'refused') return expect(() => upstreamConnections(options)).toThrow(OptionsError)
    const dispatcher = upstreamConnections(options)
    try {
      const reply = await fetchAnyPort(`${urlOf(scheme)}/client/features`, { dispatcher })
      expect([reply.status, await reply.json(), used(scheme)]).toEqual([200, { version: 2, features: [] }, way])
    } finally {
      await dispatcher.destroy()
    }
  })
})

test('httpProxy in code does not reach an https upstream', async () => {
  const { port } = proxies.H
  const given = { host: '127.0.0.1', port: 0, logger: SILENT, backup: false, streaming: 'off' as const }
  const required = { flagUrl: urlOf('https'), flagApiToken: 't', clientKeys: ['k'] }
  const options = { rejectUnauthorized: false }
  const proxy = await start(
    { ...given, ...required, httpProxy: `127.0.0.1:${port}`, httpOptions: options },
    { env: {} },
  )
  try {
    await until(() => proxy.isReady())
    expect(used('https')).toBe('direct')
  } finally {
    await proxy.close()
  }
})
