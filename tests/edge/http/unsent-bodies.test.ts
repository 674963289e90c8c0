import { afterAll, beforeAll, expect, test } from 'vitest'
import { guardedCalls, unrefused } from '../../support/unsent-bodies.ts'
import { type EdgeScene, startScene } from './edge-scene.ts'

let scene: EdgeScene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene.close())

test('every operation that needs a token refuses callers while the body is unsent', async () => {
  const { json } = await scene.ask('GET /docs/openapi.json')
  const calls = guardedCalls(json as Parameters<typeof guardedCalls>[0])
  expect(calls).toContain('POST /api/client/metrics/bulk')
  expect(calls.length).toBeGreaterThan(30)
  expect(
    await unrefused(scene.edge.url, calls, { nobody: '', 'a wrong token': 'Authorization: *:development.wrong' }),
  ).toEqual([])
})

test.each([
  ['tokens in 100 kB', 'x'.repeat(102_000), {}, 200],
  ['more', 'x'.repeat(102_400), {}, 413],
  ['a content coding', 'x', { 'content-encoding': 'gzip' }, 415],
])('asking about %s, without a token → %s', async (_name, text, headers, status) => {
  const body = JSON.stringify({ tokens: [], text })
  expect((await scene.ask('POST /edge/validate', { body, headers })).status).toBe(status)
})
