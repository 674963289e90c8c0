/** Bodies that SDKs of all languages post; null stands for what they leave out. */

const TIMES = { start: '2026-11-27T10:00:00Z', stop: '2026-11-27T10:01:00Z' }
const REGISTRATION = { appName: 'app', interval: 15, started: '2026-11-27T10:00:00Z', strategies: ['default'] }
const METRICS = { appName: 'app', bucket: { ...TIMES, toggles: { on: { yes: 1, no: 0, variants: {} } } } }

type Row = readonly [name: string, body: object]

/** Bodies of `POST …/register`. */
export const REGISTRATIONS: readonly Row[] = [
  ['a registration', REGISTRATION],
  ['a registration with null for each optional part', { ...REGISTRATION, instanceId: null, sdkVersion: null }],
  ['a registration with null for parts that nobody reads', { ...REGISTRATION, environment: null, connectionId: null }],
  ['a registration with null for its strategies', { ...REGISTRATION, strategies: null }],
  ['a registration whose strategies are objects', { ...REGISTRATION, strategies: [{ name: 'custom-a' }] }],
]

const counted = (counts: unknown) => ({ ...METRICS, bucket: { ...TIMES, toggles: { on: counts } } })

/** Bodies of `POST …/metrics`. */
export const REPORTS: readonly Row[] = [
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

/** Bodies of `POST …/metrics/bulk`. */
export const BULK_REPORTS: readonly Row[] = [
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

/** Bodies that ask for evaluated flags. */
export const LOOKUPS: readonly Row[] = [
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
