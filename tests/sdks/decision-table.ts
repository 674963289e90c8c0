import { OPERATOR_NAMES, type Operator } from '@burgee/protocol/targeting/operator'

/** Flag to create, and everything on which its decision depends. The parent of a flag comes first in the table. */
export interface TableFlag {
  readonly name: string
  readonly isOff?: boolean
  readonly strategies: readonly object[]
  readonly variants?: readonly object[]
  readonly parent?: object
}

/** Context in the form of the Node SDK. Driver programs translate it for their SDK. */
export interface TableContext {
  readonly userId?: string
  readonly sessionId: string
  readonly remoteAddress: string
  readonly properties: Readonly<Record<string, string>>
}

/** Segments, to which flags refer by their position in this list. */
export const SEGMENTS: readonly object[] = [
  { name: 'nordic', constraints: [{ contextName: 'country', operator: 'IN', values: ['norway', 'sweden'] }] },
  { name: 'large', constraints: [{ contextName: 'amount', operator: 'NUM_GT', value: '50' }] },
]

/** Operands of each operator. The field is the context field that the operands are compared with. */
const OPERANDS: Readonly<Record<Operator, readonly (readonly [field: string, operand: object])[]>> = {
  IN: [['country', { values: ['norway', 'denmark'] }]],
  NOT_IN: [['country', { values: ['norway', 'denmark'] }]],
  STR_CONTAINS: [
    ['email', { values: ['-1', '@example.c'] }],
    ['email', { values: ['EXAMPLE'], caseInsensitive: true }],
  ],
  STR_STARTS_WITH: [['email', { values: ['user-1', 'user-2'] }]],
  STR_ENDS_WITH: [
    ['email', { values: ['.org'] }],
    ['email', { values: ['example.ORG'], caseInsensitive: true }],
  ],
  NUM_EQ: [['amount', { value: '12.5' }]],
  NUM_GT: [['amount', { value: '12.5' }]],
  NUM_GTE: [['amount', { value: '12.5' }]],
  NUM_LT: [['amount', { value: '-3' }]],
  NUM_LTE: [['amount', { value: '12.5' }]],
  DATE_AFTER: [
    ['currentTime', { value: '2022-01-29T13:00:00.000Z' }],
    ['currentTime', { value: '2122-01-29T13:00:00.000Z' }],
  ],
  DATE_BEFORE: [
    ['currentTime', { value: '2022-01-29T13:00:00.000Z' }],
    ['currentTime', { value: '2122-01-29T13:00:00.000Z' }],
  ],
  SEMVER_EQ: [['version', { value: '1.2.3' }]],
  SEMVER_GT: [['version', { value: '1.2.3' }]],
  SEMVER_GTE: [['version', { value: '1.2.3' }]],
  SEMVER_LT: [['version', { value: '1.2.3-beta.1' }]],
  SEMVER_LTE: [['version', { value: '1.2.3' }]],
  REGEX: [['email', { value: '^user-[0-9]+@example[.]com$' }]],
  IN_CIDR: [['address', { values: ['10.0.1.0/24', '10.0.3.7'] }]],
}

const EVERYONE = { name: 'default' }

function rollout(percentage: number, stickiness = 'default', more: object = {}): object {
  const parameters = { rollout: String(percentage), stickiness, groupId: `group-${percentage}` }
  return { name: 'flexibleRollout', parameters, ...more }
}

function variant(name: string, weight: number, payload?: object, stickiness = 'default'): object {
  return { name, weight, weightType: 'variable', stickiness, ...(payload === undefined ? {} : { payload }) }
}

const THREE_VARIANTS = [
  variant('control', 334, { type: 'string', value: 'plain text' }),
  variant('Treatment', 333, { type: 'json', value: '{"a":[1,2.50,"ø"]}' }),
  variant('_x', 333, { type: 'number', value: '7.0' }),
]

function constraintFlags(operator: Operator): TableFlag[] {
  return OPERANDS[operator].flatMap(([contextName, operand], number) =>
    [false, true].map((inverted) => ({
      name: `${operator}-${number}${inverted ? '-inverted' : ''}`,
      strategies: [{ name: 'default', constraints: [{ contextName, operator, inverted, ...operand }] }],
    })),
  )
}

const ROLLOUTS: readonly TableFlag[] = ['default', 'userId', 'sessionId', 'country'].flatMap((stickiness) =>
  [0, 1, 50, 100].map((percentage) => ({
    name: `rollout-${percentage}-${stickiness}`,
    strategies: [rollout(percentage, stickiness)],
  })),
)

const STRATEGIES: readonly TableFlag[] = [
  { name: 'on', strategies: [EVERYONE] },
  { name: 'off', isOff: true, strategies: [EVERYONE] },
  { name: 'users', strategies: [{ name: 'userWithId', parameters: { userIds: 'user-3,user-4, user-5' } }] },
  { name: 'addresses', strategies: [{ name: 'remoteAddress', parameters: { IPs: '10.0.2.0/24, 10.0.1.5' } }] },
  { name: 'segment', strategies: [{ name: 'default', segments: [0] }] },
  { name: 'two-segments', strategies: [{ name: 'default', segments: [0, 1] }] },
  {
    name: 'second-strategy',
    strategies: [{ name: 'default', segments: [1] }, rollout(20), { ...EVERYONE, disabled: true }],
  },
]

const VARIANTS: readonly TableFlag[] = [
  { name: 'flag-variants', strategies: [EVERYONE], variants: THREE_VARIANTS },
  {
    name: 'flag-variants-by-email',
    strategies: [EVERYONE],
    variants: [variant('b', 500, undefined, 'email'), variant('a', 500, undefined, 'email')],
  },
  { name: 'strategy-variants', strategies: [rollout(100, 'userId', { variants: THREE_VARIANTS.map(byUser) })] },
  {
    name: 'half-with-variants',
    strategies: [rollout(50, 'userId', { variants: [variant('one', 1000, undefined, 'userId')] }), EVERYONE],
    variants: [variant('of-the-flag', 1000)],
  },
]

function byUser(one: object): object {
  return { ...one, stickiness: 'userId' }
}

const PARENTS: readonly TableFlag[] = [
  { name: 'child', strategies: [EVERYONE], parent: { feature: 'rollout-50-userId' } },
  { name: 'child-of-off', strategies: [EVERYONE], parent: { feature: 'off' } },
  { name: 'child-if-off', strategies: [EVERYONE], parent: { feature: 'rollout-50-userId', enabled: false } },
  {
    name: 'child-of-variant',
    strategies: [rollout(50, 'sessionId')],
    parent: { feature: 'flag-variants', variants: ['control', '_x'] },
  },
]

/** All flags. The name of each flag describes what its decision depends on. */
export const FLAGS: readonly TableFlag[] = [
  ...STRATEGIES,
  ...ROLLOUTS,
  ...OPERATOR_NAMES.flatMap(constraintFlags),
  ...VARIANTS,
  ...PARENTS,
]

const COUNTRIES = ['norway', 'sweden', 'germany', 'denmark', undefined] as const
const USERS = 200

/** Users with all fields, with some fields, and with values on both sides of every boundary in the table. */
export const CONTEXTS: readonly TableContext[] = Array.from({ length: USERS }, (_, number) => {
  const country = COUNTRIES[number % COUNTRIES.length]
  const release = number % 11 === 0 ? '-beta.2' : ''
  return {
    ...(number % 10 === 9 ? {} : { userId: `user-${number}` }),
    sessionId: `session-${number * 31}`,
    remoteAddress: `10.0.${number % 4}.${number % 8}`,
    properties: {
      ...(country === undefined ? {} : { country }),
      amount: String(number / 2 - 10),
      version: `1.${number % 4}.${number % 5}${release}`,
      email: `user-${number}@${number % 3 === 0 ? 'example.com' : 'Example.org'}`,
      address: `10.0.${number % 4}.${number % 8}`,
    },
  }
})
