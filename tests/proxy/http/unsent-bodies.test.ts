import { expect, test } from 'vitest'
import { AnnouncedBodies } from '../../support/announced-body.ts'
import { startProxy } from '../../support/proxy.ts'
import { guardedCalls, unrefused } from '../../support/unsent-bodies.ts'
import { startUpstream } from '../../support/upstream.ts'

/** Endpoints that are documented as requiring a key, but can be read without one. These endpoints read no body. */
const OPEN = ['GET /ofrep/v1/stream', 'GET /proxy/health', 'GET /proxy/internal-backstage/prometheus']

test('every operation that needs a key refuses callers while the body is unsent', async () => {
  const upstream = await startUpstream()
  const proxy = await startProxy({
    flagUrl: upstream.url,
    enableOAS: true,
    enableAllEndpoint: true,
    expServerSideSdkConfig: { tokens: ['server-key'] },
  })
  try {
    const described = guardedCalls(await (await fetch(`${proxy.url}/docs/openapi.json`)).json())
    const calls = described.filter((call) => !OPEN.includes(call))
    expect(calls).toContain('POST /proxy')
    expect(calls.length).toBeGreaterThan(8)
    expect(await unrefused(proxy.url, calls, { nobody: '', 'a wrong key': 'Authorization: wrong' })).toEqual([])
  } finally {
    await proxy.close()
    await upstream.close()
  }
})

test.each([
  { what: 'key', keys: ['a'], networks: ['192.0.2.1', '192.0.2.2', '192.0.2.3'] },
  { what: 'network', keys: ['a', 'b'], networks: ['192.0.2.1'] },
])('bodies of one $what get half of the memory of a proxy', async ({ keys, networks }) => {
  const upstream = await startUpstream()
  const bodyMemoryLimit = 1024 * 1024
  const proxy = await startProxy({
    flagUrl: upstream.url,
    clientKeys: ['a', 'b', 'c'],
    trustProxy: true,
    bodyMemoryLimit,
  })
  const bodies = new AnnouncedBodies()
  const announce = (key = '', from = '') =>
    bodies.announce(proxy.port, { path: '/proxy', from, credentials: [`Authorization: ${key}`], bytes: 100_000 })
  const nth = (count: number) => announce(keys[count % keys.length], networks[count % networks.length])
  try {
    const replies = [await nth(0), await nth(1), await nth(2), await announce('c', '192.0.2.9')]
    expect(replies.map((reply) => reply.slice(9, 12))).toEqual(['100', '100', '503', '100'])
  } finally {
    bodies.close()
    await proxy.close()
    await upstream.close()
  }
})
