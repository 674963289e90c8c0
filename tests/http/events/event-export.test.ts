import { setImmediate as turn } from 'node:timers/promises'
import type { Event } from '@burgee/protocol/event'
import { EXPORT_COLUMNS } from '@burgee/server/admin/events/event-export'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addSession, scenarios, startServer, type TestServer, TOKENS } from '../scenario.ts'

const EXPORT = 'GET /api/admin/event-export'
const FLAGS = '/api/admin/projects/default/features'
const DAY_MS = 86_400_000
const FORMULA = '=HYPERLINK("https://example.com","click")'
let now = Date.parse('2030-03-01T12:00:00Z')
let server: TestServer
let queries = 0

beforeAll(async () => {
  server = await startServer({}, () => now, {
    onQuery: () => {
      queries += 1
    },
  })
  await server.admin('POST /api/admin/projects', { id: 'shop', name: 'Shop' })
  await server.admin(`POST ${FLAGS}`, { name: 'stays', description: `${FORMULA};=1+1` })
  now += DAY_MS
  await server.admin(`POST ${FLAGS}`, { name: 'moves' })
  await server.admin(`POST ${FLAGS}/moves/changeProject`, { newProjectId: 'shop' })
  for (const name of ['viewer', 'editor']) {
    const user = await server.db.row('select id from users where username = ?', name)
    await addSession(server.db, name, Number(user?.id), now)
  }
  await addEvent('feature-created', '\t=1+1;@SUM(1)\r\n-2', '"x"')
})
afterAll(() => server.close())

async function addEvent(type: string, author: string, data: string): Promise<void> {
  await server.db.rows(
    "insert into events (type, created_at, created_by, created_by_user_id, project, data, tags) values (?, ?, ?, 7, 'hostile', ?, '[]')",
    type,
    now,
    author,
    data,
  )
}

const load = async (query = '') => (await server.call({ as: 'admin', call: `${EXPORT}?${query}` })).body
const parseLines = (body: string): Event[] =>
  body
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
const loadEvents = async (query?: string) => parseLines(await load(query))
const loadTypes = async (query: string) => (await loadEvents(query)).map(({ type }) => type)

/** Splits CSV by RFC 4180 into rows of cells. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = []
  const cells: string[] = []
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\n]*))(,|\n)/g)) {
    cells.push(quoted?.replaceAll('""', '"') ?? plain ?? '')
    if (end === '\n') rows.push(cells.splice(0))
  }
  return rows
}

describe('export of events', () => {
  scenarios(
    () => server,
    [
      { name: 'anonymous', call: EXPORT, status: 401 },
      { name: 'a client token', as: 'client', call: EXPORT, status: 403 },
      { name: 'an editor', as: 'editor', call: EXPORT, status: 403, text: 'ADMIN' },
      { name: 'a viewer', as: 'viewer', call: EXPORT, status: 403, text: 'ADMIN' },
      { name: 'an unknown format', as: 'admin', call: `${EXPORT}?format=xml`, status: 400, text: 'format' },
      { name: 'a time that is none', as: 'admin', call: `${EXPORT}?from=soon`, status: 400, text: 'from' },
      { name: 'an end that is none', as: 'admin', call: `${EXPORT}?to=soon`, status: 400, text: 'to' },
      { name: 'an id that is none', as: 'admin', call: `${EXPORT}?afterId=x`, status: 400, text: 'afterId' },
      { name: 'a condition that is none', as: 'admin', call: `${EXPORT}?project=shop`, status: 400, text: 'project' },
      { name: 'no events as JSON Lines', as: 'admin', call: `${EXPORT}?feature=IS:none`, status: 200, text: '' },
    ],
  )

  test('contains the events of the search, oldest first', async () => {
    const found = await server.admin('GET /api/admin/search/events?limit=1000')
    expect(await loadEvents()).toEqual(found.events.toReversed())
  })

  test('filters by project, including flags that moved out of it', async () => {
    const filters = 'type=IS_ANY_OF:feature-created,feature-project-change'
    expect(await loadTypes(`project=IS:default&${filters}`)).toEqual([
      'feature-created',
      'feature-created',
      'feature-project-change',
    ])
    expect(await loadTypes(`project=IS:shop&${filters}`)).toEqual(['feature-project-change'])
  })

  test('filters by time, and continues after an earlier export', async () => {
    expect(await loadTypes('to=2030-03-01&feature=IS:stays')).toContain('feature-created')
    expect(await loadTypes('from=2030-03-02&feature=IS:stays')).toEqual([])
    const all = await loadEvents()
    expect(await loadEvents(`afterId=${all[1]?.id}`)).toEqual(all.slice(2))
    expect(await load(`afterId=${all.at(-1)?.id}`)).toBe('')
  })

  test('names a file, is not cached, and has the header line without events', async () => {
    const { body, headers } = await server.call({ as: 'admin', call: `${EXPORT}?format=csv&feature=IS:none` })
    expect(parseCsv(body)).toEqual([EXPORT_COLUMNS])
    expect(headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="events.csv"',
      'cache-control': 'no-store',
    })
  })

  test('has a CSV column for each property of an event', async () => {
    const columns: readonly string[] = EXPORT_COLUMNS
    const names = (await loadEvents()).flatMap((event) => Object.keys(event))
    expect(names.filter((name) => !columns.includes(name))).toEqual([])
  })

  test('no cell of a CSV export is a formula, wherever a spreadsheet splits it', async () => {
    const body = await load('format=csv')
    const cells = parseCsv(body).flat()
    expect(cells).toContain("'\t'=1+1;'@SUM(1)\r\n'-2")
    expect(body).toContain(JSON.stringify(FORMULA).slice(1, -1).replaceAll('"', '""'))
    // the user id of a token is a negative number, which is not a formula
    const texts = cells.flatMap((cell) => cell.split(/[;\t\r\n]/)).filter((cell) => !/^-\d+$/.test(cell))
    expect(texts.filter((cell) => /^[\s\p{C}]*[=+\-@]/u.test(cell))).toEqual([])
  })

  test('escaped JSON cells have the values of the events', async () => {
    const [, ...rows] = parseCsv(await load('format=csv&feature=IS:stays&type=IS:feature-created'))
    const data = rows[0]?.[EXPORT_COLUMNS.indexOf('data')] ?? ''
    expect(JSON.parse(data)).toMatchObject({ description: `${FORMULA};=1+1` })
  })
})

describe('an export of many long events', () => {
  const EVENTS = 100
  const LONG = JSON.stringify('x'.repeat(300_000))
  beforeAll(async () => {
    for (let count = 0; count < EVENTS; count++) await addEvent('segment-updated', 'bulk', LONG)
  })

  test('reads no further events while the client does not read, and is complete afterwards', async () => {
    const { url } = await server.server.listen()
    const reply = await fetch(`${url}/api/admin/event-export?createdBy=IS:bulk`, {
      headers: { authorization: TOKENS.admin },
    })
    // other requests are answered during an export; a server that reads ahead would do so during these requests
    const before = queries
    for (let count = 0; count < EVENTS; count++) {
      expect((await server.call({ as: 'admin', call: 'GET /api/admin/projects' })).statusCode).toBe(200)
      await turn()
    }
    const others = queries - before
    const events = parseLines(await reply.text())
    expect(events.map(({ createdBy }) => createdBy)).toEqual(Array.from({ length: EVENTS }, () => 'bulk'))
    expect(events.every(({ id }, index) => id > (events[index - 1]?.id ?? 0))).toBe(true)
    const rest = queries - before - others
    // each page contains one event, and reading a page takes at least two queries
    expect(rest).toBeGreaterThan(EVENTS)
  })

  test('short events share a page, and pages continue without a gap', async () => {
    for (let count = 0; count < 1200; count++) await addEvent('tag-created', 'short', '"y"')
    const events = await loadEvents('createdBy=IS:short')
    expect(events.length).toBe(1200)
    expect(new Set(events.map(({ id }) => id)).size).toBe(1200)
  })
})
