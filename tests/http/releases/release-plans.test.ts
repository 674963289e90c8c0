import { randomBytes } from 'node:crypto'
import { SILENT } from '@burgee/kit/log/logger'
import { PROCESS_CLOCK } from '@burgee/kit/monotonic-clock'
import type { Milestone, ReleasePlan, ReleaseTemplate } from '@burgee/protocol/administration/release-plan'
import { createServer } from '@burgee/server'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { CHEAP } from '../../support/password-cost.ts'
import { optionsOf, scenarios, startServer, type TestServer, TOKENS } from '../scenario.ts'

/** Release templates, and plans of flags: what SDKs receive, and when milestones start. */
const TEMPLATES = '/api/admin/release-plan-templates'
const FEATURES = '/api/admin/projects/default/features'
const MINUTE_MS = 60_000
let server: TestServer
let now = Date.parse('2027-01-01T00:00:00Z')
let template: ReleaseTemplate
let flag = ''
let count = 0

const rollout = (percent: number) => ({ strategyName: 'flexibleRollout', parameters: { rollout: String(percent) } })
const milestone = (percent: number, intervalMinutes?: number) => ({
  name: `${percent} %`,
  ...(intervalMinutes === undefined ? {} : { transitionCondition: { intervalMinutes } }),
  strategies: [rollout(percent)],
})

beforeAll(async () => {
  server = await startServer({}, () => now)
  const body = { name: 'Three steps', milestones: [milestone(25, 10), milestone(50, 10), milestone(100)] }
  template = await server.admin(`POST ${TEMPLATES}`, body)
})
afterAll(() => server.close())
beforeEach(async () => {
  count += 1
  flag = `flag-${count}`
  await server.admin(`POST ${FEATURES}`, { name: flag })
})

const environment = () => `${FEATURES}/${flag}/environments/development`
const turn = (state: 'on' | 'off') => server.admin(`POST ${environment()}/${state}`)
const addPlan = (): Promise<ReleasePlan> =>
  server.admin(`POST ${environment()}/release-plans`, { templateId: template.id })
const readPlan = async (): Promise<ReleasePlan> => (await server.admin(`GET ${environment()}/release-plans`))[0]
const getActiveName = ({ milestones, activeMilestoneId }: ReleasePlan) =>
  milestones.find(({ id }) => id === activeMilestoneId)?.name
const getMilestoneId = ({ milestones }: ReleasePlan, index: number) => milestones[index]?.id ?? ''

/** Returns the rollouts that SDKs receive for the flag, or undefined while it is off. */
async function servedRollouts(): Promise<string[] | undefined> {
  const reply = await server.call({ as: TOKENS.client, call: `GET /api/client/features/${flag}` })
  const { enabled, strategies } = reply.json()
  return enabled
    ? strategies.map(({ parameters }: { parameters: { rollout: string } }) => parameters.rollout)
    : undefined
}

/** Returns the types of the flag's events from then on. Plans of other flags continue in the meantime. */
async function listFlagEvents(after: number): Promise<string[]> {
  const sql = 'select type from events where id > ? and feature_name = ? order by id'
  return (await server.db.rows(sql, after, flag)).map(({ type }) => String(type))
}

/** Advances the clock and starts milestones that are due. Returns the types of the flag's events. */
async function pass(minutes: number): Promise<string[]> {
  const last = await server.lastEventId()
  now += minutes * MINUTE_MS
  await server.server.applyDue()
  return listFlagEvents(last)
}

describe('a template', () => {
  const add = `POST ${TEMPLATES}`
  scenarios(
    () => server,
    [
      { name: 'requires a login', call: add, body: { name: 'a' }, status: 401 },
      { name: 'requires a permission', as: 'viewer', call: add, body: { name: 'a' }, status: 403 },
      {
        name: 'is created by an editor',
        as: 'editor',
        call: add,
        body: { name: 'a', description: 'b' },
        status: 201,
        has: { discriminator: 'template', name: 'a', description: 'b', milestones: [], archivedAt: null },
        events: ['release-plan-template-created'],
      },
      { name: 'requires a name', as: 'admin', call: add, body: {}, status: 400, text: 'name', events: [] },
      {
        name: 'refuses a percentage above 100',
        as: 'admin',
        call: add,
        body: {
          name: 'a',
          milestones: [{ name: 'm', strategies: [{ ...rollout(25), parameters: { rollout: '101' } }] }],
        },
        status: 400,
        text: 'rollout',
        events: [],
      },
      {
        name: 'refuses a segment that does not exist',
        as: 'admin',
        call: add,
        body: { name: 'a', milestones: [{ name: 'm', strategies: [{ ...rollout(25), segments: [4711] }] }] },
        status: 404,
        text: '4711',
        events: [],
      },
      {
        name: 'refuses an unknown restriction',
        as: 'admin',
        call: add,
        body: { name: 'a', milestones: [{ name: 'm', strategies: [{ ...rollout(25), segment: 1 }] }] },
        status: 400,
        text: 'segment',
        events: [],
      },
      { name: 'answers 404 for an unknown id', as: 'admin', call: `GET ${TEMPLATES}/none`, status: 404, text: 'none' },
    ],
  )

  test('can be edited, archived and removed, and its plans stay as they are', async () => {
    const own: ReleaseTemplate = await server.admin(add, { name: 'own', milestones: [milestone(10)] })
    const url = `${TEMPLATES}/${own.id}`
    await turn('on')
    await server.admin(`POST ${environment()}/release-plans`, { templateId: own.id })
    const before = await readPlan()
    const added: Milestone = await server.admin(`POST ${url}/milestones`, milestone(20))
    const strategy = await server.admin(`POST ${url}/milestones/${added.id}/strategies`, rollout(30))
    await server.admin(`PUT ${url}/milestones/${added.id}/strategies/${strategy.id}`, rollout(40))
    await server.admin(`PUT ${url}/milestones/${added.id}`, { name: 'renamed' })
    const { milestones }: ReleaseTemplate = await server.admin(`GET ${url}`)
    expect(
      milestones.map(({ name, strategies }) => [name, ...strategies.map(({ parameters }) => parameters.rollout)]),
    ).toEqual([
      ['10 %', '10'],
      ['renamed', '20', '40'],
    ])
    await server.admin(`DELETE ${url}/milestones/${added.id}/strategies/${strategy.id}`)
    await server.admin(`DELETE ${url}/milestones/${added.id}`)
    await server.admin(`PUT ${url}`, { name: 'other' })
    expect(await server.admin(`GET ${url}`)).toMatchObject({ name: 'other', milestones: [{ name: '10 %' }] })
    await server.admin(`POST ${TEMPLATES}/archive/${own.id}`)
    const refused = await server.call({ as: 'admin', call: `PUT ${url}`, body: { name: 'late' } })
    expect(refused.statusCode).toBe(409)
    await server.admin(`DELETE ${url}`)
    expect(await readPlan()).toEqual(before)
  })

  test('keeps its segments from being deleted or emptied', async () => {
    const constraints = [{ contextName: 'userId', operator: 'IN', values: ['7'] }]
    const { id } = await server.admin('POST /api/admin/segments', { name: 'staff', constraints })
    const strategies = [{ ...rollout(100), segments: [id] }]
    const own: ReleaseTemplate = await server.admin(add, { name: 'inner', milestones: [{ name: 'm', strategies }] })
    const segment = `/api/admin/segments/${id}`
    const name = 'release template \\"inner\\"'
    for (const scenario of [
      { call: `DELETE ${segment}` },
      { call: `PUT ${segment}`, body: { name: 'staff', constraints: [] } },
    ]) {
      const reply = await server.call({ as: 'admin', ...scenario })
      expect([reply.statusCode, reply.body]).toEqual([409, expect.stringContaining(name)])
    }
    await server.admin(`DELETE ${TEMPLATES}/${own.id}`)
    await server.admin(`DELETE ${segment}`)
  })
})

describe('a plan', () => {
  test('requires a change request where the environment does', async () => {
    const config = '/api/admin/projects/default/environments/development/change-requests/config'
    await server.admin(`PUT ${config}`, { changeRequestsEnabled: true })
    try {
      const body = { templateId: template.id }
      const reply = await server.call({ as: 'editor', call: `POST ${environment()}/release-plans`, body })
      expect(reply.statusCode).toBe(403)
      expect(await server.admin(`GET ${environment()}/release-plans`)).toEqual([])
    } finally {
      await server.admin(`PUT ${config}`, { changeRequestsEnabled: false })
    }
  })

  test('serves the strategies of one milestone after another, each started after its time', async () => {
    await addPlan()
    await turn('on')
    expect(await servedRollouts()).toEqual(['25'])
    expect(await pass(9)).toEqual([])
    expect(await pass(1)).toEqual(['release-plan-milestone-started', 'feature-strategy-add', 'feature-strategy-remove'])
    expect(await servedRollouts()).toEqual(['50'])
    await pass(10)
    expect(await servedRollouts()).toEqual(['100'])
    expect(await pass(100)).toEqual([])
    const plan = await readPlan()
    expect([getActiveName(plan), plan.nextMilestoneAt]).toEqual(['100 %', null])
    expect(plan.milestones.map(({ progressionExecutedAt }) => progressionExecutedAt !== null)).toEqual([
      true,
      true,
      false,
    ])
  })

  test('keeps strategies that the flag had, and adds none by default', async () => {
    const body = { name: 'userWithId', parameters: { userIds: '7' } }
    await server.admin(`POST ${environment()}/strategies`, body)
    await addPlan()
    await turn('on')
    const { strategies } = await server.admin(`GET ${environment()}`)
    expect(strategies.map(({ name }: { name: string }) => name)).toEqual(['userWithId', 'flexibleRollout'])
  })

  test('starts its first milestone when the flag is turned on', async () => {
    const added = await addPlan()
    expect([added.activeMilestoneId, added.nextMilestoneAt]).toEqual([null, null])
    expect(await pass(60)).toEqual([])
    await turn('on')
    const plan = await readPlan()
    expect(plan.milestones[0]?.startedAt).toBe(new Date(now).toISOString())
    expect(plan.nextMilestoneAt).toBe(new Date(now + 10 * MINUTE_MS).toISOString())
  })

  test('counts time only while the flag is on', async () => {
    await turn('on')
    await addPlan()
    await pass(6)
    await turn('off')
    expect(await pass(60)).toEqual([])
    await turn('on')
    expect(await pass(3)).toEqual([])
    expect(await pass(1)).toContain('release-plan-milestone-started')
  })

  test('starts no milestone early when the clock goes back, and none twice', async () => {
    await turn('on')
    await addPlan()
    await pass(10)
    expect(getActiveName(await readPlan())).toBe('50 %')
    expect(await pass(-60)).toEqual([])
    await turn('off')
    await turn('on')
    expect(await pass(9)).toEqual([])
    expect(await pass(1)).toContain('release-plan-milestone-started')
    await server.server.applyDue()
    expect(getActiveName(await readPlan())).toBe('100 %')
  })

  test('starts one milestone at a time after a long outage', async () => {
    await turn('on')
    await addPlan()
    await pass(200)
    expect(getActiveName(await readPlan())).toBe('50 %')
  })

  test('steps back by hand, with the bucketing that it had', async () => {
    await turn('on')
    const plan = await addPlan()
    const before = (await server.admin(`GET ${environment()}`)).strategies.at(-1)
    await server.admin(`POST ${environment()}/release-plans/${plan.id}/milestones/${getMilestoneId(plan, 2)}/start`)
    expect(await servedRollouts()).toContain('100')
    const back: Milestone = await server.admin(
      `POST ${environment()}/release-plans/${plan.id}/milestones/${getMilestoneId(plan, 0)}/start`,
    )
    expect(back.name).toBe('25 %')
    const after = (await server.admin(`GET ${environment()}`)).strategies.at(-1)
    expect(after).toEqual({ ...before, sortOrder: after.sortOrder })
    expect(after.parameters).toMatchObject({ groupId: flag, stickiness: 'default' })
  })

  test('keeps the time that has passed while it is paused', async () => {
    await turn('on')
    const plan = await addPlan()
    await pass(4)
    await server.admin(`POST ${environment()}/progressions/${plan.id}/pause`)
    expect(await pass(60)).toEqual([])
    expect((await readPlan()).milestones[0]?.pausedAt).not.toBeNull()
    await server.admin(`POST ${environment()}/progressions/${plan.id}/resume`)
    expect(await pass(5)).toEqual([])
    expect(await pass(1)).toContain('release-plan-milestone-started')
  })

  test('does not count while its flag is archived', async () => {
    await turn('on')
    await addPlan()
    await pass(5)
    await server.admin(`DELETE ${FEATURES}/${flag}`)
    expect(await pass(60)).toEqual([])
    await server.admin(`POST /api/admin/archive/revive/${flag}`)
    await turn('on')
    expect(await pass(4)).toEqual([])
    expect(await pass(1)).toContain('release-plan-milestone-started')
  })

  test('follows a changed interval, and waits for a person without one', async () => {
    await turn('on')
    const plan = await addPlan()
    const progression = `${environment()}/progressions/${getMilestoneId(plan, 0)}`
    const body = { targetMilestone: getMilestoneId(plan, 1), transitionCondition: { intervalMinutes: 2 } }
    await server.admin(`PUT ${progression}`, body)
    expect(await pass(1)).toEqual([])
    await server.admin(`DELETE ${progression}`)
    expect(await pass(60)).toEqual([])
    await server.admin(`PUT ${progression}`, body)
    expect(await pass(0)).toContain('release-plan-milestone-started')
  })

  test('turns the flag off when it is removed and no strategy is left', async () => {
    await turn('on')
    const { strategies } = await server.admin(`GET ${environment()}`)
    const plan = await addPlan()
    await server.admin(`DELETE ${environment()}/strategies/${strategies[0].id}`)
    const last = await server.lastEventId()
    await server.admin(`DELETE ${environment()}/release-plans/${plan.id}`)
    expect(await listFlagEvents(last)).toEqual([
      'release-plan-removed',
      'feature-strategy-remove',
      'feature-environment-disabled',
    ])
    expect(await servedRollouts()).toBeUndefined()
  })

  test('has an older path for adding, listing and removing', async () => {
    await turn('on')
    const { strategies } = await server.admin(`GET ${environment()}`)
    const plans = `${environment()}/release_plans`
    const { id } = await server.admin(`POST ${plans}`, { templateId: template.id })
    expect(await server.admin(`GET ${plans}`)).toMatchObject([{ id }])
    await server.admin(`DELETE ${environment()}/strategies/${strategies[0].id}`)
    await server.admin(`DELETE ${plans}/${id}`)
    expect(await servedRollouts()).toBeUndefined()
  })

  test('shows its progress in lists of flags', async () => {
    const listed = async () => {
      const { features } = await server.admin(`GET /api/admin/search/features?query=${flag}&limit=1000`)
      const own = features.find(({ name }: { name: string }) => name === flag)
      return own.environments.find(({ name }: { name: string }) => name === 'development')
    }
    expect(await listed()).not.toHaveProperty('releasePlans')
    const { id } = await addPlan()
    await turn('on')
    const first = { milestoneName: '25 %', milestoneOrder: 0, totalMilestones: 3 }
    expect(await listed()).toMatchObject({ ...first, releasePlans: [{ id, name: 'Three steps', pausedAt: null }] })
    await pass(10)
    await server.admin(`POST ${environment()}/progressions/${id}/pause`)
    const second = { milestoneName: '50 %', milestoneOrder: 1, totalMilestones: 3 }
    expect(await listed()).toMatchObject({ ...second, releasePlans: [{ pausedAt: expect.any(String) }] })
  })

  test('locks the strategies of its milestones', async () => {
    await addPlan()
    const { strategies } = await server.admin(`GET ${environment()}`)
    const url = `${environment()}/strategies/${strategies[0].id}`
    const last = await server.lastEventId()
    for (const call of [`DELETE ${url}`, `PUT ${url}`]) {
      const reply = await server.call({ as: 'admin', call, ...(call.startsWith('PUT') && { body: {} }) })
      expect([reply.statusCode, reply.body]).toEqual([409, expect.stringContaining('release plan \\"Three steps\\"')])
    }
    expect(await server.eventsAfter(last)).toEqual([])
  })
})

// only one process can open the embedded database
test.skipIf(inject('driver') === 'sqlite')(
  'a milestone starts once, on two servers whose clock goes back',
  async () => {
    const other = await createServer({
      options: optionsOf({ ...server.databaseOptions, port: 0, host: '127.0.0.1', keepDocuments: false }),
      clock: () => now,
      monotonic: PROCESS_CLOCK,
      random: randomBytes,
      logger: SILENT,
      passwordCost: CHEAP,
    })
    const passOnBoth = async (minutes: number): Promise<string[]> => {
      const last = await server.lastEventId()
      now += minutes * MINUTE_MS
      await Promise.all([server.server, other, server.server, other].map((one) => one.applyDue()))
      return listFlagEvents(last)
    }
    const step = ['release-plan-milestone-started', 'feature-strategy-add', 'feature-strategy-remove']
    try {
      await addPlan()
      await turn('on')
      expect(await passOnBoth(10)).toEqual(step)
      expect(await passOnBoth(-60)).toEqual([])
      expect(await passOnBoth(60)).toEqual([])
      expect(await passOnBoth(10)).toEqual(step)
      expect(await passOnBoth(60)).toEqual([])
      expect(getActiveName(await readPlan())).toBe('100 %')
    } finally {
      await other.close()
    }
  },
)
