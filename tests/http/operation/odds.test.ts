import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { scenarios, startServer, type TestServer } from '../scenario.ts'

/** Small operations for UIs and operators that fit no other file. */
let server: TestServer
const A = '/api/admin'
const as = 'admin'

beforeAll(async () => {
  server = await startServer({ serverUrl: 'https://flags.example.com' })
  const body = {
    appName: 'a "b", c',
    instanceId: 'i',
    sdkVersion: '=cmd:1',
    interval: 1,
    started: '2026-01-01T00:00:00Z',
    strategies: [],
  }
  await server.call({ as: 'client', call: 'POST /api/client/register', body })
  await server.server.flush()
})
afterAll(() => server.close())

/** Parses the cells of a CSV line according to RFC 4180. */
function cellsOf(line: string): string[] {
  return [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)]
    .map(([, cell = '']) => (cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell))
    .slice(0, -1)
}

describe('statistics as a file', () => {
  test('match the other replies', async () => {
    const reply = await server.call({ as: 'viewer', call: `GET ${A}/instance-admin/statistics/csv` })
    expect(reply.statusCode).toBe(200)
    expect(reply.headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(reply.headers['content-disposition']).toMatch(/^attachment; filename="unleash-[\da-f-]{36}-\d{13}\.csv"$/)
    const [names = '', values = '', ...rest] = reply.body.split('\n')
    expect(rest).toEqual([''])
    const {
      timestamp: _then,
      sum: _ofThat,
      ...said
    } = (await server.call({ as: 'viewer', call: `GET ${A}/instance-admin/statistics` })).json()
    const cells = cellsOf(values)
    const told = Object.fromEntries(cellsOf(names).map((name, at) => [name, cells[at]]))
    expect(Object.keys(told).sort()).toEqual([...Object.keys(said), 'timestamp', 'sum'].sort())
    for (const [name, value] of Object.entries(said)) {
      const cell = typeof value === 'object' ? JSON.stringify(value) : String(value)
      // a missing value is an empty cell
      expect([name, told[name]]).toEqual([name, value === null ? '' : cell])
    }
  })
})

describe('telemetry', () => {
  scenarios(
    () => server,
    [
      { name: 'anonymous', call: `GET ${A}/telemetry/settings`, status: 401 },
      {
        name: 'nothing',
        as: 'viewer',
        call: `GET ${A}/telemetry/settings`,
        status: 200,
        has: { versionInfoCollectionEnabled: false, featureInfoCollectionEnabled: false },
      },
    ],
  )
})

describe('errors reported by the UI', () => {
  const call = `POST ${A}/record-ui-error`
  const counted = async () =>
    Number(
      /^burgee_ui_errors_total (\d+)$/m.exec(
        (await server.call({ call: 'GET /internal-backstage/prometheus' })).body,
      )?.[1] ?? 0,
    )

  scenarios(
    () => server,
    [
      { name: 'anonymous', call, body: { errorMessage: 'x' }, status: 401 },
      { name: 'without a message', as: 'viewer', call, body: { errorStack: 'x' }, status: 400, text: 'errorMessage' },
      { name: 'a message', as: 'viewer', call, body: { errorMessage: 'x' }, status: 204, empty: true },
      {
        name: 'with where it was',
        as: 'viewer',
        call,
        body: { errorMessage: 'x', errorStack: 'at y' },
        status: 204,
        empty: true,
      },
      {
        name: 'longer than anybody reads',
        as: 'viewer',
        call,
        body: { errorMessage: 'x'.repeat(50_001) },
        status: 400,
      },
    ],
  )

  test('increment a counter, and are not logged', async () => {
    expect(await counted()).toBe(2)
    expect(server.logged.filter((line) => line.includes('at y'))).toEqual([])
  })
})

describe('counts without a token', () => {
  const call = 'POST /edge/metrics'
  const count = {
    featureName: 'f',
    appName: 'a',
    environment: 'development',
    timestamp: '2026-01-01T00:00:00Z',
    yes: 1,
    no: 0,
  }
  scenarios(
    () => server,
    [
      { name: 'of another form', call, body: { metrics: [] }, status: 400, text: 'applications' },
      {
        name: 'are rejected with instructions',
        call,
        body: { applications: [], metrics: [count] },
        status: 404,
        has: { status: 'disabled', help: expect.stringContaining('/api/client/metrics/bulk') },
      },
    ],
  )

  test('leave no row', async () => {
    await server.server.flush()
    expect(await server.db.rows("select name from unknown_flags where name = 'f'")).toEqual([])
  })
})

describe('mails as they look', () => {
  const preview = (what: string) => server.call({ as, call: `GET ${A}/email/preview/${what}` })
  test.each([
    ['html/getting-started', 'text/html; charset=utf-8'],
    ['html/reset-password', 'text/html; charset=utf-8'],
    ['text/getting-started', 'text/plain; charset=utf-8'],
    ['text/reset-password', 'text/plain; charset=utf-8'],
  ])('%s', async (what, type) => {
    const reply = await preview(`${what}?name=Ada`)
    expect([reply.statusCode, reply.headers['content-type']]).toEqual([200, type])
    expect(reply.body).toContain('Hello Ada,')
    expect(reply.body).toContain('https://flags.example.com/reset-password?token=preview')
  })

  test('inserts a name as text; the page loads and runs nothing', async () => {
    const reply = await preview(`html/reset-password?name=${encodeURIComponent('<script>alert("x")</script>')}`)
    expect(reply.body).toContain('&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;')
    expect(reply.body).not.toContain('<script')
    expect(reply.headers['content-security-policy']).toContain("default-src 'none'")
  })

  scenarios(
    () => server,
    [
      {
        name: 'for a viewer',
        as: 'viewer',
        call: `GET ${A}/email/preview/html/reset-password`,
        status: 403,
        text: 'ADMIN',
      },
      { name: 'an unknown one', as, call: `GET ${A}/email/preview/html/nope`, status: 404 },
      { name: 'a name of every object', as, call: `GET ${A}/email/preview/html/constructor`, status: 404 },
      { name: 'another format', as, call: `GET ${A}/email/preview/pdf/reset-password`, status: 404 },
    ],
  )
})

describe('features of other editions are absent', () => {
  scenarios(
    () => server,
    ['signals', 'projects/default/actions'].map((path) => ({
      name: path,
      as,
      call: `GET ${A}/${path}`,
      status: 404,
      has: { name: 'NotFoundError' },
    })),
  )
})
