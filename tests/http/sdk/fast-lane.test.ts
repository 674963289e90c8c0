import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServer, TOKENS } from '../scenario.ts'

const TIMES = 10
/** Headers that depend on the time or on the database. */
const VARYING = new Set(['date', 'etag', 'ratelimit-remaining', 'ratelimit-reset'])

const start = new Date(Date.now() - 60_000).toISOString()
const report = { appName: 'app', bucket: { start, stop: start, toggles: { a: { yes: 1, no: 0 } } } }

interface Plain {
  readonly path: string
  readonly token: string
  readonly body?: object
  readonly reply: readonly [status: number, body: unknown]
}

const KINDS: readonly (readonly [string, Plain])[] = [
  ['evaluation', { path: '/api/frontend?userId=7', token: TOKENS.frontend, reply: [200, '{"toggles":[]}'] }],
  [
    'downloads',
    { path: '/api/client/features', token: TOKENS.client, reply: [200, expect.stringContaining('"features":[]')] },
  ],
  ['reports', { path: '/api/client/metrics', token: TOKENS.client, body: report, reply: [202, ''] }],
  [
    'reports of front ends',
    { path: '/api/frontend/client/metrics', token: TOKENS.frontend, body: report, reply: [200, 'OK'] },
  ],
  [
    'wrong tokens',
    { path: '/api/client/features', token: 'no:such.token', reply: [401, expect.stringContaining('API token')] },
  ],
]

/** Starts a listening server, and counts the requests that reach its HTTP server. */
async function listening(options: object) {
  const { server, close } = await startServer({ ...options, port: 0, host: '127.0.0.1' })
  const { port } = await server.listen()
  let seen = 0
  server.app.server.on('request', () => {
    seen += 1
  })
  return { port, close, seen: () => seen }
}

let fast: Awaited<ReturnType<typeof listening>>
let slow: typeof fast
beforeAll(async () => {
  fast = await listening({})
  slow = await listening({ httpFastLane: false })
})
afterAll(() => Promise.all([fast.close(), slow.close()]))

/**
 * Sends ten requests of a kind. Returns the replies, their headers, and how many of them the HTTP server has answered.
 */
async function play({ port, seen }: typeof fast, { path, token, body }: Plain) {
  const before = seen()
  const replies: [number, string][] = []
  const heads: Record<string, string>[] = []
  for (let time = 0; time < TIMES; time += 1) {
    const headers = { authorization: token, ...(body === undefined ? {} : { 'content-type': 'application/json' }) }
    const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
    const reply = await fetch(`http://127.0.0.1:${port}${path}`, { headers, ...sent })
    replies.push([reply.status, await reply.text()])
    heads.push(Object.fromEntries([...reply.headers].filter(([name]) => !VARYING.has(name))))
  }
  return { replies, heads, seen: seen() - before }
}

test.each(KINDS)('%s: plain requests are answered on the socket, as the HTTP server would', async (_kind, plain) => {
  const [onSocket, byServer] = [await play(fast, plain), await play(slow, plain)]
  expect([onSocket.seen, byServer.seen]).toEqual([0, TIMES])
  for (const { replies } of [onSocket, byServer]) expect(replies).toEqual(Array(TIMES).fill(plain.reply))
  expect(onSocket.heads).toEqual(byServer.heads)
})
