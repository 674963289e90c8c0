import type { ReleasePlan } from '@burgee/protocol/administration/release-plan'
import { EVENTS } from '@burgee/protocol/event'
import { GUARDED_EVENTS } from '@burgee/server/admin/change-requests/guard'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startServer, type TestServer } from '../scenario.ts'

/**
 * Tests every write route in an environment that requires change requests. The test calls the routes that could change
 * what SDKs of this environment receive. For all other routes, a table gives the reason why they cannot change it.
 */
let server: TestServer
const PROJECT = '/api/admin/projects/default'
const FEATURES = `${PROJECT}/features`
const PRODUCTION = 'environments/production'
const SHARE = (rollout: string) => ({ name: 'flexibleRollout', parameters: { rollout } })
const VARIANT = { name: 'blue', weight: 1000 }
const USERS = { contextName: 'userId', operator: 'IN', values: ['1'] }

/** Flag that is enabled in production with two strategies, the second with a segment. */
interface Flag {
  readonly name: string
  readonly strategies: readonly string[]
  readonly segment: number
}

type Asked = readonly [path: string, body?: unknown]
type Played = readonly [route: string, ask: (flag: Flag) => Asked | Promise<Asked>]

const F = '/api/admin/projects/:projectId/features/:featureName'
const E = `${F}/environments/:environment`

const PROMOTIONS = '/api/admin/projects/:projectId/environments/:environment/promotions'
const PROMOTED = `${PROJECT}/environments/production/promotions`
const WISH = { from: 'development', parts: ['strategies'] }

async function seenIn(name: string): Promise<{ name: string; seen: string }> {
  const { features } = await server.admin(`POST ${PROMOTED}/plan`, { ...WISH, features: [name] })
  return { name, seen: features[0].seen }
}

/**
 * Calls that callers with only the usual permission may not make. Callers who may skip change requests may make these
 * calls, each of which then writes an event.
 */
const GUARDED: readonly Played[] = [
  [`POST ${E}/off`, ({ name }) => [`${FEATURES}/${name}/${PRODUCTION}/off`]],
  [
    `POST ${E}/on`,
    async ({ name }) => {
      await server.admin(`POST ${FEATURES}/${name}/${PRODUCTION}/off`)
      return [`${FEATURES}/${name}/${PRODUCTION}/on`]
    },
  ],
  [`POST ${E}/self-targeting`, ({ name }) => [`${FEATURES}/${name}/${PRODUCTION}/self-targeting`, { userId: 'ada' }]],
  [
    `DELETE ${E}/self-targeting/:id`,
    async ({ name }) => {
      const overrides = `${FEATURES}/${name}/${PRODUCTION}/self-targeting`
      const { id } = await server.admin(`POST ${overrides}`, { userId: 'ada' })
      return [`${overrides}/${id}`]
    },
  ],
  [`POST ${E}/strategies`, ({ name }) => [`${FEATURES}/${name}/${PRODUCTION}/strategies`, SHARE('1')]],
  [
    `PUT ${E}/strategies/:strategyId`,
    ({ name, strategies: [id] }) => [`${FEATURES}/${name}/${PRODUCTION}/strategies/${id}`, SHARE('2')],
  ],
  [
    `PATCH ${E}/strategies/:strategyId`,
    ({ name, strategies: [id] }) => [
      `${FEATURES}/${name}/${PRODUCTION}/strategies/${id}`,
      [{ op: 'replace', path: '/parameters/rollout', value: '3' }],
    ],
  ],
  [
    `DELETE ${E}/strategies/:strategyId`,
    ({ name, strategies: [id] }) => [`${FEATURES}/${name}/${PRODUCTION}/strategies/${id}`],
  ],
  [
    `POST ${E}/strategies/set-sort-order`,
    ({ name, strategies: [id] }) => [
      `${FEATURES}/${name}/${PRODUCTION}/strategies/set-sort-order`,
      [{ id, sortOrder: 9 }],
    ],
  ],
  [`PUT ${E}/variants`, ({ name }) => [`${FEATURES}/${name}/${PRODUCTION}/variants`, [VARIANT]]],
  [
    `PATCH ${E}/variants`,
    ({ name }) => [`${FEATURES}/${name}/${PRODUCTION}/variants`, [{ op: 'add', path: '/0', value: VARIANT }]],
  ],
  [`PUT ${F}/variants`, ({ name }) => [`${FEATURES}/${name}/variants`, [VARIANT]]],
  [`PATCH ${F}/variants`, ({ name }) => [`${FEATURES}/${name}/variants`, [{ op: 'add', path: '/0', value: VARIANT }]]],
  [
    `PUT ${F}/variants-batch`,
    ({ name }) => [
      `${FEATURES}/${name}/variants-batch`,
      { environments: ['development', 'production'], variants: [VARIANT] },
    ],
  ],
  [`POST ${F}/dependencies`, ({ name }) => [`${FEATURES}/${name}/dependencies`, { feature: 'parent' }]],
  [
    `DELETE ${F}/dependencies`,
    async ({ name }) => {
      await server.admin(`POST ${FEATURES}/${name}/dependencies`, { feature: 'parent' })
      return [`${FEATURES}/${name}/dependencies`]
    },
  ],
  [
    `DELETE ${F}/dependencies/:parent`,
    async ({ name }) => {
      await server.admin(`POST ${FEATURES}/${name}/dependencies`, { feature: 'parent' })
      return [`${FEATURES}/${name}/dependencies/parent`]
    },
  ],
  [`POST ${F}/clone`, ({ name }) => [`${FEATURES}/${name}/clone`, { name: `${name}-copy` }]],
  [`DELETE ${F}`, ({ name }) => [`${FEATURES}/${name}`]],
  ['POST /api/admin/projects/:projectId/archive', ({ name }) => [`${PROJECT}/archive`, { features: [name] }]],
  ['DELETE /openfeature/v0/manifest/flags/:key', ({ name }) => [`/openfeature/v0/manifest/flags/${name}`]],
  ...(['off', 'on'] as const).map(
    (state): Played => [
      `POST /api/admin/projects/:projectId/bulk_features/environments/:environment/${state}`,
      async ({ name }) => {
        if (state === 'on') await server.admin(`POST ${FEATURES}/${name}/${PRODUCTION}/off`)
        return [`${PROJECT}/bulk_features/${PRODUCTION}/${state}`, { features: [name] }]
      },
    ],
  ),
  [`POST ${PROMOTIONS}`, async ({ name }) => [PROMOTED, { ...WISH, features: [await seenIn(name)] }]],
  [
    `POST ${PROMOTIONS}/undo`,
    async ({ name }) => {
      const { name: flag, seen } = await seenIn(name)
      const state = { enabled: false, strategies: [], variants: [] }
      return [`${PROMOTED}/undo`, { features: [{ name: flag, seen: seen.split('.')[1], state }] }]
    },
  ],
  [
    'PUT /api/admin/segments/:segmentId',
    ({ name, segment }) => [
      `/api/admin/segments/${segment}`,
      { name: `of ${name}`, constraints: [{ ...USERS, values: ['2'] }] },
    ],
  ],
  [
    'POST /api/admin/segments/strategies',
    ({ strategies: [strategyId] }) => [
      '/api/admin/segments/strategies',
      { projectId: 'default', environmentId: 'production', strategyId, segmentIds: [1] },
    ],
  ],
  [
    'POST /api/admin/features-batch/import',
    ({ name }) => [
      '/api/admin/features-batch/import',
      {
        project: 'default',
        environment: 'production',
        data: {
          features: [{ name, project: 'default' }],
          featureStrategies: [{ ...SHARE('4'), featureName: name }],
          featureEnvironments: [],
          contextFields: [],
          featureTags: [],
          segments: [],
          tagTypes: [],
        },
      },
    ],
  ],
  ...['release-plans', 'release_plans'].flatMap((spelling): Played[] => [
    [
      `POST ${E}/${spelling}`,
      ({ name }) => [`${FEATURES}/${name}/${PRODUCTION}/${spelling}`, { templateId: template }],
    ],
    [
      `DELETE ${E}/${spelling}/:planId`,
      async ({ name }) => [`${FEATURES}/${name}/${PRODUCTION}/${spelling}/${(await addPlan(name)).id}`],
    ],
  ]),
  [
    `POST ${E}/release-plans/:planId/milestones/:milestoneId/start`,
    async ({ name }) => {
      const { id, milestones } = await addPlan(name)
      return [`${FEATURES}/${name}/${PRODUCTION}/release-plans/${id}/milestones/${milestones[1]?.id}/start`]
    },
  ],
  [`PUT ${E}/safeguards`, ({ name }) => [`${FEATURES}/${name}/${PRODUCTION}/safeguards`, SAFEGUARD]],
  [
    `DELETE ${E}/safeguards/:safeguardId`,
    async ({ name }) => {
      const url = `${FEATURES}/${name}/${PRODUCTION}/safeguards`
      return [`${url}/${(await server.admin(`PUT ${url}`, SAFEGUARD)).id}`]
    },
  ],
  [
    `PUT ${E}/release-plans/:planId/safeguards`,
    async ({ name }) => [
      `${FEATURES}/${name}/${PRODUCTION}/release-plans/${(await addPlan(name)).id}/safeguards`,
      SAFEGUARD,
    ],
  ],
  [
    `DELETE ${E}/release-plans/:planId/safeguards/:safeguardId`,
    async ({ name }) => {
      const url = `${FEATURES}/${name}/${PRODUCTION}/release-plans/${(await addPlan(name)).id}/safeguards`
      return [`${url}/${(await server.admin(`PUT ${url}`, SAFEGUARD)).id}`]
    },
  ],
  [
    `PUT ${E}/progressions/:sourceMilestoneId`,
    async ({ name }) => {
      const [first, second] = (await addPlan(name)).milestones
      const body = { targetMilestone: second?.id, transitionCondition: { intervalMinutes: 60 } }
      return [`${FEATURES}/${name}/${PRODUCTION}/progressions/${first?.id}`, body]
    },
  ],
  [
    `POST ${E}/progressions/:planId/resume`,
    async ({ name }) => {
      const { id } = await addPlan(name)
      const progressions = `${FEATURES}/${name}/${PRODUCTION}/progressions/${id}`
      await server.admin(`POST ${progressions}/pause`)
      return [`${progressions}/resume`]
    },
  ],
  [
    `POST ${F}/history/restoration`,
    async ({ name }) => {
      const { events } = await server.admin(`GET /api/admin/events/${name}`)
      // restores the state before the second strategy was added and the flag was enabled
      const [{ id: last }] = events
      const { id: event } = events.findLast(({ type }: { type: string }) => type === 'feature-strategy-add')
      return [`${FEATURES}/${name}/history/restoration`, { event, environments: ['production'], lastEventId: last }]
    },
  ],
]

/**
 * Routes that only administrators may call. Administrators may skip reviews, so no call to these routes is rejected.
 */
const SKIPPED: readonly Played[] = [
  [`POST ${F}/changeProject`, ({ name }) => [`${FEATURES}/${name}/changeProject`, { newProjectId: 'other' }]],
  [
    'POST /api/admin/state/import',
    async ({ name }) => {
      const document = await server.admin('GET /api/admin/state/export')
      const features = document.features.filter((one: { name: string }) => one.name === name)
      const renamed = (one: { name?: string; featureName?: string }) =>
        JSON.parse(JSON.stringify(one).replaceAll(name, `${name}-again`))
      const own = (one: { featureName: string }) => one.featureName === name
      return [
        '/api/admin/state/import?keep=true',
        {
          version: document.version,
          features: features.map(renamed),
          featureStrategies: document.featureStrategies.filter(own).map(renamed),
          featureEnvironments: document.featureEnvironments.filter(own).map(renamed),
          projects: [],
          tags: [],
          tagTypes: [],
          featureTags: [],
          environments: document.environments,
          segments: [],
          featureStrategySegments: [],
        },
      ]
    },
  ],
  [
    'DELETE /api/admin/projects/:projectId/environments/:environment',
    () => ['/api/admin/projects/other/environments/production'],
  ],
]

/** Reasons why all other routes cannot enable or disable anything in the environment, each with patterns of routes. */
const OTHERS: Readonly<Record<string, readonly RegExp[]>> = {
  'changes by change request are what it takes': [/\/change-requests\b/, /\/config\/apply$/],
  'nothing of flags: people, tokens, settings, integrations': [
    /^(POST|PUT|DELETE|PATCH) (\/auth|\/invite|\/scim|\/feedback|\/api\/admin\/(user|user-admin|users|auth|roles?|groups?|service-account|scim-settings|addons|api-tokens|invite-link|maintenance|ui-config|feedback|splash|record-ui-error|banners|license|impact-metrics|notifications|context|constraints|strategies|tag-types|tags|feature-types|metrics|telemetry|events|playground)\b)/,
    /\/api\/admin\/projects\/:projectId\/(api-tokens|test-runs|users|groups|role|roles|access|tags|favorites|settings)\b/,
    /\/api\/admin\/features\/:featureName\/tags/,
    /\/(favorites|link)\b/,
  ],
  'brings new flags, and none where changes come by change request only': [/^POST \/api\/admin\/imports$/],
  'agents never skip change requests': [/^(POST|DELETE) \/mcp$/, /^PUT \/api\/admin\/agents\/limits\b/],
  'code references are facts about source code': [/^(POST|PUT|PATCH|DELETE) \/api\/v2\/code-refs\b/],
  'asked by SDKs, or told by them': [/^POST (\/api\/(client|frontend|proxy)|\/edge|\/ofrep)\b/],
  'nothing is there': [/ \/api\/\*$/],
  'only asks': [
    /\/validate$/,
    /\/impact$/,
    /\/(imports|promotions|config)\/plan$/,
    /\/restoration\/preview$/,
    /features-batch\/export$/,
  ],
  'a new flag, and one that is brought back, is off': [
    /^POST \/api\/admin\/projects\/:projectId\/features$/,
    /\/revive\b/,
    /^POST \/openfeature\/\S+\/flags$/,
  ],
  'archived ones are in no download': [
    /^DELETE \/api\/admin\/archive/,
    /^POST \/api\/admin\/projects\/:projectId\/delete$/,
  ],
  'description, type, marks, comments and declared defaults decide nothing': [
    /^(PUT|PATCH) \/api\/admin\/projects\/:projectId\/features\/:featureName$/,
    /\/stale$/,
    /\/snooze$/,
    /\/features\/:featureName\/comments\b/,
    /\/lifecycle\/(un)?complete$/,
    /^PUT \/openfeature\/\S+\/flags\/:key$/,
  ],
  'projects are put away and removed without flags; their rules are for new ones': [
    /^(POST|PUT|DELETE) \/api\/admin\/projects(\/:projectId|\/archive\/:projectId|\/revive\/:projectId)?$/,
  ],
  'environments that nobody uses yet, their order, and what flags get by default when they are turned on': [
    /\/api\/admin\/environments\b/,
    /^POST \/api\/admin\/projects\/:projectId\/environments$/,
    /default-strategy$/,
  ],
  'a segment that no strategy uses yet, or any more': [
    /^POST \/api\/admin\/segments$/,
    /^DELETE \/api\/admin\/segments\/:segmentId$/,
  ],
  'safeguards decide what an alert does, and the server itself performs it': [/ \/api\/(admin\/)?signal-endpoint/],
  'charts show values, and decide nothing': [/\/impact-metrics\/config\b/],
  'templates are copied when a plan is added': [/ \/api\/admin\/release-plan-templates\b/],
  'stops automatic starts of milestones': [
    /^DELETE \S+\/progressions\/:sourceMilestoneId$/,
    /\/progressions\/:planId\/pause$/,
  ],
  'the same manifest at a second address': [/manifest\/openfeature\/v0\/manifest/],
}

const flags = new Map<string, Flag>()
/** Safeguard that waits for an alert. */
const SAFEGUARD = {
  impactMetric: { metricName: 'HighErrorRate', source: 'alert' },
  action: { type: 'disableEnvironment' },
}

/** Id of a release template with two milestones. */
let template = ''

/** Adds a release plan to a flag as the administrator, who may skip the review, and returns the plan. */
async function addPlan(name: string): Promise<ReleasePlan> {
  const plans = `${FEATURES}/${name}/${PRODUCTION}/release-plans`
  const [known] = await server.admin(`GET ${plans}`)
  return known ?? server.admin(`POST ${plans}`, { templateId: template })
}

async function makeFlag(route: string, index: number): Promise<void> {
  const name = `flag-${index}`
  await server.admin(`POST ${FEATURES}`, { name })
  const strategies = `POST ${FEATURES}/${name}/${PRODUCTION}/strategies`
  const { id: segment } = await server.admin('POST /api/admin/segments', { name: `of ${name}`, constraints: [USERS] })
  const first = await server.admin(strategies, SHARE('50'))
  const isMoved = route.endsWith('/changeProject')
  const second = await server.admin(strategies, { ...SHARE('60'), ...(isMoved ? {} : { segments: [segment] }) })
  await server.admin(`POST ${FEATURES}/${name}/${PRODUCTION}/on`)
  flags.set(route, { name, strategies: [first.id, second.id], segment })
}

beforeAll(async () => {
  server = await startServer()
  const strategies = [{ strategyName: 'flexibleRollout', parameters: { rollout: '10' } }]
  const milestones = [
    { name: 'first', strategies },
    { name: 'second', strategies },
  ]
  template = (await server.admin('POST /api/admin/release-plan-templates', { name: 'two', milestones })).id
  await server.admin('POST /api/admin/projects', { id: 'other', name: 'Other' })
  await server.admin(`POST ${FEATURES}`, { name: 'parent' })
  for (const [index, [route]] of [...GUARDED, ...SKIPPED].entries()) await makeFlag(route, index)
  for (const project of ['default', 'other']) {
    const config = `PUT /api/admin/projects/${project}/environments/production/change-requests/config`
    await server.admin(config, { changeRequestsEnabled: true })
  }
})
afterAll(() => server.close())

const download = async () => (await server.call({ as: 'production', call: 'GET /api/client/features' })).json()

async function asked([route, ask]: Played) {
  const flag = flags.get(route)
  if (flag === undefined) throw new Error(`There is no flag for ${route}`)
  const [path, body] = await ask(flag)
  return { call: `${route.split(' ', 1)[0]} ${path}`, ...(body === undefined ? {} : { body }) }
}

describe('a direct change', () => {
  test.each(GUARDED)('gets refused without any effect: %s', async (...row) => {
    const request = await asked(row)
    const [before, last] = [await download(), await server.lastEventId()]
    const reply = await server.call({ ...request, as: 'editor' })
    expect(reply.statusCode, reply.body).toBe(403)
    expect(reply.json().message ?? reply.json().error.message).toContain('requires change requests')
    expect(await server.eventsAfter(last)).toEqual([])
    expect(await download()).toEqual(before)
  })

  test.each([...GUARDED, ...SKIPPED])('succeeds for actors who may skip, with an event: %s', async (...row) => {
    const request = await asked(row)
    const last = await server.lastEventId()
    const reply = await server.call({ ...request, as: 'admin' })
    expect(reply.statusCode, reply.body).toBeLessThan(300)
    const events = await server.eventsAfter(last)
    expect(events).toContain('change-request-skipped')
    expect(events.length).toBeGreaterThan(1)
  })

  test('does not include reviving a flag that was archived while it was on', async () => {
    await server.admin(`POST ${FEATURES}`, { name: 'comes-back' })
    await server.admin(`POST ${FEATURES}/comes-back/${PRODUCTION}/on`)
    await server.admin(`DELETE ${FEATURES}/comes-back`)
    const last = await server.lastEventId()
    const body = { features: ['comes-back'] }
    expect((await server.call({ as: 'editor', call: `POST ${PROJECT}/revive`, body })).statusCode).toBe(200)
    expect(await server.eventsAfter(last)).toEqual(['feature-revived', 'feature-environment-disabled'])
  })

  test('does not include deleting an archived parent of archived children', async () => {
    for (const name of ['old-parent', 'old-child']) await server.admin(`POST ${FEATURES}`, { name })
    await server.admin(`POST ${FEATURES}/old-child/dependencies`, { feature: 'old-parent' })
    await server.db.rows("update features set archived_at = 1 where name in ('old-parent', 'old-child')")
    const last = await server.lastEventId()
    const reply = await server.call({ as: 'editor', call: 'DELETE /api/admin/archive/old-parent' })
    expect(reply.statusCode, reply.body).toBe(200)
    expect(await server.eventsAfter(last)).toEqual(['feature-dependency-removed', 'feature-deleted'])
    expect((await server.call({ as: 'editor', call: 'DELETE /api/admin/archive/old-child' })).statusCode).toBe(200)
  })

  test('does not include changing a segment that only archived flags use', async () => {
    const { id } = await server.admin('POST /api/admin/segments', { name: 'of the archive', constraints: [USERS] })
    await server.admin(`POST ${FEATURES}`, { name: 'archived' })
    await server.admin(`POST ${FEATURES}/archived/${PRODUCTION}/strategies`, { ...SHARE('50'), segments: [id] })
    await server.admin(`DELETE ${FEATURES}/archived`)
    const body = { name: 'of the archive', constraints: [{ ...USERS, inverted: true }] }
    expect((await server.call({ as: 'editor', call: `PUT /api/admin/segments/${id}`, body })).statusCode).toBe(204)
  })

  test('records the actor, the change and the place', async () => {
    const place = `${FEATURES}/parent/${PRODUCTION}`
    await server.admin(`POST ${place}/on`)
    const { events } = await server.admin('GET /api/admin/events/parent')
    expect(events[0]).toMatchObject({
      type: 'change-request-skipped',
      project: 'default',
      environment: 'production',
      createdBy: expect.any(String),
      data: { events: ['feature-strategy-add', 'feature-environment-enabled'], features: ['parent'] },
    })
  })
})

test('every write route is in the table, or in a list with the reason why not', () => {
  const played = new Set([...GUARDED, ...SKIPPED].map(([route]) => route))
  const reasons = Object.values(OTHERS).flat()
  const routes = server.server.routes
    .filter(({ method }) => method !== 'GET')
    .map(({ method, url }) => `${method} ${url}`)
  const open = routes.filter((route) => !played.has(route) && !reasons.some((reason) => reason.test(route)))
  expect(open.filter((route) => route !== 'POST /logout')).toEqual([])
  expect([...played].filter((route) => !routes.includes(route))).toEqual([])
  expect(reasons.filter((reason) => !routes.some((route) => reason.test(route)))).toEqual([])
})

/** Reasons why the following events need no change request, although SDKs receive changed data. */
const HARMLESS: Readonly<Record<string, string>> = {
  'feature-created': 'off everywhere',
  'feature-revived': 'off everywhere',
  'feature-metadata-updated': 'decides nothing',
  'feature-stale-on': 'decides nothing',
  'feature-stale-off': 'decides nothing',
  'feature-tagged': 'decides nothing',
  'feature-untagged': 'decides nothing',
  'tag-deleted': 'decides nothing',
  'tag-type-deleted': 'decides nothing',
  'segment-created': 'nobody uses it',
  'project-deleted': 'has no flags',
  'project-environment-added': 'flags are off there',
  'environment-deleted': 'nobody uses it',
  'instance-imported': 'brings new flags, and none where changes come by change request only',
}

/**
 * Events whose changes affect SDKs only later: a milestone starts at another time, or a safeguard does not step back.
 */
const LATER = [
  'milestone-progression-created',
  'milestone-progression-updated',
  'release-plan-progressions-resumed',
  'safeguard-changed',
  'safeguard-deleted',
]

test('every event by which SDKs get something new is guarded, or harmless', () => {
  const reaching = Object.entries(EVENTS).flatMap(([type, isForSdks]) => (isForSdks ? [type] : []))
  reaching.push(...LATER)
  expect([...GUARDED_EVENTS, ...Object.keys(HARMLESS)].sort()).toEqual(reaching.sort())
})
