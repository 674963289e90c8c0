import { expect, test } from 'vitest'
import { startProxy } from '../../support/proxy.ts'
import { guardedCalls, unrefused } from '../../support/unsent-bodies.ts'
import { startUpstream } from '../../support/upstream.ts'

/** Described as needing a key, but readable without one; they read no body. */
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
