import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startServer, type TestServer } from '../scenario.ts'

/** Conditional changes: `If-Match` with the ETag of a reply that shows the object. */
let server: TestServer
const as = 'admin'
const P = '/api/admin/projects/default/features'
const STRATEGIES = `${P}/f/environments/development/strategies`
const STALE = 'W/"1-somebody-was-faster-xxxxxxx"'
const HOOK = {
  provider: 'webhook',
  enabled: false,
  parameters: { url: 'https://hook.example' },
  events: ['feature-created'],
}
const rollout = (percent: string) => ({ name: 'flexibleRollout', parameters: { rollout: percent } })

beforeAll(async () => {
  server = await startServer({ secretKey: randomBytes(32).toString('hex') })
  await server.call({ as, call: `POST ${P}`, body: { name: 'f' } })
})
afterAll(() => server.close())

const send = (call: string, ifMatch: string | undefined, body?: unknown) =>
  server.call({
    as,
    call,
    ...(ifMatch === undefined ? {} : { headers: { 'if-match': ifMatch } }),
    ...(body === undefined ? {} : { body }),
  })

const tagOf = async (path: string) => String((await send(`GET ${path}`, undefined)).headers.etag)

/** Objects that can be changed conditionally, created again for every row. */
const SUBJECTS = [
  {
    name: 'a strategy',
    make: async () =>
      `${STRATEGIES}/${(await send(`POST ${STRATEGIES}`, undefined, { ...rollout('10'), title: 'x' })).json().id}`,
    changes: [
      { method: 'PUT', body: rollout('20'), status: 200, event: 'feature-strategy-update' },
      {
        method: 'PATCH',
        body: [{ op: 'replace', path: '/parameters/rollout', value: '30' }],
        status: 200,
        event: 'feature-strategy-update',
      },
      { method: 'DELETE', body: undefined, status: 200, event: 'feature-strategy-remove' },
    ],
  },
  {
    name: 'a segment',
    make: async () => {
      const body = { name: `s${Math.random()}`, constraints: [] }
      return `/api/admin/${(await send('POST /api/admin/segments', undefined, body)).headers.location}`
    },
    changes: [
      { method: 'PUT', body: { name: 'renamed', constraints: [] }, status: 204, event: 'segment-updated' },
      { method: 'DELETE', body: undefined, status: 204, event: 'segment-deleted' },
    ],
  },
  {
    name: 'a context field',
    make: async () => {
      const body = { name: `c${Math.random()}` }
      return `/api/admin/${(await send('POST /api/admin/context', undefined, body)).headers.location}`
    },
    changes: [
      { method: 'PUT', body: { description: 'new' }, status: 200, event: 'context-field-updated' },
      { method: 'DELETE', body: undefined, status: 200, event: 'context-field-deleted' },
    ],
  },
  {
    name: 'an integration',
    make: async () => `/api/admin/addons/${(await send('POST /api/admin/addons', undefined, HOOK)).json().id}`,
    changes: [{ method: 'PUT', body: { ...HOOK, enabled: true }, status: 200, event: 'addon-config-updated' }],
  },
]
const ROWS = SUBJECTS.flatMap(({ name, make, changes }) => changes.map((change) => ({ name, make, ...change })))

describe('conditional changes', () => {
  test.each(ROWS)('$method of $name in the state that was seen → $status', async (row) => {
    const path = await row.make()
    const last = await server.lastEventId()
    const reply = await send(`${row.method} ${path}`, await tagOf(path), row.body)
    expect(reply.statusCode, reply.body).toBe(row.status)
    expect(await server.eventsAfter(last)).toEqual([row.event])
    if (row.method === 'PUT') await send(`DELETE ${path}`, undefined)
  })

  test.each(ROWS)('$method of a changed $name → 412, nothing is applied', async (row) => {
    const path = await row.make()
    const before = (await send(`GET ${path}`, undefined)).body
    const last = await server.lastEventId()
    const reply = await send(`${row.method} ${path}`, STALE, row.body)
    expect(reply.statusCode, reply.body).toBe(412)
    expect(reply.json()).toMatchObject({
      id: expect.any(String),
      name: 'PreconditionFailedError',
      message: expect.stringContaining('This was changed in the meantime'),
    })
    expect((await send(`GET ${path}`, undefined)).body).toBe(before)
    expect(await server.eventsAfter(last)).toEqual([])
  })

  test.each(ROWS)('$method of $name that is gone → 404', async (row) => {
    const path = await row.make()
    const tag = await tagOf(path)
    await send(`DELETE ${path}`, undefined)
    expect((await send(`${row.method} ${path}`, tag, row.body)).statusCode).toBe(404)
  })

  test.each(ROWS)('$method of $name without the condition', async (row) => {
    const path = await row.make()
    expect((await send(`${row.method} ${path}`, undefined, row.body)).statusCode).toBe(row.status)
    if (row.method === 'PUT') await send(`DELETE ${path}`, undefined)
  })

  test.each([
    ['the tag', (tag: string) => tag, 200],
    ['the same without W/', (tag: string) => tag.slice(2), 200],
    ['one of several', (tag: string) => `${STALE}, ${tag}`, 200],
    ['any state', () => '*', 200],
    ['another tag', () => STALE, 412],
    ['text that is no tag', () => 'yesterday', 412],
    ['nothing', () => '', 412],
  ])('compare %s', async (_name, header, status) => {
    const path = await SUBJECTS[0]?.make()
    const reply = await send(`PUT ${path}`, header(await tagOf(String(path))), rollout('40'))
    expect(reply.statusCode).toBe(status)
  })

  test('every reply that shows a strategy carries the tag of its state', async () => {
    const full = {
      name: 'flexibleRollout',
      title: 'all of it',
      parameters: { rollout: '50', z: '1', a: '2' },
      constraints: [{ contextName: 'userId', operator: 'IN', values: ['1'] }],
      variants: [{ name: 'v', weight: 1000, payload: { type: 'string', value: 'p' } }],
    }
    const made = await send(`POST ${STRATEGIES}`, undefined, full)
    const path = `${STRATEGIES}/${made.json().id}`
    expect(made.headers.etag).toBe(await tagOf(path))
    const replaced = await send(`PUT ${path}`, String(made.headers.etag), { ...full, disabled: true })
    expect(replaced.statusCode).toBe(200)
    expect(replaced.headers.etag).not.toBe(made.headers.etag)
    expect(replaced.headers.etag).toBe(await tagOf(path))
    const patch = [{ op: 'remove', path: '/variants/0' }]
    const patched = await send(`PATCH ${path}`, String(replaced.headers.etag), patch)
    expect(patched.statusCode).toBe(200)
    expect(patched.headers.etag).toBe(await tagOf(path))
    expect((await send(`DELETE ${path}`, String(replaced.headers.etag))).statusCode).toBe(412)
    expect((await send(`DELETE ${path}`, String(patched.headers.etag))).statusCode).toBe(200)
  })

  test('let one of two concurrent requests succeed', async () => {
    const path = await SUBJECTS[0]?.make()
    const tag = await tagOf(String(path))
    const last = await server.lastEventId()
    const replies = await Promise.all(['61', '62'].map((percent) => send(`PUT ${path}`, tag, rollout(percent))))
    expect(replies.map((reply) => reply.statusCode).sort()).toEqual([200, 412])
    expect(await server.eventsAfter(last)).toEqual(['feature-strategy-update'])
  })
})
