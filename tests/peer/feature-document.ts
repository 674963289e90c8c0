/**
 * Features that both proxies serve. All results depend only on the context, because random choices depend on a `userId`
 * that the flag itself requires.
 */
const rollout = (percent: number, stickiness = 'userId', groupId = 'group') => ({
  name: 'flexibleRollout',
  parameters: { rollout: String(percent), stickiness, groupId },
})
const where = (contextName: string, operator: string, rest: object) => ({
  name: 'default',
  constraints: [{ contextName, operator, ...rest }],
})
/** Matches the session ids that the test sends, but none that a proxy generates. */
const bySession = (strategy: object) => ({
  ...strategy,
  constraints: [{ contextName: 'sessionId', operator: 'IN', values: ['s1', '2', '0', '1', '42'] }],
})
const on = (name: string, strategies: readonly object[] = [{ name: 'default' }], rest: object = {}) => ({
  name,
  type: 'release',
  description: `About ${name}`,
  project: 'default',
  enabled: true,
  stale: false,
  strategies,
  variants: [],
  ...rest,
})
const variant = (name: string, weight: number, rest: object = {}) => ({
  name,
  weight,
  weightType: 'variable',
  stickiness: 'userId',
  ...rest,
})

const PLAIN = [
  on('on', [], { impressionData: true }),
  on('12345', [], { impressionData: false }),
  on('off', [], { enabled: false, impressionData: true }),
  on('off with variants', [], { enabled: false, variants: [variant('a', 1000)] }),
  on('impression null', [], { impressionData: null }),
  on('unknown strategy', [{ name: 'nobody knows it' }]),
  on('two strategies', [rollout(0), { name: 'userWithId', parameters: { userIds: '1, 2 ,u7' } }]),
  on('in segment', [{ name: 'default', segments: [1] }]),
  on('in two segments', [{ name: 'default', segments: [1, 2] }]),
  on('missing segment', [{ name: 'default', segments: [99] }]),
  on('ünï✓ / "x" <b>', [], {}),
  on('7', [rollout(50)]),
]

const STRATEGIES = [
  on('half', [rollout(50)]),
  on('tenth by session', [bySession(rollout(10, 'sessionId'))]),
  on('third by region', [rollout(33, 'region')]),
  on('gradual user', [{ name: 'gradualRolloutUserId', parameters: { percentage: '40', groupId: 'gu' } }]),
  on('gradual session', [
    bySession({ name: 'gradualRolloutSessionId', parameters: { percentage: '60', groupId: 'gs' } }),
  ]),
  on('address', [{ name: 'remoteAddress', parameters: { IPs: '127.0.0.1, 192.0.2.0/24,not one' } }]),
  on('address 203', [{ name: 'remoteAddress', parameters: { IPs: '203.0.113.1' } }]),
  on('address six', [{ name: 'remoteAddress', parameters: { IPs: '2001:db8::1' } }]),
  on('custom mail', [{ name: 'ForMail', parameters: { mails: '7@x.org,a@x.org' } }]),
  on('custom place', [{ name: 'InEnvironment', parameters: { place: 'default/web' } }]),
  on('host', [{ name: 'applicationHostname', parameters: { hostNames: 'no-such-host' } }]),
]

const CONSTRAINTS = [
  on('region eu', [where('region', 'IN', { values: ['eu', ' us '] })]),
  on('region not eu', [where('region', 'NOT_IN', { values: ['eu'] })]),
  on('app web', [where('appName', 'IN', { values: ['web'] })]),
  on('app of proxy', [where('appName', 'IN', { values: ['peer-app'] })]),
  on('default environment', [where('environment', 'IN', { values: ['default'] })]),
  on('forced environment', [where('environment', 'IN', { values: ['forced'] })]),
  on('mail', [where('email', 'STR_ENDS_WITH', { values: ['@x.org'], caseInsensitive: true })]),
  on('starts', [where('email', 'STR_STARTS_WITH', { values: ['a'] })]),
  on('not contains', [where('email', 'STR_CONTAINS', { values: ['x'], inverted: true })]),
  on('age', [where('age', 'NUM_GTE', { value: '18' })]),
  on('exact age', [where('age', 'NUM_EQ', { value: '0' })]),
  on('after', [where('currentTime', 'DATE_AFTER', { value: '2024-06-01T00:00:00.000Z' })]),
  on('before', [where('currentTime', 'DATE_BEFORE', { value: '2024-06-01T00:00:00.000Z' })]),
  on('version', [where('version', 'SEMVER_GT', { value: '1.2.3' })]),
  on('unknown operator', [where('region', 'LIKE', { values: ['eu'], inverted: true })]),
]

const VARIANTS = [
  on('payload', [], { variants: [variant('json', 1000, { payload: { type: 'json', value: '{"a":1}', more: 1 } })] }),
  on('empty payload', [], { variants: [variant('empty', 1000, { payload: { type: 'string', value: '' } })] }),
  on('named disabled', [], { variants: [variant('disabled', 1000)] }),
  on('no weight', [], { variants: [variant('never', 0)] }),
  on('three', [rollout(100)], { variants: [variant('a', 333), variant('b', 333), variant('c', 334)] }),
  on('override', [rollout(100)], {
    variants: [variant('a', 1000), variant('b', 0, { overrides: [{ contextName: 'userId', values: ['u7'] }] })],
  }),
  on(
    'of strategy',
    [{ ...rollout(100), variants: [variant('s', 500, { payload: { type: 'csv', value: 'a,b' } }), variant('t', 500)] }],
    {
      variants: [variant('f', 1000)],
    },
  ),
  on('child', [], { dependencies: [{ feature: 'on' }] }),
  on('child of off', [], { dependencies: [{ feature: 'off' }] }),
  on('child of variant', [], { dependencies: [{ feature: 'payload', variants: ['json'] }] }),
  on('orphan', [], { dependencies: [{ feature: 'nobody' }] }),
]

/** Document in the form in which Unleash sends it. */
export const DOCUMENT = {
  version: 2,
  features: [...PLAIN, ...STRATEGIES, ...CONSTRAINTS, ...VARIANTS],
  segments: [
    { id: 1, name: 'seven', constraints: [{ contextName: 'userId', operator: 'IN', values: ['7', 'u7'] }] },
    { id: 2, name: 'eu', constraints: [{ contextName: 'region', operator: 'IN', values: ['eu'] }] },
  ],
}
