import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServer, type TestServer } from '../scenario.ts'

/** Repeated contexts are answered from a cache that is limited to the caller's scope and invalidated by any change. */
const SCOPES = ['default:development.frontend-secret', 'default:production.other-secret', '*:development.third-secret']
const FEATURES = '/api/admin/projects/default/features'
const QUERY = '/api/frontend?userId=7&sessionId=1'

let server: TestServer
let url: string

const admin = (call: string, body?: unknown) => server.admin(call, body)

beforeAll(async () => {
  server = await startServer({ initFrontendApiTokens: SCOPES, port: 0, host: '127.0.0.1' })
  ;({ url } = await server.server.listen())
  await admin('POST /api/admin/projects', { id: 'another', name: 'Another' })
  for (const [project, name] of [
    ['default', 'mine'],
    ['another', 'theirs'],
  ] as const) {
    await admin(`POST /api/admin/projects/${project}/features`, { name })
    await admin(`POST /api/admin/projects/${project}/features/${name}/environments/development/on`)
  }
})
afterAll(() => server.close())

/** Requests over the network and by injection, and checks that both replies are equal. */
async function ask(token: string, path = QUERY) {
  const reply = await fetch(`${url}${path}`, { headers: { authorization: token } })
  const injected = await server.call({ as: token, call: `GET ${path}` })
  expect([reply.status, reply.headers.get('etag')]).toEqual([injected.statusCode, injected.headers.etag])
  const text = await reply.text()
  expect(text).toBe(injected.body)
  return (JSON.parse(text) as { toggles: { name: string }[] }).toggles.map(({ name }) => name)
}

test('every token gets its own flags, again and again', async () => {
  for (let round = 0; round < 5; round++) {
    expect(await ask(SCOPES[0] ?? '')).toEqual(['mine'])
    expect(await ask(SCOPES[1] ?? '')).toEqual([])
    expect((await ask(SCOPES[2] ?? '')).sort()).toEqual(['mine', 'theirs'])
  }
})

test('a change reaches the next request', async () => {
  for (const [act, names] of [
    ['off', []],
    ['on', ['mine']],
  ] as const) {
    await admin(`POST ${FEATURES}/mine/environments/development/${act}`)
    for (let round = 0; round < 4; round++) expect(await ask(SCOPES[0] ?? '')).toEqual(names)
  }
})

test('other callers are rejected, whatever is cached', async () => {
  for (const authorization of ['', 'default:development.wrong', '*:production.client-secret']) {
    const reply = await fetch(`${url}${QUERY}`, { headers: { authorization } })
    expect([401, 403]).toContain(reply.status)
  }
})
