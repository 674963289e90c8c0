import { ask, type Draft, post, SERVER_TOKEN } from './build.ts'

const START = '2024-01-01T00:00:00.000Z'
const STOP = '2024-01-01T00:01:00.000Z'
const BUCKET = { start: START, stop: STOP, toggles: {} }
const METRICS = { appName: 'web', instanceId: 'browser', bucket: BUCKET }
const REGISTER = { appName: 'web', interval: 10, started: START, strategies: ['default'] }

/** Returns metrics that contain the given counts of toggles. */
export const metricsOf = (toggles: object): object => ({ ...METRICS, bucket: { ...BUCKET, toggles } })
const counts = (value: unknown) => metricsOf({ 'a flag': value })
const without = (from: object, name: string): object =>
  Object.fromEntries(Object.entries(from).filter(([key]) => key !== name))

const METRICS_BODIES: readonly unknown[] = [
  METRICS,
  counts({ yes: 1, no: 2, variants: { blue: 1 } }),
  counts({}),
  counts({ yes: 0, no: 0 }),
  counts({ yes: '3' }),
  counts({ yes: null, no: true }),
  counts({ yes: -1 }),
  counts({ yes: 1.5 }),
  counts({ yes: 'many' }),
  counts({ yes: {} }),
  counts({ yes: '' }),
  counts({ yes: 1, variants: { a: '2' } }),
  counts({ yes: 1, variants: { a: -2 } }),
  counts({ yes: 1, variants: { a: 0.5 } }),
  counts({ yes: 1, variants: null }),
  counts({ yes: 1, variants: [] }),
  counts({ yes: 1, variants: 'x' }),
  counts({ yes: 1, other: 'field' }),
  counts(null),
  counts(7),
  counts([]),
  metricsOf([]),
  { ...METRICS, bucket: { ...BUCKET, toggles: null } },
  ...[
    '2024-01-01',
    1704067200000,
    null,
    '',
    'x',
    '2024-01-01T00:00:00+02:00',
    '2024-13-01T00:00:00Z',
    '2024-01-01T00:00:00',
    '2024-01-01 00:00:00Z',
    '2024-01-01t00:00:00z',
  ].map((start) => ({ ...METRICS, bucket: { ...BUCKET, start } })),
  { ...METRICS, bucket: without(BUCKET, 'start') },
  { ...METRICS, bucket: without(BUCKET, 'stop') },
  { ...METRICS, bucket: without(BUCKET, 'toggles') },
  { ...METRICS, bucket: null },
  { ...METRICS, bucket: 'x' },
  without(METRICS, 'bucket'),
  without(METRICS, 'appName'),
  without(METRICS, 'instanceId'),
  { ...METRICS, appName: 7 },
  { ...METRICS, appName: {} },
  { ...METRICS, instanceId: null },
  { ...METRICS, instanceId: [] },
  { ...METRICS, environment: 'x', connectionId: 'y', impactMetrics: [] },
  { ...METRICS, environment: {} },
  {},
  [],
  'text',
]

const REGISTER_BODIES: readonly unknown[] = [
  REGISTER,
  { ...REGISTER, started: 1704067200000 },
  { ...REGISTER, started: '2024-01-01' },
  { ...REGISTER, started: true },
  { ...REGISTER, started: null },
  { ...REGISTER, interval: '10' },
  { ...REGISTER, interval: 'x' },
  { ...REGISTER, interval: 1.5 },
  { ...REGISTER, interval: null },
  { ...REGISTER, strategies: [] },
  { ...REGISTER, strategies: 'default' },
  { ...REGISTER, strategies: [1, null] },
  { ...REGISTER, strategies: [{}] },
  { ...REGISTER, instanceId: 'i', sdkVersion: 's:1', environment: 'e', more: {} },
  { ...REGISTER, instanceId: {} },
  { ...REGISTER, sdkVersion: [] },
  { ...REGISTER, environment: {} },
  without(REGISTER, 'appName'),
  without(REGISTER, 'interval'),
  without(REGISTER, 'started'),
  without(REGISTER, 'strategies'),
  {},
  [],
]

/** Reports of SDKs, and requests of server SDKs. */
export const USAGE_REQUESTS: readonly Draft[] = [
  ...METRICS_BODIES.map((body) => post('/proxy/client/metrics', body)),
  ...REGISTER_BODIES.map((body) => post('/proxy/client/register', body)),
  post('/proxy/client/metrics', { ...METRICS, note: 'x'.repeat(150_000) }),
  post('/proxy/all/client/metrics', METRICS),
  post('/proxy/all/client/metrics', {}),
  ...[null, '', 'wrong', SERVER_TOKEN, 's2'].flatMap((key) => [
    post('/proxy/client/metrics', METRICS, { key }),
    post('/proxy/all/client/metrics', METRICS, { key }),
    post('/proxy/client/register', REGISTER, { key }),
  ]),
  ask('POST /proxy/client/metrics'),
  ask('POST /proxy/client/register'),
  ask('/proxy/client/features', { key: SERVER_TOKEN }),
  ask('/proxy/client/features', { key: SERVER_TOKEN, headers: { 'Unleash-Client-Spec': '5.2.0' } }),
  ask('/proxy/client/features', { key: 's2' }),
  ask('/proxy/client/features?project=other&namePrefix=o', { key: SERVER_TOKEN }),
  ask('/proxy/client/features/', { key: SERVER_TOKEN }),
  ask('HEAD /proxy/client/features', { key: SERVER_TOKEN }),
  ask('/proxy/client/features', { key: SERVER_TOKEN, headers: { 'If-None-Match': '{etag}' } }),
  ask('/proxy/health', { key: null }),
  ask('/proxy/health?userId=1&userId=2', { key: null }),
  ask('/proxy/internal-backstage/prometheus', { key: null }),
  ask('/proxy/internal-backstage/prometheus?x=1', { key: 'wrong' }),
]
