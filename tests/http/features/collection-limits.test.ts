import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addPeople, type People } from '../change-requests/people.ts'
import { startServer, type TestServer } from '../scenario.ts'

/** Maximum length of lists that belong to a flag, in every operation that adds to them. */
const A = '/api/admin'
const P = `${A}/projects/default`
const F = `${P}/features`
const STRATEGY = { name: 'flexibleRollout', parameters: { rollout: '10' } }
const MAX_STRATEGIES = 2
const TOO_MANY = 'must not have more than 2 strategies in the environment'
const as = 'admin'
let server: TestServer
let people: People
let now = Date.now()

const at = (flag: string, environment = 'development') => `${F}/${flag}/environments/${environment}`
const strategies = (flag: string, environment?: string) => `${at(flag, environment)}/strategies`

/** Creates a flag with the given number of strategies in an environment. */
async function createFlag(name: string, count: number, environment?: string): Promise<void> {
  await server.admin(`POST ${F}`, { name })
  for (let index = 0; index < count; index += 1) await server.admin(`POST ${strategies(name, environment)}`, STRATEGY)
}

/** Adds strategies without the rules that this server checks, as imports and earlier versions do. */
async function copyStrategies(flag: string, copies: number): Promise<void> {
  for (let index = 0; index < copies; index += 1) {
    await server.db.rows(
      `insert into feature_strategies (id, feature_name, environment, name, title, disabled, parameters, constraints,
       variants, sort_order, created_at) select '${flag}-${index}', feature_name, environment, name, title, disabled,
       parameters, constraints, variants, sort_order + 10, created_at + ${index} from feature_strategies
       where feature_name = '${flag}' and sort_order = 0 limit 1`,
    )
  }
}

/** Sends a request that must be rejected, and returns the body. Checks that nothing was stored. */
async function reject(call: string, body?: unknown, headers?: { readonly cookie: string }): Promise<string> {
  const last = await server.lastEventId()
  const by = headers === undefined ? { as } : { headers }
  const reply = await server.call({ ...by, call, ...(body === undefined ? {} : { body }) })
  expect([reply.statusCode, await server.eventsAfter(last)], reply.body).toEqual([400, []])
  return reply.body
}

beforeAll(async () => {
  server = await startServer({ featureEnvironmentStrategiesLimit: MAX_STRATEGIES }, () => now)
  people = await addPeople(server)
})
afterAll(() => server.close())

describe('strategies of a flag in an environment', () => {
  test('adding one more is rejected, and other environments have their own limit', async () => {
    await createFlag('full', MAX_STRATEGIES)
    expect(await reject(`POST ${strategies('full')}`, STRATEGY)).toContain(TOO_MANY)
    await server.admin(`POST ${strategies('full', 'production')}`, STRATEGY)
  })

  test('a flag with more strategies can be edited and lose them, and not gain any', async () => {
    await createFlag('longer', 1)
    await copyStrategies('longer', MAX_STRATEGIES + 1)
    const own = await server.admin(`GET ${strategies('longer')}`)
    expect(own).toHaveLength(MAX_STRATEGIES + 2)
    await server.admin(`PUT ${strategies('longer')}/${own[0].id}`, { ...STRATEGY, title: 'edited' })
    await server.admin(`DELETE ${strategies('longer')}/${own[1].id}`)
    expect(await reject(`POST ${strategies('longer')}`, STRATEGY)).toContain(TOO_MANY)
  })

  test('an import of flags is rejected', async () => {
    const one = (index: number) => ({
      ...STRATEGY,
      id: `s${index}`,
      featureName: 'brought',
      segments: [],
      constraints: [],
    })
    const data = {
      features: [{ name: 'brought', type: 'release' }],
      featureStrategies: [one(0), one(1), one(2)],
      featureEnvironments: [{ name: 'brought', featureName: 'brought', environment: 'development', enabled: true }],
      featureTags: [],
      segments: [],
      tagTypes: [],
      contextFields: [],
    }
    const body = { project: 'default', environment: 'development', data }
    expect(await reject(`POST ${A}/features-batch/import`, body)).toContain(TOO_MANY)
  })

  test('an import of a whole state is rejected', async () => {
    const state = await server.admin(`GET ${A}/state/export`)
    const [strategy] = state.featureStrategies as Record<string, unknown>[]
    const more = [1, 2, 3].map((id) => ({
      ...strategy,
      id: `more-${id}`,
      featureName: 'more',
      environment: 'production',
    }))
    const feature = { ...state.features[0], name: 'more' }
    const environments = [{ featureName: 'more', environment: 'production', enabled: false, variants: [] }]
    const body = {
      ...state,
      features: [feature],
      featureStrategies: more,
      featureEnvironments: environments,
      featureTags: [],
    }
    expect(await reject(`POST ${A}/state/import`, body)).toContain(TOO_MANY)
  })

  test('a promotion is rejected, and so is its preview', async () => {
    await createFlag('promoted', 1)
    await copyStrategies('promoted', MAX_STRATEGIES)
    const promotions = `${P}/environments/production/promotions`
    const wish = { from: 'development', features: ['promoted'], parts: ['strategies'] }
    expect(await reject(`POST ${promotions}/plan`, wish)).toContain(TOO_MANY)
  })

  test('a clone of a flag with more strategies is rejected', async () => {
    await createFlag('original', 1)
    await copyStrategies('original', MAX_STRATEGIES)
    expect(await reject(`POST ${F}/original/clone`, { name: 'copy' })).toContain(TOO_MANY)
  })

  test('a change request is rejected when a change is proposed', async () => {
    await createFlag('proposed', MAX_STRATEGIES)
    const propose = `POST ${P}/environments/development/change-requests`
    const change = (feature: string) => ({ feature, action: 'addStrategy', payload: STRATEGY })
    expect(await reject(propose, change('proposed'), people.as.author.headers)).toContain(TOO_MANY)
  })

  test('a release plan whose milestone adds too many strategies is rejected', async () => {
    await createFlag('planned', 1)
    const milestone = { name: 'all', strategies: [1, 2].map(() => ({ strategyName: 'default', parameters: {} })) }
    const { id } = await server.admin(`POST ${A}/release-plan-templates`, { name: 'Wide', milestones: [milestone] })
    expect(await reject(`POST ${at('planned')}/release-plans`, { templateId: id })).toContain(TOO_MANY)
  })

  test('a release plan progresses even if the next milestone has more strategies', async () => {
    await createFlag('progressing', 1)
    const strategy = { strategyName: 'default', parameters: {} }
    const milestones = [
      { name: 'one', strategies: [strategy], transitionCondition: { intervalMinutes: 10 } },
      { name: 'all', strategies: [strategy, strategy, strategy] },
    ]
    const { id } = await server.admin(`POST ${A}/release-plan-templates`, { name: 'Growing', milestones })
    await server.admin(`POST ${at('progressing')}/release-plans`, { templateId: id })
    await server.admin(`POST ${at('progressing')}/on`)
    now += 11 * 60_000
    await server.server.applyDue()
    expect(await server.admin(`GET ${strategies('progressing')}`)).toHaveLength(4)
  })

  test('a milestone that is started by hand may have more strategies, and exempts nothing else', async () => {
    await createFlag('started', 1)
    const strategy = { strategyName: 'default', parameters: {} }
    const milestones = [
      { name: 'one', strategies: [strategy] },
      { name: 'all', strategies: [strategy, strategy, strategy] },
    ]
    const { id } = await server.admin(`POST ${A}/release-plan-templates`, { name: 'Manual', milestones })
    const plan = await server.admin(`POST ${at('started')}/release-plans`, { templateId: id })
    await server.admin(`POST ${at('started')}/release-plans/${plan.id}/milestones/${plan.milestones[1].id}/start`)
    expect(await server.admin(`GET ${strategies('started')}`)).toHaveLength(4)
    expect(await reject(`POST ${strategies('started')}`, STRATEGY)).toContain(TOO_MANY)
  })
})

describe('other lists', () => {
  test('a flag has at most 100 tags', async () => {
    await createFlag('tagged', 0)
    const tag = (value: number) =>
      server.admin(`POST ${A}/features/tagged/tags`, { type: 'simple', value: `tag-${value}` })
    for (let value = 0; value < 100; value += 1) await tag(value)
    const body = { type: 'simple', value: 'one-more' }
    expect(await reject(`POST ${A}/features/tagged/tags`, body)).toContain('more than 100 tags')
    const bulk = { features: ['tagged'], tags: { addedTags: [body], removedTags: [] } }
    expect(await reject(`PUT ${P}/tags`, bulk)).toContain('more than 100 tags')
  })

  test('a strategy has at most 250 constraints and 500 variants', async () => {
    await createFlag('wide', 0)
    const constraints = Array.from({ length: 251 }, () => ({ contextName: 'userId', operator: 'IN', values: ['1'] }))
    const variants = Array.from({ length: 501 }, (_, index) => ({
      name: `v${index}`,
      weight: 1,
      stickiness: 'default',
    }))
    expect(await reject(`POST ${strategies('wide')}`, { ...STRATEGY, constraints })).toContain('more than 250')
    expect(await reject(`POST ${strategies('wide')}`, { ...STRATEGY, variants })).toContain('more than 500')
  })

  test('the installation has at most 1000 context fields', async () => {
    const { count } = (await server.db.rows('select count(*) as count from context_fields'))[0] ?? {}
    for (let index = Number(count); index < 1000; index += 1) {
      await server.db.rows(
        `insert into context_fields (name, description, stickiness, sort_order, legal_values, created_at)
         values ('field-${index}', null, 0, 10, '[]', 1)`,
      )
    }
    expect(await reject(`POST ${A}/context`, { name: 'one-more' })).toContain('more than 1000 context fields')
  })
})
