import { createHash } from 'node:crypto'
import { STREAM_REFUSALS } from '@burgee/serving/sdk/stream-refusal'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type OpenStream, openStream } from '../events/open-stream.ts'
import { startServer, type TestServer, TOKENS } from '../scenario.ts'

/** No token, network or user can use all streams of a server. */
const SDK = '/api/client/streaming'
const ADMIN = '/api/admin/event-stream'
const HERE = '192.0.2.1'
const ELSEWHERE = '192.0.2.2'
const PERSONAL = 'user:of-the-viewer'
const VIEWER = { cookie: 'burgee-session=viewer-session' }
const EDITOR = { cookie: 'burgee-session=editor-session' }
const by = (authorization: string) => ({ authorization })

let server: TestServer
let url: string
let webStream: string
const opened: OpenStream[] = []

beforeAll(async () => {
  server = await startServer({ trustProxy: ['loopback'], maxStreams: 10, maxStreamsPerUser: 3 })
  ;({ url } = await server.server.listen())
  const reply = await fetch(`${url}/ofrep/v1/evaluate/flags`, { method: 'POST', headers: by(TOKENS.frontend) })
  const { eventStreams } = (await reply.json()) as { eventStreams: [{ endpoint: { requestUri: string } }] }
  webStream = eventStreams[0].endpoint.requestUri
  const { id } = (await server.db.row("select id from users where username = 'viewer'")) as { id: number }
  await server.db.rows(
    "insert into personal_tokens (user_id, description, hash, created_at, expires_at) values (?, 'p', ?, 1, 9999999999999)",
    id,
    createHash('sha256').update(PERSONAL).digest('hex'),
  )
})
afterEach(async () => {
  for (const stream of opened.splice(0)) stream.close()
  await expect.poll(() => series()).not.toMatch(/^burgee_streams\{.*\} [^0]/m)
})
afterAll(() => server.close())

interface Caller {
  readonly path: string
  readonly from: string
  readonly headers?: Readonly<Record<string, string>>
}

const series = async () => (await server.call({ call: 'GET /internal-backstage/prometheus' })).body
const ask = ({ path, from, headers }: Caller) => ({
  at: `${url}${path}`,
  headers: { 'x-forwarded-for': from, ...headers },
})

/** Opens a stream. Returns the reply if the server rejects the stream, or undefined. */
async function open(caller: Caller): Promise<Response | undefined> {
  const { at, headers } = ask(caller)
  try {
    opened.push(await openStream(at, headers))
    return undefined
  } catch (error) {
    const { reply } = error as { reply?: Response }
    if (reply === undefined) throw error
    return reply
  }
}

/** Opens streams until one is rejected. */
async function openAll(callers: readonly Caller[]): Promise<{ count: number; reply: Response }> {
  for (let count = 0; ; count += 1) {
    const reply = await open(callers[count % callers.length] as Caller)
    if (reply !== undefined) return { count, reply }
  }
}

const web = (from: string): Caller => ({ path: webStream, from })
const sdk = (token: string, from: string): Caller => ({ path: SDK, from, headers: by(token) })

test.each<{
  name: string
  first: () => Caller[]
  count: number
  reason: keyof typeof STREAM_REFUSALS
  next: () => Caller
}>([
  {
    name: 'one token from many networks leaves streams to other tokens',
    first: () => Array.from({ length: 20 }, (_one, index) => sdk(TOKENS.client, `198.51.100.${index}`)),
    count: 9,
    reason: 'token',
    next: () => sdk(TOKENS.production, HERE),
  },
  {
    name: 'one network with several tokens leaves streams to other networks',
    first: () => [sdk(TOKENS.client, HERE), sdk(TOKENS.production, HERE), sdk(TOKENS.admin, HERE)],
    count: 9,
    reason: 'network',
    next: () => sdk(TOKENS.production, ELSEWHERE),
  },
  {
    name: 'a page with a frontend token leaves streams to other networks',
    first: () => [web(HERE)],
    count: 9,
    reason: 'token',
    next: () => sdk(TOKENS.client, HERE),
  },
  {
    name: 'an IPv6 network counts as one',
    first: () =>
      [0, 1, 2].map((index) =>
        sdk([TOKENS.client, TOKENS.production, TOKENS.admin][index] ?? '', `2001:db8::${index}`),
      ),
    count: 9,
    reason: 'network',
    next: () => sdk(TOKENS.client, '2001:db8:0:1::1'),
  },
  {
    name: 'a user has one quota for session and personal tokens, at every stream',
    first: () => [
      { path: ADMIN, from: HERE, headers: VIEWER },
      { path: ADMIN, from: ELSEWHERE, headers: by(PERSONAL) },
      sdk(PERSONAL, HERE),
    ],
    count: 3,
    reason: 'user',
    next: () => ({ path: ADMIN, from: HERE, headers: EDITOR }),
  },
  {
    name: 'an admin token leaves streams to people',
    first: () =>
      Array.from({ length: 20 }, (_one, index) => ({
        path: ADMIN,
        from: `198.51.100.${index}`,
        headers: by(TOKENS.admin),
      })),
    count: 9,
    reason: 'token',
    next: () => ({ path: ADMIN, from: HERE, headers: EDITOR }),
  },
])('$name', async ({ first, count, reason, next }) => {
  const { count: granted, reply } = await openAll(first())
  expect([granted, reply.status, reply.headers.get('retry-after')]).toEqual([count, 429, '60'])
  expect(await reply.text()).toBe(STREAM_REFUSALS[reason])
  expect(await open(next())).toBeUndefined()
  expect(await series()).toMatch(
    new RegExp(`^burgee_streams_refused_total\\{kind="\\w+",reason="${reason}"\\} \\d`, 'm'),
  )
})
