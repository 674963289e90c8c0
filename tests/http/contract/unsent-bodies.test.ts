import { afterAll, beforeAll, expect, test } from 'vitest'
import { guardedCalls, unrefused } from '../../support/unsent-bodies.ts'
import { startServer, type TestServer } from '../scenario.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer({ tokenGuessLimitPerMinute: 1_000_000 })
})
afterAll(() => server.close())

test('every operation that needs credentials refuses callers while the body is unsent', async () => {
  const { url } = await server.server.listen()
  const calls = guardedCalls((await server.call({ call: 'GET /docs/openapi.json' })).json())
  expect(calls.length).toBeGreaterThan(300)
  expect(await unrefused(url, calls, { nobody: '', 'a wrong token': 'Authorization: *:*.wrong' })).toEqual([])
  expect(server.server.app.bodies.bytes).toBe(0)
})
