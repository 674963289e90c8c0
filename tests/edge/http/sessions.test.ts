import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type StartedEdge, startOfflineEdge } from '@burgee/edge/edge-process'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../support/burgee.ts'
import { ask } from './edge-scene.ts'

/**
 * An edge evaluates the context exactly as it was sent. Unlike the proxy and the server, the edge does not generate a
 * session id.
 */
const folder = temporaryFolder()
const path = join(folder.path, 'flags.json')
let edge: StartedEdge

const flag = (name: string, strategy: string, parameters: object) => ({
  name,
  enabled: true,
  strategies: [{ name: strategy, parameters }],
})
const numbers = Array.from({ length: 20 }, (_, number) => number)
const FEATURES = [
  ...numbers.map((number) =>
    flag(`gradual-${number}`, 'gradualRolloutSessionId', { percentage: '50', groupId: number }),
  ),
  ...numbers.map((number) =>
    flag(`flexible-${number}`, 'flexibleRollout', { rollout: '50', stickiness: 'sessionId', groupId: `g${number}` }),
  ),
]

beforeAll(async () => {
  writeFileSync(path, JSON.stringify({ version: 2, features: FEATURES }))
  edge = await startOfflineEdge({
    env: {
      PORT: '0',
      INTERFACE: '127.0.0.1',
      LOG_LEVEL: 'fatal',
      SHUTDOWN_DELAY: '0',
      BOOTSTRAP_FILE: path,
      FRONTEND_TOKENS: 'web',
    },
  })
})
afterAll(async () => {
  await edge.close()
  folder.remove()
})

const OFREP = '/ofrep/v1/evaluate/flags'

describe('without a session id', () => {
  test.each<[string, unknown]>([
    ['GET /api/frontend', undefined],
    ['GET /api/frontend?userId=7', undefined],
    ['POST /api/frontend', {}],
    ['POST /api/frontend', { context: { userId: '7' } }],
    ['GET /api/proxy', undefined],
    ['POST /api/proxy', {}],
    ['POST /api/frontend/all', {}],
    ['GET /api/frontend/features/gradual-1', undefined],
    ['POST /api/frontend/features/flexible-1', {}],
    [`POST ${OFREP}`, { context: { targetingKey: '7' } }],
    [`POST ${OFREP}/flexible-1`, { context: {} }],
  ])('%s %j gets the same reply each time, with every flag by session off', async (call, body) => {
    const replies = new Set<string>()
    for (let time = 0; time < 3; time += 1) replies.add((await ask(edge.url, call, { token: 'web', body })).text)
    expect(replies.size).toBe(1)
    expect([...replies][0]).not.toMatch(/"(?:enabled|value)":true/)
  })

  test('a reply with its own ETag is 304', async () => {
    const first = await ask(edge.url, 'GET /api/frontend', { token: 'web' })
    const headers = { 'if-none-match': first.headers.get('etag') ?? '' }
    expect((await ask(edge.url, 'GET /api/frontend', { token: 'web', headers })).status).toBe(304)
  })
})

test('flags are on for a share of sessions with a session id', async () => {
  const { json } = await ask(edge.url, 'GET /api/frontend?sessionId=1', { token: 'web' })
  const { length } = (json as { toggles: unknown[] }).toggles
  expect(length).toBeGreaterThan(0)
  expect(length).toBeLessThan(FEATURES.length)
})
