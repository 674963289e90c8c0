import {
  ClientMetricsBulk,
  ClientRegistration,
  FlatLookup,
  LookupToggles,
  ServerMetrics,
} from '@burgee/protocol/evaluation'

/** Bodies that SDKs of all languages send. Null stands for a value that the SDK omits. */

const TIMES = { start: '2026-11-27T10:00:00Z', stop: '2026-11-27T10:01:00Z' }
const REGISTRATION = { appName: 'app', interval: 15, started: '2026-11-27T10:00:00Z', strategies: ['default'] }
const METRICS = { appName: 'app', bucket: { ...TIMES, toggles: { on: { yes: 1, no: 0, variants: {} } } } }

type Row = readonly [name: string, body: object]

/** The parts of a schema that show which properties are optional. */
interface Shape {
  readonly properties?: Readonly<Record<string, Shape>>
  readonly patternProperties?: Readonly<Record<string, Shape>>
  readonly required?: readonly string[]
  readonly items?: Shape
}

/** Returns one copy of the body for each property that its schema makes optional, with null as its value. */
function withNulls(what: string, schema: object, body: object): Row[] {
  return [...optionalPaths(schema as Shape, body)].map((path) => {
    const copy = structuredClone(body)
    const last = path.slice(0, -1).reduce((part, name) => part[name] as Parts, copy as Parts)
    last[path.at(-1) as string] = null
    return [`${what} with null for ${path.join('.')}`, copy] as const
  })
}

type Parts = Record<string, unknown>

function* optionalPaths(shape: Shape, value: unknown): Generator<string[]> {
  if (typeof value !== 'object' || value === null) return
  const [members] = Object.values(shape.patternProperties ?? {})
  for (const [name, part] of Object.entries(value)) {
    const own = shape.properties?.[name] ?? shape.items ?? members
    if (own === undefined) continue
    const isNamed = shape.properties?.[name] !== undefined
    if (isNamed ? !shape.required?.includes(name) : members !== undefined) yield [name]
    for (const path of optionalPaths(own, part)) yield [name, ...path]
  }
}

/** Properties that SDKs send and the server ignores. */
const UNREAD = {
  connectionId: null,
  sdkVersion: null,
  sdkType: null,
  yggdrasilVersion: null,
  platformName: null,
  platformVersion: null,
  specVersion: null,
  metadata: null,
  connectVia: null,
  projects: null,
  impactMetrics: null,
}
const FULL_METRICS = {
  appName: 'app',
  instanceId: 'one',
  environment: 'development',
  bucket: { ...TIMES, toggles: { on: { yes: 1, no: 0, variants: { a: 1 } } } },
}
const FULL_REGISTRATION = { ...REGISTRATION, instanceId: 'one', sdkVersion: 'sdk:1' }

/** Bodies of `POST …/register`. */
export const REGISTRATIONS: readonly Row[] = [
  ...withNulls('a registration', ClientRegistration, FULL_REGISTRATION),
  ['a registration with null for all that nobody reads', { ...FULL_REGISTRATION, ...UNREAD }],
  ['a registration', REGISTRATION],
  ['a registration with null for each optional part', { ...REGISTRATION, instanceId: null, sdkVersion: null }],
  ['a registration with null for parts that nobody reads', { ...REGISTRATION, environment: null, connectionId: null }],
  ['a registration with null for its strategies', { ...REGISTRATION, strategies: null }],
  ['a registration whose strategies are objects', { ...REGISTRATION, strategies: [{ name: 'custom-a' }] }],
]

const counted = (counts: unknown) => ({ ...METRICS, bucket: { ...TIMES, toggles: { on: counts } } })

/** Bodies of `POST …/metrics`. */
export const REPORTS: readonly Row[] = [
  ...withNulls('counts', ServerMetrics, FULL_METRICS),
  ['counts with null for all that nobody reads', { ...FULL_METRICS, ...UNREAD }],
  ['counts', METRICS],
  ['counts without a bucket', { appName: 'app' }],
  ['counts with null for a bucket', { appName: 'app', bucket: null }],
  ['counts with null for each optional part', { ...METRICS, instanceId: null, environment: null }],
  ['counts with null for flags', { ...METRICS, bucket: { ...TIMES, toggles: null } }],
  ['counts with a list for no flags', { ...METRICS, bucket: { ...TIMES, toggles: [] } }],
  ['counts with null for one flag', counted(null)],
  ['counts with null for numbers', counted({ yes: null, no: null })],
  ['counts with null for variants', counted({ yes: 1, no: 0, variants: null })],
  ['counts with a list for no variants', counted({ yes: 1, no: 0, variants: [] })],
  ['counts with null for one variant', counted({ yes: 1, no: 0, variants: { a: null } })],
]

const ROW = { appName: 'app', featureName: 'on', timestamp: TIMES.start, yes: 1, no: 0, variants: {} }
const NULLS = { timestamp: null, yes: null, no: null, variants: null }

const FULL_BULK = { applications: [FULL_REGISTRATION], metrics: [{ ...ROW, variants: { a: 1 } }] }

/** Bodies of `POST …/metrics/bulk`. */
export const BULK_REPORTS: readonly Row[] = [
  ...withNulls('counts of many', ClientMetricsBulk, FULL_BULK),
  ['counts of many with null for all that nobody reads', { ...FULL_BULK, impactMetrics: null, seenTokens: null }],
  ['counts of many', { applications: [REGISTRATION], metrics: [ROW] }],
  ['null for both lists', { applications: null, metrics: null }],
  ['null for each optional part of counts', { applications: [], metrics: [{ ...ROW, ...NULLS }] }],
  [
    'null for each optional part of an application',
    { applications: [{ appName: 'app', instanceId: null, sdkVersion: null, strategies: null }], metrics: [] },
  ],
  [
    'an application whose strategies are objects',
    { applications: [{ appName: 'app', strategies: [{ name: 'custom-a' }] }], metrics: [] },
  ],
]

const FIELDS = {
  appName: 'app',
  environment: 'development',
  userId: '7',
  sessionId: '8',
  remoteAddress: '192.0.2.1',
  currentTime: '2026-11-27T10:00:00Z',
  properties: { plan: 'a' },
}

/** Bodies of requests for evaluated flags. */
export const LOOKUPS: readonly Row[] = [
  ...withNulls('a wrapped context', LookupToggles, { context: FIELDS, toggles: ['on'] }),
  ...withNulls('a flat context', FlatLookup, FIELDS),
  ['null for both parts', { context: null, toggles: null }],
  ['null for properties', { context: { userId: '7', properties: null } }],
  ['a list for no properties', { context: { userId: '7', properties: [] } }],
  ['null for a property', { context: { properties: { plan: null } } }],
  [
    'null for each field',
    {
      context: {
        appName: null,
        environment: null,
        userId: null,
        sessionId: null,
        remoteAddress: null,
        currentTime: null,
      },
    },
  ],
]
