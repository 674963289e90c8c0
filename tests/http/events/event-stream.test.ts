import { createHash } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { until } from '../../support/wait.ts'
import { startServer, type TestServer, TOKENS } from '../scenario.ts'
import { type Heard, type OpenStream, openStream } from './open-stream.ts'

const PATH = '/api/admin/event-stream'
const ADMIN = { authorization: TOKENS.admin }
const VIEWER = { cookie: 'burgee-session=viewer-session' }

let server: TestServer
let url: string
const open: OpenStream[] = []
beforeAll(async () => {
  server = await startServer({ maxStreams: 4 })
  ;({ url } = await server.server.listen())
})
afterEach(async () => {
  for (const stream of open.splice(0)) stream.close()
})
afterAll(() => server.close())

const follow = async (headers: Readonly<Record<string, string>>, at = url): Promise<OpenStream> => {
  const stream = await openStream(`${at}${PATH}`, headers)
  open.push(stream)
  await stream.next(({ event }) => event === 'connected')
  return stream
}
const types = ({ heard }: OpenStream): string[] =>
  heard
    .filter(({ event }) => event === 'events')
    .flatMap(({ data }) => (data as { events: { type: string }[] }).events.map(({ type }) => type))
const tells = (type: string) => (heard: Heard) => JSON.stringify(heard.data).includes(`"${type}"`)

describe('the admin event stream', () => {
  test('starts with the position in the log, then sends a summary of each event', async () => {
    const before = await server.lastEventId()
    const stream = await follow(ADMIN)
    expect(stream.heard).toEqual([
      {
        event: 'connected',
        id: String(before),
        data: { lastEventId: before, epoch: expect.stringMatching(/./), sinceLastEventMs: expect.any(Number) },
      },
    ])
    await server.admin('POST /api/admin/projects/default/features', { name: 'told', type: 'release' })
    const heard = await stream.next(tells('feature-created'))
    const id = await server.lastEventId()
    expect(heard).toEqual({
      event: 'events',
      id: String(id),
      data: { events: [{ id, type: 'feature-created', project: 'default', environment: null, featureName: 'told' }] },
    })
  })

  test('sends its position again after a restore, with the new epoch', async () => {
    const stream = await follow(ADMIN)
    await server.db.rows("update database_epoch set epoch = 'restored'")
    const { data } = await stream.next((heard) => JSON.stringify(heard.data).includes('"restored"'))
    expect(data).toEqual({ lastEventId: await server.lastEventId(), epoch: 'restored', sinceLastEventMs: 0 })
    const next = await follow(ADMIN)
    expect(next.heard[0]?.data).toMatchObject({ epoch: 'restored' })
  })

  test('sends events of users, credentials and settings to admins only', async () => {
    const [admin, viewer] = [await follow(ADMIN), await follow(VIEWER)]
    await server.admin('POST /api/admin/api-tokens', { tokenName: 'new', type: 'client', environment: 'production' })
    await server.admin('POST /api/admin/projects/default/features', { name: 'after', type: 'release' })
    await viewer.next(tells('feature-created'))
    await admin.next(tells('feature-created'))
    expect(types(viewer)).toEqual(['feature-created'])
    expect(types(admin)).toEqual(['api-token-created', 'feature-created'])
  })

  test('follows the rights of its person', async () => {
    const editor = await follow({ cookie: 'burgee-session=editor-session' })
    const { id } = (await server.db.row("select id from users where username = 'editor'")) as { id: number }
    await server.admin(`PUT /api/admin/user-admin/${id}`, { rootRole: 1 })
    await editor.next(tells('user-updated'))
    await server.admin(`PUT /api/admin/user-admin/${id}`, { rootRole: 2 })
    await server.admin('POST /api/admin/projects/default/features', { name: 'rights', type: 'release' })
    await editor.next(tells('feature-created'))
    expect(types(editor)).toEqual(['user-updated', 'feature-created'])
  })

  test('ends with the token that opened it, without revealing it', async () => {
    const body = { tokenName: 'passing', type: 'admin', environment: '*', projects: ['*'] }
    const { secret } = (await server.admin('POST /api/admin/api-tokens', body)) as { secret: string }
    const stream = await follow({ authorization: secret })
    await server.admin(`DELETE /api/admin/api-tokens/${encodeURIComponent(secret)}`)
    await until(() => stream.hasEnded())
    expect(types(stream)).toEqual([])
  })

  test('ends with the person', async () => {
    const body = { username: 'passing', rootRole: 3 }
    const { id } = (await server.admin('POST /api/admin/user-admin', body)) as { id: number }
    const session = { authorization: await personalToken(id) }
    const stream = await follow(session)
    await server.admin(`DELETE /api/admin/user-admin/${id}`)
    await until(() => stream.hasEnded())
    expect(types(stream)).toEqual([])
  })

  test.each([
    ['anonymous callers', {}, 401],
    ['a frontend token', { authorization: TOKENS.frontend }, 403],
    ['a client token', { authorization: TOKENS.client }, 403],
  ])('refuses %s', async (_who, headers, status) => {
    expect((await fetch(`${url}${PATH}`, { headers })).status).toBe(status)
  })

  test('has a limit, beyond which one polls', async () => {
    for (let count = 0; count < 4; count++) await follow(VIEWER)
    const refused = await fetch(`${url}${PATH}`, { headers: VIEWER })
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60'])
  })
})

test('the stream ends with the server, which begins none then', async () => {
  const other = await startServer({ shutdownDelay: 0 })
  const at = (await other.server.listen()).url
  const stream = await follow(ADMIN, at)
  other.server.drain()
  await until(() => stream.hasEnded())
  const refused = await fetch(`${at}${PATH}`, { headers: ADMIN })
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1'])
  await other.close()
})

/** Inserts a token directly into the database, because only its owner could create one. */
async function personalToken(userId: number): Promise<string> {
  const hash = createHash('sha256').update('user:passing').digest('hex')
  await server.db.rows(
    "insert into personal_tokens (user_id, description, hash, created_at, expires_at) values (?, 'p', ?, 1, 9999999999999)",
    userId,
    hash,
  )
  return 'user:passing'
}
