import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startServer, type TestServer, TOKENS } from '../scenario.ts'
import { applyDelta, downloaded, sameHolding } from './streams/flag-stream.ts'

const D = '/api/client/delta'
const FLAGS = '/api/admin/projects/default/features'
let server: TestServer
let base: string
beforeAll(async () => {
  server = await startServer()
  base = (await server.server.listen()).url
  for (const name of ['a.one', 'a.two', 'b.one']) await server.admin(`POST ${FLAGS}`, { name })
  await server.admin('POST /api/admin/projects', { id: 'p2', name: 'P2' })
})
afterAll(() => server.close())

const ask = (etag?: string, query = '', as: string = 'client') =>
  server.call({ as, call: `GET ${D}${query}`, headers: etag === undefined ? {} : { 'if-none-match': etag } })
/** Requests a delta and summarizes the reply: its status and event types. */
const told = async (etag?: string, query = '', as?: string) => {
  const reply = await ask(etag, query, as)
  const events = reply.body === '' ? [] : (reply.json().events as { type: string }[])
  return { status: reply.statusCode, etag: String(reply.headers.etag), types: events.map(({ type }) => type), events }
}
const flip = (name: string, to: 'on' | 'off') => server.admin(`POST ${FLAGS}/${name}/environments/development/${to}`)

describe('changes requested by an SDK', () => {
  test('sends all flags, no news, one change, no news', async () => {
    const first = await told()
    expect(first).toMatchObject({ status: 200, types: ['hydration'] })
    expect(await told(first.etag)).toEqual({ status: 304, etag: first.etag, types: [], events: [] })
    await flip('a.one', 'on')
    const second = await told(first.etag)
    expect(second).toMatchObject({ status: 200, types: ['feature-updated'] })
    expect(second.etag).not.toBe(first.etag)
    expect(second.events).toEqual([expect.objectContaining({ feature: expect.objectContaining({ enabled: true }) })])
    expect(await told(second.etag)).toMatchObject({ status: 304, types: [] })
    expect(await told(`W/${second.etag}`)).toMatchObject({ status: 304, types: [] })
  })

  test('the tag begins with the id of the last event', async () => {
    const { etag, events } = await told()
    const { eventId } = events[0] as unknown as { eventId: number }
    expect(etag.startsWith(`"${eventId}:`)).toBe(true)
    expect(eventId).toBeLessThan(2 ** 32)
  })

  test.each<[string, (etag: string) => string]>([
    ['a number alone', (etag) => `"${/\d+/.exec(etag)?.[0]}"`],
    ['text', () => '"text"'],
    ['no tag', () => 'x'],
    ['another life of the database', (etag) => etag.replace(/:[^.]*/, ':other')],
    ['a revision from the future', (etag) => etag.replace(/\d+/, '4294967295')],
    ['the tag of another query', (etag) => etag.replace(/[0-9a-f]{8}"$/, '00000000"')],
  ])('%s: everything', async (_name, change) => {
    const { etag } = await told()
    expect(await told(change(etag))).toMatchObject({ status: 200, etag, types: ['hydration'] })
  })

  test('`project`, `namePrefix` and `tag` narrow it', async () => {
    await server.admin('POST /api/admin/features/a.two/tags', { type: 'simple', value: 'mine' })
    const names = async (query: string, as?: string) => {
      const { events } = await told(undefined, query, as)
      const [{ features }] = events as unknown as [{ features: { name: string }[] }]
      return features.map(({ name }) => name)
    }
    expect(await names('?namePrefix=a.')).toEqual(['a.one', 'a.two'])
    expect(await names('?tag=simple%3Amine')).toEqual(['a.two'])
    expect(await names('?project=p2')).toEqual([])
    const { etag } = await told(undefined, '?namePrefix=b.')
    await flip('a.two', 'on')
    expect(await told(etag, '?namePrefix=b.')).toMatchObject({ status: 304, etag })
    expect(await told(etag, '?namePrefix=a.')).toMatchObject({ status: 200, types: ['hydration'] })
    const tagged = await told(undefined, '?tag=simple%3Amine')
    await server.admin('DELETE /api/admin/features/a.two/tags/simple/mine')
    expect(await told(tagged.etag, '?tag=simple%3Amine')).toMatchObject({ types: ['feature-removed'] })
  })

  test('a moved flag disappears for tokens of its old project, and appears for those of its new one', async () => {
    await server.admin(`POST ${FLAGS}`, { name: 'mover' })
    const { secret } = await server.admin('POST /api/admin/api-tokens', {
      tokenName: 'p2',
      type: 'client',
      environment: 'development',
      project: 'p2',
    })
    const [one, other] = [await told(), await told(undefined, '', secret)]
    await server.admin(`POST ${FLAGS}/mover/changeProject`, { newProjectId: 'p2' })
    expect((await told(one.etag)).events).toEqual([
      { type: 'feature-removed', eventId: expect.any(Number), featureName: 'mover', project: 'default' },
    ])
    expect((await told(other.etag, '', secret)).types).toEqual(['feature-updated'])
  })

  test('a segment comes before the flags that use it, and again when it changes', async () => {
    const { etag } = await told()
    const body = { name: 'delta', constraints: [] }
    const { id } = await server.admin('POST /api/admin/segments', body)
    await server.admin(`POST ${FLAGS}/b.one/environments/development/strategies`, { name: 'default', segments: [id] })
    const used = await told(etag)
    expect(used.types).toEqual(['segment-updated', 'feature-updated'])
    const constraints = [{ contextName: 'userId', operator: 'IN', values: ['1'] }]
    await server.admin(`PUT /api/admin/segments/${id}`, { ...body, constraints })
    expect((await told(used.etag)).types).toEqual(['segment-updated'])
  })

  test('a change with unknown effects is answered with everything', async () => {
    const { etag } = await told()
    const { id } = await server.admin('POST /api/admin/segments', { name: 'goes', constraints: [] })
    await server.admin(`DELETE /api/admin/segments/${id}`)
    expect((await told(etag)).types).toEqual(['hydration'])
  })

  test('a client that follows them has what it would download', async () => {
    const [features, segments] = [new Map<string, never>(), new Map<number, never>()]
    let etag: string | undefined
    const follow = async () => {
      const reply = await ask(etag)
      etag = String(reply.headers.etag)
      if (reply.statusCode === 200) applyDelta(reply.body, features, segments)
      else expect(reply.statusCode).toBe(304)
      // unused segments do no harm
      const now = await downloaded(base, TOKENS.client)
      for (const unused of [...segments.keys()].filter((id) => !now.segments.has(id))) segments.delete(unused)
      expect(sameHolding({ features, segments }, now)).toBe(true)
    }
    await follow()
    for (let step = 0; step < 6; step += 1) {
      await flip('a.one', step % 2 === 0 ? 'on' : 'off')
      await server.admin(step % 2 === 0 ? `DELETE ${FLAGS}/a.two` : 'POST /api/admin/archive/revive/a.two')
      await follow()
    }
  })
})

test.each([
  ['anonymous', undefined, 401],
  ['a frontend token', 'frontend', 403],
])('%s is refused', async (_name, as, status) => {
  for (const path of [D, '/api/client/streaming']) {
    const reply = await server.call({ call: `GET ${path}`, ...(as === undefined ? {} : { as }) })
    expect(reply.statusCode).toBe(status)
  }
})
