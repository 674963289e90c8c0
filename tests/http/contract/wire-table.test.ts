import { afterAll, beforeAll, describe, expect } from 'vitest'
import { type Scenario, scenarios, startServer, type TestServer } from '../scenario.ts'

/**
 * The Unleash admin API, operation by operation: path, body, status, minimum reply and events, in the order of a flag's
 * lifecycle. Intentional differences are listed in docs/compatibility-server/differences.md.
 */
let server: TestServer
const A = '/api/admin'
const P = `${A}/projects/default`
const F = `${P}/features`
const E = `${F}/f/environments/development`
const ANY = expect.toSatisfy((value) => value !== undefined)
const keys = (text: string) => Object.fromEntries(text.split(' ').map((key) => [key, ANY]))

const FEATURE = keys('name type description project stale impressionData createdAt archived environments dependencies')
const LISTED = keys('name type description project stale impressionData createdAt environments')
const STRATEGY = keys('id name constraints parameters variants segments title disabled sortOrder')
const ROLLOUT = { name: 'flexibleRollout', parameters: { rollout: '50' } }
const RED = { type: 'simple', value: 'red' }

beforeAll(async () => {
  server = await startServer({ simpleLoginLimitPerMinute: 1000 })
})
afterAll(() => server.close())

type Row = Omit<Scenario, 'name'>
/** Creates a table row whose expected status is 200. Without `has`, the reply must be empty. */
const row = (call: string, { status = 200, ...more }: Partial<Row> = {}): Scenario => ({
  name: call,
  as: 'admin',
  call,
  status,
  ...(more.has === undefined && more.text === undefined ? { empty: true as const } : {}),
  ...more,
})
const get = (path: string, has: object) => row(`GET ${path}`, { has })

describe('flags', () => {
  scenarios(
    () => server,
    [
      row(`POST ${F}`, {
        body: { name: 'f', type: 'experiment', description: 'd', impressionData: true, tags: [RED] },
        status: 201,
        has: { ...FEATURE, name: 'f', type: 'experiment', impressionData: true },
        events: ['feature-created', 'tag-created', 'feature-tagged'],
      }),
      get(`${F}/f`, {
        ...FEATURE,
        favorite: false,
        children: [],
        lastSeenAt: null,
        variants: [],
        environments: [keys('name enabled type sortOrder strategies lastSeenAt'), {}],
      }),
      get(`${F}?tag=simple:red&namePrefix=f`, {
        version: 2,
        features: [{ ...LISTED, environments: [keys('hasStrategies hasEnabledStrategies variantCount'), {}] }],
      }),
      get(`${A}/projects/nope/features`, { version: 2, features: [] }),
      row(`PUT ${F}/f`, {
        body: { description: 'e', type: 'release' },
        has: { ...FEATURE, description: 'e', type: 'release', impressionData: true },
        events: ['feature-metadata-updated'],
      }),
      row(`PUT ${F}/f`, { body: { name: 'other' }, status: 400, text: 'name' }),
      row(`PATCH ${F}/f`, {
        body: [
          { op: 'replace', path: '/stale', value: true },
          { op: 'replace', path: '/description', value: 'f' },
        ],
        has: { stale: true },
        events: ['feature-metadata-updated', 'feature-stale-on'],
      }),
      row(`POST ${P}/stale`, { body: { features: ['f'], stale: false }, status: 202, events: ['feature-stale-off'] }),
      row(`POST ${F}/f/clone`, { body: { name: 'copy' }, status: 201, has: FEATURE, events: ['feature-created'] }),
      row(`POST ${E}/on`, { text: 'addedStrategyId', events: ['feature-strategy-add', 'feature-environment-enabled'] }),
      row(`POST ${E}/on`, { text: 'strategies' }),
      row(`POST ${E}/off`, { events: ['feature-environment-disabled'] }),
      row(`POST ${F}/f/environments/nope/on`, { status: 404, text: 'nope' }),
      row(`POST ${P}/bulk_features/environments/production/on`, {
        body: { features: ['f', 'copy'] },
        events: [
          'feature-strategy-add',
          'feature-environment-enabled',
          'feature-strategy-add',
          'feature-environment-enabled',
        ],
      }),
      row(`POST ${P}/bulk_features/environments/production/off`, {
        body: { features: ['f', 'copy'] },
        events: ['feature-environment-disabled', 'feature-environment-disabled'],
      }),
    ],
  )
})

describe('strategies and variants', () => {
  scenarios(
    () => server,
    [
      row(`POST ${E}/strategies`, { body: ROLLOUT, has: STRATEGY, events: ['feature-strategy-add'] }),
      row(`GET ${E}/strategies`, { has: [STRATEGY, STRATEGY] }),
      row(`POST ${E}/strategies`, { body: { name: 'nope' }, status: 400, text: 'nope' }),
      row(`POST ${E}/strategies`, { body: { ...ROLLOUT, segments: [9] }, status: 404, text: '9' }),
      row(`GET ${E}/strategies/nope`, { status: 404, text: 'nope' }),
      row(`PUT ${E}/strategies/nope`, { body: ROLLOUT, status: 404, text: 'nope' }),
      row(`DELETE ${E}/strategies/nope`, { status: 404, text: 'nope' }),
      row(`PUT ${E}/variants`, {
        body: [{ name: 'v', weight: 1000 }],
        has: { version: 1, variants: [{ name: 'v', weight: 1000, weightType: 'variable' }] },
        events: ['feature-environment-variants-updated'],
      }),
      get(`${E}/variants`, { version: 1, variants: [{ name: 'v' }] }),
      row(`PATCH ${E}/variants`, {
        body: [{ op: 'remove', path: '/0' }],
        has: { version: 1, variants: [] },
        events: ['feature-environment-variants-updated'],
      }),
      row(`PUT ${F}/f/variants-batch`, {
        body: { environments: ['development', 'production'], variants: [{ name: 'w', weight: 1000 }] },
        has: { version: 1, variants: [{ name: 'w' }] },
        events: ['feature-environment-variants-updated', 'feature-environment-variants-updated'],
      }),
    ],
  )
})

describe('dependencies', () => {
  const forbidden = { status: 403, has: { name: 'InvalidOperationError' } }
  scenarios(
    () => server,
    [
      row(`POST ${F}/f/dependencies`, { body: { feature: 'copy' }, events: ['feature-dependency-added'] }),
      row(`POST ${F}/f/dependencies`, {
        body: { feature: 'copy', enabled: false, variants: ['w'] },
        events: ['feature-dependency-added'],
      }),
      get(`${F}/f`, { dependencies: [{ feature: 'copy', enabled: false, variants: [] }] }),
      get(`${F}/copy`, { children: ['f'] }),
      get(`${F}/copy/parents`, expect.any(Array) as unknown as object),
      get(`${F}/f/parent-variants`, expect.any(Array) as unknown as object),
      row(`GET ${P}/dependencies`, { text: 'true' }),
      row(`POST ${F}/f/dependencies`, { body: { feature: 'f' }, ...forbidden }),
      row(`POST ${F}/f/dependencies`, { body: { feature: 'nope' }, ...forbidden }),
      row(`POST ${F}/copy/dependencies`, { body: { feature: 'f' }, ...forbidden }),
      row(`DELETE ${F}/copy`, forbidden),
      row(`DELETE ${F}/f/dependencies/copy`, { events: ['feature-dependency-removed'] }),
      row(`POST ${F}/f/dependencies`, { body: { feature: 'copy' }, events: ['feature-dependency-added'] }),
      row(`DELETE ${F}/f/dependencies`, { events: ['feature-dependencies-removed'] }),
    ],
  )
})

describe('favourites and tags', () => {
  const T = `${A}/features/f/tags`
  scenarios(
    () => server,
    [
      { ...row(`POST ${F}/f/favorites`, { body: {}, events: ['feature-favorited'] }), as: 'editor' },
      { ...row(`DELETE ${F}/f/favorites`, { events: ['feature-unfavorited'] }), as: 'editor' },
      { ...row(`POST ${P}/favorites`, { body: {}, events: ['project-favorited'] }), as: 'editor' },
      { ...row(`DELETE ${P}/favorites`, { events: ['project-unfavorited'] }), as: 'editor' },
      row(`POST ${T}`, {
        body: { type: 'simple', value: 'blue' },
        status: 201,
        has: keys('type value'),
        events: ['tag-created', 'feature-tagged'],
      }),
      row(`POST ${T}`, { body: { type: 'simple', value: 'blue' }, status: 201, has: keys('type value') }),
      row(`POST ${T}`, { body: { type: 'nope', value: 'blue' }, status: 400, text: 'nope' }),
      row(`POST ${T}`, { body: { type: 'simple', value: 'b' }, status: 400, text: 'value' }),
      get(T, { version: 1, tags: [{ value: 'blue' }, { value: 'red' }] }),
      row(`PUT ${T}`, {
        body: { addedTags: [], removedTags: [{ type: 'simple', value: 'blue' }] },
        has: { version: 1, tags: [RED] },
        events: ['feature-untagged'],
      }),
      row(`DELETE ${T}/simple/red`, { events: ['feature-untagged'] }),
      get(`${A}/tags`, { version: 1, tags: [{}, {}] }),
      get(`${A}/tags/simple`, { version: 1, tags: [{}, {}] }),
      get(`${A}/tags/simple/red`, { version: 1, tag: RED }),
      row(`POST ${A}/tags`, {
        body: { type: 'simple', value: 'green' },
        status: 201,
        has: { version: 1, tag: keys('type value') },
        events: ['tag-created'],
      }),
      row(`POST ${A}/tags`, { body: { type: 'simple', value: 'green' }, status: 409, has: keys('id name message') }),
      row(`DELETE ${A}/tags/simple/green`, { events: ['tag-deleted'] }),
      row(`POST ${A}/tag-types`, {
        body: { name: 'team' },
        status: 201,
        has: keys('name'),
        events: ['tag-type-created'],
      }),
      get(`${A}/tag-types`, { version: 1, tagTypes: [{}, {}] }),
      get(`${A}/tag-types/team`, { version: 1, tagType: { name: 'team' } }),
      row(`PUT ${A}/tag-types/team`, { body: { description: 'd' }, events: ['tag-type-updated'] }),
      row(`POST ${A}/tag-types/validate`, { body: { name: 'free' }, has: { valid: true, tagType: { name: 'free' } } }),
      row(`POST ${A}/tag-types/validate`, { body: { name: 'team' }, status: 409, text: 'team' }),
      row(`DELETE ${A}/tag-types/team`, { events: ['tag-type-deleted'] }),
    ],
  )
})

describe('archive', () => {
  scenarios(
    () => server,
    [
      row(`POST ${P}/archive/validate`, {
        body: { features: ['f'] },
        has: { parentsWithChildFeatures: [], hasDeletedDependencies: false },
      }),
      row(`DELETE ${F}/f`, { status: 202, events: ['feature-archived'] }),
      row(`DELETE ${F}/f`, { status: 202 }),
      row(`POST ${P}/archive`, { body: { features: ['copy'] }, status: 202, events: ['feature-archived'] }),
      get(`${A}/archive/features`, { version: 2, features: [{ name: 'copy' }, { name: 'f', archivedAt: ANY }] }),
      get(`${A}/archive/features/default`, { features: [{}, {}] }),
      get(`${A}/features`, { version: 2, features: [] }),
      row(`POST ${A}/archive/revive/f`, { body: {}, events: ['feature-revived'] }),
      row(`DELETE ${A}/archive/f`),
      row(`DELETE ${A}/archive/nope`, { status: 404, text: 'nope' }),
      row(`POST ${P}/revive`, { body: { features: ['copy'] }, events: ['feature-revived'] }),
      row(`POST ${P}/archive`, { body: { features: ['copy'] }, status: 202, events: ['feature-archived'] }),
      row(`POST ${P}/delete`, { body: { features: ['copy'] }, events: ['feature-deleted'] }),
      get(`${A}/events/copy`, { version: 1, toggleName: 'copy', totalEvents: ANY, events: ANY }),
    ],
  )
})

describe('segments, constraints, context fields, types', () => {
  const S = `${A}/segments`
  const C = `${A}/context`
  const T = `${A}/strategies`
  const constraint = { contextName: 'userId', operator: 'IN', values: ['1'] }
  scenarios(
    () => server,
    [
      row(`POST ${S}`, {
        body: { name: 's', constraints: [constraint] },
        status: 201,
        has: keys('id name description constraints createdBy createdAt project'),
        events: ['segment-created'],
      }),
      get(S, { segments: [{ id: 1, usedInProjects: 0, usedInFeatures: 0 }] }),
      get(`${S}/1`, keys('id name constraints')),
      get(`${S}/1/strategies`, { strategies: [] }),
      row(`POST ${S}/validate`, { body: { name: 't' }, status: 204 }),
      row(`POST ${S}/validate`, { body: { name: 's' }, status: 409, text: 's' }),
      row(`PUT ${S}/1`, { body: { name: 't', constraints: [] }, status: 204, events: ['segment-updated'] }),
      row(`POST ${E}/strategies`, {
        body: { ...ROLLOUT, segments: [1] },
        has: { segments: [1] },
        events: ['feature-strategy-add'],
      }),
      row(`DELETE ${S}/1`, { status: 409, text: 'in use' }),
      row(`DELETE ${S}/99`, { status: 404, text: '99' }),
      row(`POST ${A}/constraints/validate`, { body: constraint, status: 204 }),
      row(`POST ${A}/constraints/validate`, {
        body: { ...constraint, operator: 'NUM_GT', value: 'x' },
        status: 400,
        text: 'number',
      }),
      row(`POST ${C}`, {
        body: { name: 'plan', legalValues: [{ value: 'free', description: 'd' }] },
        status: 201,
        has: {
          ...keys('name description stickiness sortOrder createdAt'),
          legalValues: [{ value: 'free', description: 'd' }],
        },
        events: ['context-field-created'],
      }),
      row(`GET ${C}`, {
        has: expect.arrayContaining([expect.objectContaining({ name: 'appName', usedInFeatures: 0 })]),
      }),
      get(`${C}/plan`, keys('name usedInProjects usedInFeatures')),
      get(`${C}/plan/strategies`, { strategies: [] }),
      row(`POST ${C}/validate`, { body: { name: 'free' } }),
      row(`POST ${C}/validate`, { body: { name: 'plan' }, status: 409, text: 'plan' }),
      row(`PUT ${C}/plan`, { body: { description: 'd' }, events: ['context-field-updated'] }),
      row(`DELETE ${C}/plan`, { events: ['context-field-deleted'] }),
      row(`POST ${T}`, {
        body: { name: 'own', parameters: [{ name: 'p', type: 'list', description: 'd', required: true }] },
        status: 201,
        has: { ...keys('name editable deprecated parameters displayName description'), editable: true },
        events: ['strategy-created'],
      }),
      get(T, { version: 1, strategies: ANY }),
      get(`${T}/own`, keys('name editable')),
      row(`PUT ${T}/own`, { body: { parameters: [] }, events: ['strategy-updated'] }),
      row(`POST ${T}/own/deprecate`, { body: {}, events: ['strategy-deprecated'] }),
      row(`POST ${T}/own/reactivate`, { body: {}, events: ['strategy-reactivated'] }),
      row(`DELETE ${T}/own`, { events: ['strategy-deleted'] }),
      get(`${A}/feature-types`, {
        version: 1,
        types: [
          { id: 'release', lifetimeDays: 40 },
          { id: 'experiment', lifetimeDays: 40 },
          { id: 'operational', lifetimeDays: 7 },
          { id: 'kill-switch', lifetimeDays: null },
          { id: 'permission', lifetimeDays: null },
        ],
      }),
      row(`PUT ${A}/feature-types/release/lifetime`, {
        body: { lifetimeDays: 41 },
        has: { id: 'release', lifetimeDays: 41 },
        events: ['feature-type-updated'],
      }),
    ],
  )
})

describe('environments and projects', () => {
  scenarios(
    () => server,
    [
      get(`${A}/environments`, {
        version: 1,
        environments: [keys('name type sortOrder enabled protected projectCount apiTokenCount enabledToggleCount'), {}],
      }),
      get(`${A}/environments/production`, keys('name type enabled')),
      get(`${A}/environments/project/default`, { version: 1, environments: ANY }),
      row(`PUT ${A}/environments/sort-order`, {
        body: { production: 7 },
        events: ['environment-updated'],
      }),
      row(`POST ${A}/environments/production/off`, { status: 204, events: ['environment-updated'] }),
      row(`POST ${A}/environments/production/on`, { status: 204, events: ['environment-updated'] }),
      row(`DELETE ${P}/environments/production`, { events: ['project-environment-removed'] }),
      row(`POST ${P}/environments`, { body: { environment: 'production' }, events: ['project-environment-added'] }),
      row(`POST ${P}/environments`, { body: { environment: 'production' }, status: 409, text: 'production' }),
      row(`POST ${P}/environments/production/default-strategy`, {
        body: ROLLOUT,
        has: keys('name parameters constraints segments'),
        events: ['default-strategy-updated'],
      }),
      row(`POST ${A}/projects`, {
        body: { id: 'p', name: 'P', description: 'd', mode: 'open', defaultStickiness: 'userId' },
        status: 201,
        has: keys('id name description mode defaultStickiness'),
        events: ['project-created'],
      }),
      get(`${A}/projects`, { version: 1, projects: [{ id: 'default' }, { id: 'p' }] }),
      get(
        `${A}/projects/p/overview`,
        keys('version name description mode defaultStickiness health members stats environments'),
      ),
      get(`${A}/projects/p/health-report`, keys('health features activeCount staleCount potentiallyStaleCount')),
      get(`${A}/projects/p/insights`, keys('stats health leadTime members featureTypeCounts')),
      get(`${A}/projects/p/access`, keys('users roles groups')),
      row(`PUT ${A}/projects/p`, { body: { name: 'Q' }, events: ['project-updated'] }),
      row(`DELETE ${A}/projects/p`, { events: ['project-deleted'] }),
    ],
  )
})

describe('search, events, usage', () => {
  const EVENT = keys('id type createdBy createdAt createdByUserId data preData tags featureName project environment')
  scenarios(
    () => server,
    [
      get(`${A}/search/features?query=f&project=IS:default&type=IS:release&archived=IS:false&limit=1`, {
        features: [LISTED],
        total: 1,
      }),
      get(`${A}/events?project=default`, { version: 1, events: expect.any(Array), totalEvents: ANY }),
      row(`POST ${A}/events/search`, {
        body: { feature: 'f', limit: 1 },
        has: { version: 1, events: [{ ...EVENT, featureName: 'f' }], totalEvents: ANY },
      }),
      get(`${A}/search/events?type=IS:feature-created&feature=IS:f`, { events: [{ ...EVENT }], total: 1 }),
      get(`${A}/metrics/applications`, { applications: [], total: 0 }),
      row(`POST ${A}/metrics/applications/app`, { body: { description: 'd' }, status: 202 }),
      get(`${A}/metrics/applications/app`, keys('appName strategies instances seenToggles')),
      get(`${A}/metrics/applications/app/overview`, keys('projects featureCount environments issues')),
      get(`${A}/metrics/instances/app/environment/development`, { instances: [] }),
      get(`${A}/metrics/sdks/outdated`, { sdks: [] }),
      row(`DELETE ${A}/metrics/applications/app`),
      get(`${A}/client-metrics/features/f/raw?hoursBack=2`, { version: 1, maturity: 'stable', data: [] }),
      get(`${A}/client-metrics/features/f`, keys('version maturity lastHourUsage seenApplications')),
    ],
  )
})
