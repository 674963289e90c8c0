import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Role, startServer, type TestServer, TOKENS } from '../scenario.ts'

/** No user, token or network can fill the queue for database connections. */
const HERE = '192.0.2.1'
const ELSEWHERE = '192.0.2.2'
/** Number of requests that exceeds the capacity of the queue for database connections. */
const FLOOD = 1300
const LIST = 'GET /api/admin/context'

let server: TestServer
beforeAll(async () => {
  server = await startServer({ trustProxy: ['loopback'] })
})
afterAll(() => server.close())

interface Call {
  readonly as?: Role
  readonly from: string
  readonly headers?: Readonly<Record<string, string>>
}

const ask = async ({ as, from, headers }: Call) => {
  const caller = as === undefined ? {} : { as }
  const reply = await server.call({ call: LIST, ...caller, headers: { 'x-forwarded-for': from, ...headers } })
  return { status: reply.statusCode, retryAfter: reply.headers['retry-after'] }
}

test.each<{ name: string; flood: (index: number) => Call; served: number; others: readonly Call[] }>([
  {
    name: 'a user from many networks',
    flood: (index) => ({ as: 'viewer', from: `198.51.100.${index % 200}` }),
    served: 100,
    others: [
      { as: 'editor', from: HERE },
      { as: TOKENS.admin, from: '198.51.100.1' },
    ],
  },
  {
    name: 'a user',
    flood: () => ({ as: 'viewer', from: HERE }),
    served: 100,
    others: [{ as: 'editor', from: ELSEWHERE }],
  },
  {
    name: 'a network without credentials that are good',
    flood: (index) => ({ from: HERE, headers: { cookie: `burgee-session=invented-${index}` } }),
    served: 0,
    others: [
      { as: 'editor', from: ELSEWHERE },
      { as: TOKENS.admin, from: ELSEWHERE },
    ],
  },
])('$name that floods the server gets 429, and others are answered', async ({ flood, served, others }) => {
  const flooding = Array.from({ length: FLOOD }, (_, index) => ask(flood(index)))
  const answered = await Promise.all(others.map(ask))
  const replies = await Promise.all(flooding)
  expect(answered.map(({ status }) => status)).toEqual(others.map(() => 200))
  const refused = replies.filter(({ status }) => status === 429)
  expect(refused.length).toBeGreaterThan(0)
  expect(new Set(refused.map(({ retryAfter }) => retryAfter))).toEqual(new Set(['1']))
  expect(replies.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(served)
  expect(replies.filter(({ status }) => status >= 500)).toEqual([])
  // all counts of waiting requests are released
  expect((await ask({ as: 'viewer', from: HERE })).status).toBe(200)
})

test('probes are answered during a flood from their own network', async () => {
  const flooding = Array.from({ length: FLOOD }, () => ask({ as: 'viewer', from: HERE }))
  const probes = await Promise.all(
    ['GET /health', 'GET /ready'].map((call) => server.call({ call, headers: { 'x-forwarded-for': HERE } })),
  )
  expect(probes.map(({ statusCode }) => statusCode)).toEqual([200, 200])
  await Promise.all(flooding)
})
