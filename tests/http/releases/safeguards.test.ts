import { randomBytes } from 'node:crypto'
import { SILENT } from '@burgee/kit/log/logger'
import { PROCESS_CLOCK } from '@burgee/kit/monotonic-clock'
import type { ReleasePlan, ReleaseTemplate } from '@burgee/protocol/administration/release-plan'
import type { Safeguard } from '@burgee/protocol/administration/safeguard'
import { createServer } from '@burgee/server'
import type { ImpactRow } from '@burgee/serving/impact/impact-sums'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { CHEAP } from '../../support/password-cost.ts'
import { optionsOf, scenarios, startServer, type TestServer } from '../scenario.ts'

/** Depending on reported metrics, safeguards pause plans, step back or turn flags off. */
const FEATURES = '/api/admin/projects/default/features'
const MINUTE_MS = 60_000
let server: TestServer
let now = Date.parse('2027-01-01T00:00:00Z')
let template: ReleaseTemplate
let flag = ''
let metric = ''
let count = 0

const milestone = (percent: number, intervalMinutes?: number) => ({
  name: `${percent} %`,
  ...(intervalMinutes === undefined ? {} : { transitionCondition: { intervalMinutes } }),
  strategies: [{ strategyName: 'flexibleRollout', parameters: { rollout: String(percent) } }],
})

beforeAll(async () => {
  server = await startServer({}, () => now)
  const body = { name: 'Three steps', milestones: [milestone(25, 10), milestone(50, 10), milestone(100)] }
  template = await server.admin('POST /api/admin/release-plan-templates', body)
})
afterAll(() => server.close())
beforeEach(async () => {
  count += 1
  flag = `flag-${count}`
  metric = `errors_${count}`
  await server.admin(`POST ${FEATURES}`, { name: flag })
  // flags of earlier tests still exist, and so do their safeguards
  now += 10 * MINUTE_MS
})

const environment = () => `${FEATURES}/${flag}/environments/development`
const turn = (state: 'on' | 'off') => server.admin(`POST ${environment()}/${state}`)
async function addPlan(): Promise<ReleasePlan> {
  const plan = await server.admin(`POST ${environment()}/release-plans`, { templateId: template.id })
  await turn('on')
  return plan
}
const readPlan = async (): Promise<ReleasePlan> => (await server.admin(`GET ${environment()}/release-plans`))[0]
const readActive = async () => {
  const { milestones, activeMilestoneId } = await readPlan()
  return milestones.find(({ id }) => id === activeMilestoneId)?.name
}
const isOn = async (): Promise<boolean> => (await server.admin(`GET ${environment()}`)).enabled

interface Rule {
  readonly metric?: object
  readonly condition?: object
  readonly action?: string
  readonly onNoData?: 'hold' | 'ignore'
}
const rule = ({ metric: own, condition, action = 'pauseReleasePlanProgressions', onNoData }: Rule = {}) => ({
  impactMetric: { metricName: metric, timeRange: 'hour', aggregationMode: 'count', ...own },
  triggerCondition: { operator: '>', threshold: 10, ...condition },
  action: { type: action },
  ...(onNoData && { onNoData }),
})
const guard = (plan: ReleasePlan, input: Rule = {}): Promise<Safeguard> =>
  server.admin(`PUT ${environment()}/release-plans/${plan.id}/safeguards`, rule(input))

/** Reports the value of a counter, either as a server or as a page. */
async function report(value: number, { labels = {}, as = 'client' }: { labels?: object; as?: string } = {}) {
  const path = as === 'frontend' ? '/api/frontend/client/metrics' : '/api/client/metrics'
  const samples = [{ labels: { appName: 'shop', ...labels }, value }]
  const body = { appName: 'shop', impactMetrics: [{ name: metric, help: '', type: 'counter', samples }] }
  const reply = await server.call({ as, call: `POST ${path}`, body })
  expect([200, 202]).toContain(reply.statusCode)
  await server.server.flush()
}

/** Advances the clock minute by minute, and sends a report in each minute. Returns the types of the flag's events. */
async function pass(minutes: number, value: number | null = 0): Promise<string[]> {
  const last = await server.lastEventId()
  for (let minute = 0; minute < minutes; minute += 1) {
    now += MINUTE_MS
    if (value !== null) await report(value)
    await server.server.applyDue()
  }
  const sql = 'select type from events where id > ? and feature_name = ? order by id'
  return (await server.db.rows(sql, last, flag)).map(({ type }) => String(type))
}
/** Sets of projects of tokens; for each set, a separate series of a metric is stored. */
const SCOPES = 21
const SERIES_PER_SCOPE = 100
const STEP = ['release-plan-milestone-started', 'feature-strategy-add', 'feature-strategy-remove']
const PAUSE = ['safeguard-tripped', 'release-plan-progressions-paused']

describe('the body of a safeguard', () => {
  const call = `PUT ${FEATURES}/flag-1/environments/development/safeguards`
  const body = rule({ metric: { metricName: 'errors' }, action: 'disableEnvironment' })
  const send = (changes: object) => ({ call, as: 'admin', body: { ...body, ...changes }, events: [] })
  const compared = { operator: '>', compare: 'on-vs-off' }
  scenarios(
    () => server,
    [
      { name: 'requires a login', call, body, status: 401 },
      { name: 'requires a permission', as: 'viewer', call, body, status: 403 },
      {
        name: 'requires a plan for other actions',
        ...send({ action: { type: 'previousMilestone' } }),
        status: 400,
        text: 'disableEnvironment',
      },
      { name: 'requires a condition', ...send({ triggerCondition: undefined }), status: 400, text: 'triggerCondition' },
      {
        name: 'requires a difference below 1 for a comparison',
        ...send({ triggerCondition: { ...compared, threshold: 5 } }),
        status: 400,
        text: 'threshold',
      },
      {
        name: 'rejects an aggregation that the metric does not have',
        ...send({ impactMetric: { metricName: 'unleash_gauge_memory', aggregationMode: 'p95' } }),
        status: 400,
        text: 'avg, sum',
      },
      {
        name: 'rejects a comparison of gauges',
        ...send({
          impactMetric: { metricName: 'unleash_gauge_memory' },
          triggerCondition: { ...compared, threshold: 0.1 },
        }),
        status: 400,
        text: 'counters',
      },
      { name: 'answers 404 for an unknown id', ...send({ id: 'none' }), status: 404, text: 'none' },
    ],
  )
})

describe('a safeguard', () => {
  test('pauses the plan once the metric exceeds the threshold, with one event, until a person resumes it', async () => {
    const plan = await addPlan()
    const { id, status } = await guard(plan)
    expect(status).toBe('waiting')
    expect(await pass(2)).toEqual([])
    expect((await readPlan()).safeguards).toMatchObject([{ id, status: 'watching', trip: null }])
    await report(11)
    expect(await pass(1)).toEqual(PAUSE)
    const [event] = (await server.admin(`GET /api/admin/events/${flag}?limit=2`)).events.filter(
      ({ type }: { type: string }) => type === 'safeguard-tripped',
    )
    expect(event).toMatchObject({
      createdBy: 'system',
      environment: 'development',
      data: { id, status: 'tripped', trip: { value: 11, threshold: 10, window: { end: expect.any(String) } } },
    })
    expect(await pass(30)).toEqual([])
    expect([await readActive(), (await readPlan()).nextMilestoneAt]).toEqual(['25 %', null])
    await server.admin(`POST ${environment()}/progressions/${plan.id}/resume`)
    expect((await readPlan()).safeguards[0]?.trip).toBeNull()
    // the plan had already counted three minutes
    expect(await pass(7)).toEqual(STEP)
  })

  test('does not trip again by values of the minute in which a person resumes the plan', async () => {
    const plan = await addPlan()
    await guard(plan)
    await report(11)
    expect(await pass(1)).toEqual(PAUSE)
    await report(11)
    await server.admin(`POST ${environment()}/progressions/${plan.id}/resume`)
    await report(1)
    expect(await pass(2)).toEqual([])
    await report(11)
    expect(await pass(1)).toEqual(PAUSE)
  })

  test('steps back to the milestone before, and pauses there', async () => {
    await guard(await addPlan(), { action: 'previousMilestone' })
    expect(await pass(10)).toEqual(STEP)
    expect(await readActive()).toBe('50 %')
    await report(11)
    expect(await pass(1)).toEqual([...PAUSE, ...STEP])
    expect(await readActive()).toBe('25 %')
    expect(await pass(30)).toEqual([])
  })

  test('turns the flag off, with a plan or without one', async () => {
    await guard(await addPlan(), { action: 'disableEnvironment' })
    await report(11)
    expect(await pass(1)).toEqual([
      'safeguard-tripped',
      'feature-environment-disabled',
      'release-plan-progressions-paused',
    ])
    expect(await isOn()).toBe(false)
    await turn('on')
    expect(await pass(30)).toEqual([])
    const own = await server.admin(`PUT ${environment()}/safeguards`, rule({ action: 'disableEnvironment' }))
    expect(own.releasePlanId).toBeNull()
    await report(11)
    expect(await pass(1)).toEqual(['safeguard-tripped', 'feature-environment-disabled'])
    await server.admin(`DELETE ${environment()}/safeguards/${own.id}`)
    expect(await server.admin(`GET ${environment()}/safeguards`)).toHaveLength(1)
  })

  test('holds no plan after it has tripped', async () => {
    await turn('on')
    await report(11)
    await server.admin(`PUT ${environment()}/safeguards`, rule({ action: 'disableEnvironment' }))
    // the first check trips the safeguard
    await report(11)
    expect(await pass(1)).toEqual(['safeguard-tripped', 'feature-environment-disabled'])
    await addPlan()
    expect(await pass(10)).toEqual(STEP)
  })

  test('holds the plan while nothing reports the metric, and releases it at the next report', async () => {
    await guard(await addPlan())
    expect(await pass(30, null)).toEqual([])
    expect((await readPlan()).safeguards[0]?.status).toBe('waiting')
    expect(await pass(1)).toEqual(STEP)
    expect(await pass(3)).toEqual([])
    // reports end, and silence must not count as health
    expect(await pass(30, null)).toEqual([])
  })

  test('lets the plan progress without reports if onNoData is ignore', async () => {
    await guard(await addPlan(), { onNoData: 'ignore' })
    expect(await pass(10, null)).toEqual(STEP)
  })

  test('trips only after its condition has held for long enough', async () => {
    await guard(await addPlan(), { condition: { forMinutes: 3 } })
    await report(11)
    expect(await pass(3)).toEqual([])
    expect(await pass(1)).toEqual(PAUSE)
  })

  test('waits for its minimum sample', async () => {
    const condition = { operator: '<', threshold: 5, minimumSample: 3 }
    await guard(await addPlan(), { condition })
    await report(2)
    expect(await pass(5)).toEqual([])
    await report(2)
    expect(await pass(1)).toEqual(PAUSE)
  })

  test('selects series by labels', async () => {
    await guard(await addPlan(), { metric: { labelSelectors: { region: ['eu'] } } })
    await report(50, { labels: { region: 'us' } })
    expect(await pass(2)).toEqual([])
    await report(50, { labels: { region: 'eu' } })
    expect(await pass(1)).toEqual(PAUSE)
  })

  test('rejects no aggregation because of a metric that only tokens of other projects report', async () => {
    await report(1)
    await server.db.rows(`update impact_metrics set source_projects = '["other"]' where name = '${metric}'`)
    const body = rule({ metric: { aggregationMode: 'p95' }, action: 'disableEnvironment' })
    const reply = await server.call({ as: 'admin', call: `PUT ${environment()}/safeguards`, body })
    expect(reply.statusCode).toBe(200)
  })

  test('ignores what pages report, unless it may use public metrics', async () => {
    const plan = await addPlan()
    await guard(plan)
    await report(50, { as: 'frontend' })
    expect(await pass(2)).toEqual([])
    await guard(plan, { metric: { allowPublicMetrics: true } })
    await report(50, { as: 'frontend' })
    expect(await pass(1)).toEqual(PAUSE)
  })

  test('adds up all series, also more than a chart shows', async () => {
    // rows from a proxy in this process count as public
    const own = { allowPublicMetrics: true }
    await guard(await addPlan(), { metric: own, condition: { threshold: SCOPES * SERIES_PER_SCOPE - 1 } })
    now += MINUTE_MS
    for (let scope = 0; scope < SCOPES; scope += 1) {
      const rows = Array.from({ length: SERIES_PER_SCOPE }, (_, index): ImpactRow => {
        const identity = { name: metric, help: '', type: 'counter', bounds: [] } as const
        return {
          ...identity,
          labels: [
            ['id', String(index)],
            ['origin', 'sdk'],
          ],
          values: [1],
          isPublic: false,
        }
      })
      await server.server.recordImpact({ environment: 'development', projects: ['default', `scope-${scope}`] }, rows)
    }
    await server.server.flush()
    const series = `select count(*) as count from impact_series s join impact_metrics m on m.id = s.metric_id
      where m.name = ?`
    expect((await server.db.rows(series, metric))[0]?.count).toBeGreaterThan(2000)
    expect(await pass(1, null)).toEqual(PAUSE)
  })

  test('decides nothing by a part of its series, and holds the plan', async () => {
    await guard(await addPlan())
    await report(0)
    const metricId = `select id from impact_metrics where name = '${metric}' limit 1`
    const [{ id: own } = {}] = await server.db.rows(metricId)
    for (let part = 0; part < 25; part += 1) {
      const rows = Array.from({ length: 401 }, (_, index) => `('${part}-${index}', '${own}', '[]', '[]', ${now})`)
      await server.db.rows(`insert into impact_series (id, metric_id, labels, bounds, last_seen_at) values ${rows}`)
    }
    expect(await pass(12, 1)).toEqual([])
    expect((await readPlan()).safeguards[0]?.status).toBe('waiting')
    await server.db.rows(`delete from impact_series where metric_id = '${own}' and labels = '[]'`)
    expect(await pass(1, 1)).toEqual(PAUSE)
  })

  test('trips in maintenance mode, in which only people change nothing', async () => {
    await guard(await addPlan())
    await server.admin('POST /api/admin/maintenance', { enabled: true })
    try {
      await report(11)
      expect(await pass(1)).toEqual(PAUSE)
    } finally {
      await server.admin('POST /api/admin/maintenance', { enabled: false })
    }
  })

  test('trips although another safeguard of its batch fails', async () => {
    const broken = await guard(await addPlan())
    await server.db.rows(`update safeguards set definition = '{"action":{}}' where id = '${broken.id}'`)
    const own = await server.admin(`PUT ${environment()}/safeguards`, rule({ action: 'disableEnvironment' }))
    try {
      await report(11)
      expect(await pass(1)).toContain('feature-environment-disabled')
      expect(server.logged.filter((line) => line.includes('Cannot check 1 safeguards'))).toHaveLength(1)
    } finally {
      await server.db.rows(`delete from safeguards where id in ('${broken.id}', '${own.id}')`)
    }
  })

  test('goes on after the clock was set back, and trips once', async () => {
    await guard(await addPlan())
    await pass(2)
    now -= 60 * MINUTE_MS
    expect(await pass(1)).toEqual([])
    await report(11)
    expect(await pass(1)).toEqual(PAUSE)
    expect(await pass(2)).toEqual([])
  })

  test('disappears with its plan, and by its id', async () => {
    const plan = await addPlan()
    const one = await guard(plan)
    const other = await guard(plan)
    await server.admin(`DELETE ${environment()}/release-plans/${plan.id}/safeguards/${one.id}`)
    expect((await readPlan()).safeguards.map(({ id }) => id)).toEqual([other.id])
    const body = { ...rule({ condition: { threshold: 99 } }), id: other.id }
    await server.admin(`PUT ${environment()}/release-plans/${plan.id}/safeguards`, body)
    expect((await readPlan()).safeguards).toMatchObject([{ id: other.id, triggerCondition: { threshold: 99 } }])
    await server.admin(`DELETE ${environment()}/release-plans/${plan.id}`)
    expect(await server.admin(`GET ${environment()}/safeguards`)).toEqual([])
  })
})

// only one process at a time can open the embedded database
test.skipIf(inject('driver') === 'sqlite')('a safeguard trips once, on however many servers', async () => {
  const other = await createServer({
    options: optionsOf({ ...server.databaseOptions, port: 0, host: '127.0.0.1', keepDocuments: false }),
    clock: () => now,
    monotonic: PROCESS_CLOCK,
    random: randomBytes,
    logger: SILENT,
    passwordCost: CHEAP,
  })
  try {
    await guard(await addPlan(), { action: 'previousMilestone' })
    expect(await pass(10)).toEqual(STEP)
    await report(11)
    const last = await server.lastEventId()
    now += MINUTE_MS
    await Promise.all([server.server, other, server.server, other].map((one) => one.applyDue()))
    const sql = 'select type from events where id > ? and feature_name = ? order by id'
    const types = (await server.db.rows(sql, last, flag)).map(({ type }) => String(type))
    expect(types).toEqual([...PAUSE, ...STEP])
  } finally {
    await other.close()
  }
})

describe('a comparison of users with and without the flag', () => {
  /** Reports evaluations, and a number of errors that depends on the flag's value. */
  async function use(on: { yes: number; errors: number }, off: { no: number; errors: number }) {
    const toggles = { [flag]: { yes: on.yes, no: off.no } }
    const bucket = { start: new Date(now - 1000).toISOString(), stop: new Date(now).toISOString(), toggles }
    await server.call({ as: 'client', call: 'POST /api/client/metrics', body: { appName: 'shop', bucket } })
    await report(on.errors, { labels: { [flag]: 'enabled' } })
    await report(off.errors, { labels: { [flag]: 'disabled' } })
  }
  const condition = { compare: 'on-vs-off', threshold: 0.05 }

  test('trips if the rate of errors with the flag is significantly higher', async () => {
    await guard(await addPlan(), { condition })
    await use({ yes: 1000, errors: 20 }, { no: 1000, errors: 18 })
    expect(await pass(1)).toEqual([])
    await use({ yes: 1000, errors: 200 }, { no: 1000, errors: 20 })
    expect(await pass(1)).toEqual(PAUSE)
    const [{ trip }] = (await readPlan()).safeguards as [Safeguard]
    expect(trip).toMatchObject({ threshold: 0.05, detail: 'with the flag 220 of 2000, without it 38 of 2000' })
  })

  test('waits for 100 evaluations in each group', async () => {
    await guard(await addPlan(), { condition })
    await use({ yes: 1000, errors: 500 }, { no: 99, errors: 0 })
    expect(await pass(1)).toEqual([])
    expect((await readPlan()).safeguards[0]?.status).toBe('waiting')
  })
})

test('a report makes the check of its safeguard due, three seconds after the last check at the earliest', async () => {
  const dueAt = async (id: string) =>
    Number((await server.db.row('select check_at from safeguards where id = ?', id))?.check_at)
  const { id } = await guard(await addPlan())
  await pass(1)
  const checkedAt = now
  expect(await dueAt(id)).toBe(checkedAt + MINUTE_MS)
  // as if the check had run just before this report was written
  await report(1)
  expect(await dueAt(id)).toBe(checkedAt + 3000)
  now += 2000
  await report(1)
  expect(await dueAt(id)).toBe(checkedAt + 3000)
  now += 1000
  await server.server.applyDue()
  now += 10_000
  // a report without events does not make the check due earlier
  await report(0)
  expect(await dueAt(id)).toBeGreaterThan(now + 3000)
  await report(20)
  expect(await dueAt(id)).toBe(now)
  await server.server.applyDue()
  expect((await readPlan()).safeguards).toMatchObject([{ id, status: 'tripped' }])
})

test('trips by a report in the next minute that comes less than a minute after the last one', async () => {
  now += MINUTE_MS - 1000 - (now % MINUTE_MS)
  const plan = await addPlan()
  await report(1)
  now += 2000
  const { id } = await guard(plan)
  await report(20)
  now += MINUTE_MS
  await server.server.applyDue()
  expect((await readPlan()).safeguards).toMatchObject([{ id, status: 'tripped' }])
})
