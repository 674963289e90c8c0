import { EVENTS, type Event } from '@burgee/protocol/event'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addSession, startServer, type TestServer } from '../scenario.ts'
import { EVENT_ROWS, type EventRow } from './event-rows.ts'

const ENVELOPE = [
  ...[
    'createdAt',
    'createdBy',
    'createdByUserId',
    'data',
    'environment',
    'featureName',
    'id',
    'ip',
    'preData',
    'project',
  ],
  ...['tags', 'type'],
]
/**
 * Events tested elsewhere: tests/http/access/invite-links.test.ts, tests/http/import, tests/http/change-requests,
 * tests/http/promotion, tests/http/config.
 */
const TOLD_ELSEWHERE = [
  'config-applied',
  'config-drift',
  'features-promoted',
  'public-signup-token-user-added',
  'instance-imported',
  ...Object.keys(EVENTS).filter((type) => /^change-(request-|added$|discarded$|edited$)/.test(type)),
  ...Object.keys(EVENTS).filter((type) =>
    /^(release-plan|milestone-progression|safeguard|signal-endpoint|impact-metric|delivery)-/.test(type),
  ),
]
const START = Date.parse('2030-01-01T00:00:00Z')
const YEAR_MS = 365 * 86_400_000

let server: TestServer
let now = START
const names = new Map<string, string>()

beforeAll(async () => {
  server = await startServer({ secretKey: '0'.repeat(64) }, () => now)
})
afterAll(() => server.close())

const filled = (text: string) => text.replace(/\{(\w+)\}/g, (all, name: string) => names.get(name) ?? all)

async function run({ call, body, as = 'admin', keep = {} }: EventRow): Promise<void> {
  if (call === 'markOverdue') {
    now += YEAR_MS
    await addSession(server.db, 'editor', await userId('editor'), now)
    return server.server.markOverdue()
  }
  const sent = body === undefined ? {} : { body: JSON.parse(filled(JSON.stringify(body))) }
  const reply = await server.call({ as, call: filled(call), ...sent })
  expect(reply.statusCode, reply.body).toBeLessThan(300)
  for (const [name, key] of Object.entries(keep)) {
    const told = reply.body === '' ? (await newest()).data : reply.json()
    names.set(name, String(told[key]))
  }
}

async function userId(name: string): Promise<number> {
  return Number((await server.db.row('select id from users where username = ?', name))?.id)
}

async function newest(): Promise<Event> {
  const { events } = (await server.call({ as: 'admin', call: 'GET /api/admin/search/events?limit=1' })).json()
  return events[0]
}

const sorted = (keys: string | undefined) => keys?.split(' ').sort()
const keysOf = (state: unknown) => (state === null ? undefined : Object.keys(state as object).sort())

describe('the content of events', () => {
  test('every type of event has its row', () => {
    const own = [...new Set(EVENT_ROWS.map((row) => row.type)), ...TOLD_ELSEWHERE]
    expect(own.sort()).toEqual(Object.keys(EVENTS).sort())
  })

  test.each(EVENT_ROWS.map((row) => [row.type, row.call, row] as const))('%s by %s', async (type, call, row) => {
    const last = await server.lastEventId()
    await run(row)
    expect(await server.eventsAfter(last)).toEqual([type])
    const event = await newest()
    expect(Object.keys(event).sort()).toEqual(ENVELOPE)
    const { project = null, environment = null, featureName = null, tags = [], as = 'admin' } = row
    const authors = { admin: ['admin', -42], editor: ['editor', await userId('editor')] } as const
    const [createdBy, createdByUserId] = call === 'markOverdue' ? ['system', -1337] : authors[as]
    expect(event).toMatchObject({ type, project, environment, featureName, tags, createdBy, createdByUserId })
    expect(event.createdAt).toBe(new Date(now).toISOString())
    expect({ data: keysOf(event.data), preData: keysOf(event.preData) }).toEqual({
      data: sorted(row.data),
      preData: sorted(row.preData),
    })
    if (row.data !== undefined && row.preData !== undefined) expect(event.data).not.toEqual(event.preData)
    const stored = await server.db.row('select address from events where id = ?', event.id)
    expect([event.ip, stored?.address]).toEqual(Array(2).fill(call === 'markOverdue' ? null : '127.0.0.1'))
  })

  test('a flag includes its variants, and when it was last seen', async () => {
    const { events } = (await server.call({ as: 'admin', call: 'GET /api/admin/events/f' })).json()
    const stale = events.find((event: Event) => event.type === 'feature-stale-on')
    expect(stale.data).toMatchObject({
      variants: [{ name: 'v', weight: 1000, weightType: 'variable', stickiness: 'default' }],
      lastSeenAt: null,
      stale: true,
      description: 'new',
    })
    expect(stale.preData).toEqual({ ...stale.data, stale: false })
  })

  const READS: readonly (readonly [string, object | undefined])[] = [
    ['GET /api/admin/events', undefined],
    ['GET /api/admin/events/f', undefined],
    ['GET /api/admin/search/events', undefined],
    ['POST /api/admin/events/search', {}],
  ]
  test.each(READS)('%s shows the address of callers to administrators only', async (call, body) => {
    const events = async (as: string) =>
      (await server.call({ as, call, ...(body === undefined ? {} : { body }) })).json().events
    const shown = await events('admin')
    expect(shown.length).toBeGreaterThan(10)
    for (const event of shown) expect(event.ip).toBe(event.createdByUserId === -1337 ? null : '127.0.0.1')
    for (const as of ['editor', 'viewer']) {
      await addSession(server.db, as, await userId(as), now)
      const hidden = await events(as)
      expect(hidden.length).toBeGreaterThan(10)
      for (const event of hidden) expect(event).not.toHaveProperty('ip')
    }
  })
})
