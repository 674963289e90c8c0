import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServer, type TestServer } from '../scenario.ts'

/** Limits on the number of safeguards, because each is checked once a minute. */
const FEATURES = '/api/admin/projects/default/features'
const TOTAL = 25

let server: TestServer
beforeAll(async () => {
  server = await startServer({ safeguardsLimit: TOTAL })
  for (const name of ['a', 'b', 'c']) await server.admin(`POST ${FEATURES}`, { name })
})
afterAll(() => server.close())

const url = (flag: string) => `${FEATURES}/${flag}/environments/development/safeguards`
const put = (flag: string, id?: string) =>
  server.call({
    as: 'admin',
    call: `PUT ${url(flag)}`,
    body: {
      ...(id === undefined ? {} : { id }),
      impactMetric: { metricName: 'errors', timeRange: 'hour', aggregationMode: 'count' },
      triggerCondition: { operator: '>', threshold: 10 },
      action: { type: 'disableEnvironment' },
    },
  })
const statuses = async (flag: string, count: number) => {
  const found: number[] = []
  for (let turn = 0; turn < count; turn += 1) found.push((await put(flag)).statusCode)
  return found
}

test('a flag and an installation have a maximum number of safeguards, which can still be changed and removed', async () => {
  expect(await statuses('a', 21)).toEqual([...Array<number>(20).fill(200), 403])
  expect(await statuses('b', TOTAL - 20)).toEqual(Array<number>(TOTAL - 20).fill(200))
  const last = await server.lastEventId()
  const refused = await put('c')
  expect([refused.statusCode, refused.body]).toEqual([403, expect.stringContaining('SAFEGUARDS_LIMIT')])
  expect(await server.eventsAfter(last)).toEqual([])
  const [first] = await server.admin(`GET ${url('b')}`)
  expect((await put('b', first.id)).statusCode).toBe(200)
  await server.admin(`DELETE ${url('b')}/${first.id}`)
  expect(await statuses('c', 2)).toEqual([200, 403])
})
