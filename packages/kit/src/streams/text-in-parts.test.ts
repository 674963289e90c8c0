import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { createTestApp } from '../../test-support/app.ts'
import { type Route, routesFor } from '../http/route.ts'
import { replyInParts } from './text-in-parts.ts'

const PARTS = 1000
const PART = 'x'.repeat(100_000)
/** Turns of the event loop in which a server that did not wait for the client would read all parts. */
const TURNS = 5 * PARTS
const route = routesFor<string>()
const common = { summary: 'S.', tag: 't', permission: null, problems: [], replies: { 200: { description: 'OK' } } }
const apps: ReturnType<typeof createTestApp>[] = []
afterEach(async () => {
  for (const app of apps.splice(0)) await app.close()
})

/** Requests a text of several parts. Fails to read the part `failsAt`. Returns the reply, unread. */
async function request(parts: number, failsAt = Number.POSITIVE_INFINITY) {
  const seen = { read: 1, errors: [] as unknown[] }
  const handle = () =>
    replyInParts(
      {
        first: PART,
        next: async () => {
          if (seen.read === parts) return undefined
          seen.read += 1
          if (seen.read === failsAt) throw new Error('no more')
          return PART
        },
        onError: (error) => seen.errors.push(error),
      },
      { 'content-type': 'text/plain' },
    )
  const app = createTestApp({ routes: [route({ ...common, method: 'GET', url: '/text', handle })] as Route<string>[] })
  apps.push(app)
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const [reply] = (await once(get(`${url}/text`, { headers: { authorization: 'a' } }), 'response')) as [IncomingMessage]
  return { seen, reply }
}

async function readAll(reply: IncomingMessage): Promise<number> {
  let length = 0
  for await (const piece of reply) length += (piece as Buffer).length
  return length
}

test('sends all parts with their own content type', async () => {
  const { reply } = await request(3)
  expect(reply.headers['content-type']).toBe('text/plain')
  expect(await readAll(reply)).toBe(3 * PART.length)
})

test('reads no further parts while the client does not read', async () => {
  const { reply, seen } = await request(PARTS)
  for (let turns = 0; turns < TURNS; turns++) await turn()
  // the rest fits into the buffers of the operating system
  expect(seen.read).toBeLessThan(PARTS / 2)
  expect(await readAll(reply)).toBe(PARTS * PART.length)
})

test('cuts the connection if a part cannot be read', async () => {
  const { reply, seen } = await request(3, 3)
  await expect(readAll(reply)).rejects.toThrow('aborted')
  expect(seen.errors).toEqual([new Error('no more')])
})
