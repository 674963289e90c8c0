import type { ConstraintInput } from '../targeting/constraint.ts'
import type { ReadStrategy } from '../targeting/reading-differences.ts'

/** Parts of flags that some versions of official SDKs do not support. */
export const SDK_ABILITIES = {
  operators: 'STR_ and DATE_ operators, SEMVER_EQ, SEMVER_GT, SEMVER_LT',
  numbers: 'NUM_ operators',
  inverted: 'Inverted constraints',
  /** Additional operators. This ability is relevant only for versions that support `operators`. */
  dates: 'DATE_ operators without currentTime in the context',
  regex: 'REGEX',
  networks: 'IN_CIDR, SEMVER_GTE, SEMVER_LTE',
  ipv6Ranges: 'Ranges of IPv6 addresses in remoteAddress',
  strategyVariants: 'Variants of strategies',
  parents: 'Parent flags',
  /**
   * Variants of the parent flag itself. Variants of the strategies of a parent flag belong to the ability `parents`.
   */
  parentVariants: 'Required variants of a parent flag',
} as const
export type SdkAbility = keyof typeof SDK_ABILITIES

/**
 * Behavior of an SDK when a flag contains a part that the SDK does not support. `off`: the strategy matches no one.
 * `on`: the constraint counts as met. `throws`: the call that evaluates the flag fails. `ignored`: the part has no
 * effect.
 */
export type SdkOutcome = 'off' | 'on' | 'throws' | 'ignored'

/**
 * First version of an SDK that has a certain behavior. `knows`: the SDK supports the part. `untested`: it is unknown
 * whether the SDK supports the part.
 */
export type SdkSpan = readonly [from: string, behavior: SdkOutcome | 'knows' | 'untested']

/** Official SDK, with the names under which it reports itself, and the abilities of its versions. */
export interface OfficialSdk {
  readonly title: string
  readonly names: readonly string[]
  /**
   * True if the behavior was tested with the same document in the versions just before and just after each change in
   * behavior. False if the versions were taken from the documentation of the SDK.
   */
  readonly isTested: boolean
  /**
   * Spans of versions by ability, in ascending order of versions. If an ability has no spans, the behavior is unknown.
   */
  readonly abilities: Readonly<Partial<Record<SdkAbility, readonly SdkSpan[]>>>
}

const createParentAbilities = (version: string): OfficialSdk['abilities'] => ({
  parents: [
    ['0.0.0', 'ignored'],
    [version, 'knows'],
  ],
})

/** Returns the spans for an ability that was tested only in this version and later ones. */
const supportedSince = (version: string): readonly SdkSpan[] => [
  ['0.0.0', 'untested'],
  [version, 'knows'],
]

/**
 * Official SDKs that evaluate flags locally (in the application). Each span begins at the first version in which its
 * behavior was observed.
 */
export const OFFICIAL_SDKS: readonly OfficialSdk[] = [
  {
    title: 'Node.js',
    names: ['unleash-client-node', 'unleash-node-sdk'],
    isTested: true,
    abilities: {
      operators: [
        ['0.0.0', 'on'],
        ['3.12.0', 'knows'],
      ],
      numbers: [
        ['0.0.0', 'on'],
        ['3.12.0', 'knows'],
      ],
      inverted: [
        ['0.0.0', 'ignored'],
        ['3.12.0', 'knows'],
      ],
      regex: [
        ['0.0.0', 'on'],
        ['3.12.0', 'off'],
        ['6.10.1', 'knows'],
      ],
      networks: [
        ['0.0.0', 'on'],
        ['3.12.0', 'off'],
        ['6.11.0', 'knows'],
      ],
      ipv6Ranges: [
        ['0.0.0', 'knows'],
        ['5.5.5', 'off'],
      ],
      // version 4.1.0 of this SDK reports itself as 4.1.0-beta.0
      strategyVariants: [
        ['0.0.0', 'ignored'],
        ['4.1.0-beta.0', 'knows'],
      ],
      ...createParentAbilities('4.2.0'),
    },
  },
  {
    title: 'Java',
    names: ['unleash-client-java', 'unleash-java-sdk'],
    isTested: true,
    abilities: {
      operators: [
        ['0.0.0', 'on'],
        ['5.1.0', 'knows'],
      ],
      numbers: [
        ['0.0.0', 'on'],
        ['5.1.0', 'knows'],
      ],
      inverted: [
        ['0.0.0', 'ignored'],
        ['5.1.0', 'knows'],
      ],
      dates: [
        ['0.0.0', 'untested'],
        ['5.1.0', 'knows'],
        ['10.0.1', 'off'],
        ['10.2.0', 'knows'],
      ],
      regex: [
        ['0.0.0', 'on'],
        ['5.1.0', 'throws'],
        ['6.0.1', 'off'],
        ['12.2.0', 'knows'],
      ],
      networks: [
        ['0.0.0', 'on'],
        ['5.1.0', 'throws'],
        ['6.0.1', 'off'],
        ['12.2.4', 'untested'],
      ],
      ipv6Ranges: [['0.0.0', 'knows']],
      strategyVariants: [
        ['0.0.0', 'ignored'],
        ['8.2.1', 'knows'],
      ],
      ...createParentAbilities('8.4.0'),
    },
  },
  {
    title: 'Python',
    names: ['unleash-client-python', 'unleash-python-sdk'],
    isTested: true,
    abilities: {
      operators: [
        ['0.0.0', 'off'],
        ['5.1.0', 'knows'],
      ],
      numbers: [
        ['0.0.0', 'off'],
        ['5.4.1', 'knows'],
      ],
      inverted: [
        ['0.0.0', 'ignored'],
        ['5.1.0', 'knows'],
      ],
      dates: [
        ['0.0.0', 'untested'],
        ['5.1.0', 'knows'],
        ['5.4.1', 'off'],
        ['5.12.5', 'knows'],
      ],
      regex: [
        ['0.0.0', 'off'],
        ['5.1.0', 'on'],
        ['5.3.0', 'off'],
        ['6.6.0', 'knows'],
      ],
      networks: [
        ['0.0.0', 'off'],
        ['5.1.0', 'on'],
        ['5.3.0', 'off'],
        ['6.7.0', 'knows'],
      ],
      ipv6Ranges: [['0.0.0', 'knows']],
      strategyVariants: [
        ['0.0.0', 'ignored'],
        ['5.8.0', 'knows'],
      ],
      ...createParentAbilities('5.9.0'),
    },
  },
  {
    title: 'Go',
    names: ['unleash-client-go'],
    isTested: true,
    abilities: {
      regex: [
        ['0.0.0', 'untested'],
        ['4.1.0', 'off'],
        ['4.5.1', 'untested'],
      ],
      networks: [
        ['0.0.0', 'untested'],
        ['4.1.0', 'off'],
        ['4.5.1', 'untested'],
      ],
      // version 3.9.2 of this SDK reports itself as 3.9.1, and version 5.0.0 as 4.5.0
      ...createParentAbilities('3.9.1'),
      parentVariants: [
        ['0.0.0', 'ignored'],
        ['4.5.1', 'untested'],
      ],
    },
  },
  {
    title: 'Rust',
    names: ['unleash-rust-sdk'],
    isTested: true,
    abilities: {
      operators: supportedSince('0.17.1'),
      numbers: supportedSince('0.17.1'),
      inverted: supportedSince('0.17.1'),
      dates: supportedSince('0.17.1'),
      regex: supportedSince('0.17.1'),
      networks: supportedSince('0.17.1'),
      strategyVariants: supportedSince('0.17.1'),
      parents: supportedSince('0.17.1'),
      parentVariants: supportedSince('0.17.1'),
    },
  },
  { title: 'Ruby', names: ['unleash-client-ruby'], isTested: false, abilities: createParentAbilities('4.6.0') },
  { title: '.NET', names: ['unleash-client-dotnet'], isTested: false, abilities: createParentAbilities('3.4.0') },
  { title: 'PHP', names: ['unleash-client-php'], isTested: false, abilities: createParentAbilities('2.2.0') },
  { title: 'Unleash Proxy', names: ['unleash-proxy'], isTested: false, abilities: createParentAbilities('0.18.0') },
  { title: 'Unleash Edge', names: ['unleash-edge'], isTested: false, abilities: createParentAbilities('13.1.0') },
]

/** Returns the abilities that an SDK needs for constraints, including constraints of segments. */
export function listConstraintAbilities(constraints: readonly ConstraintInput[]): SdkAbility[] {
  const used = new Set<SdkAbility>()
  for (const { operator, inverted } of constraints) {
    if (inverted === true) used.add('inverted')
    if (operator === 'REGEX') used.add('regex')
    else if (operator === 'IN_CIDR' || operator === 'SEMVER_GTE' || operator === 'SEMVER_LTE') used.add('networks')
    else if (operator.startsWith('DATE_')) used.add('operators').add('dates')
    else if (operator.startsWith('NUM_')) used.add('numbers')
    else if (operator !== 'IN' && operator !== 'NOT_IN') used.add('operators')
  }
  return [...used]
}

/** Returns the abilities that an SDK needs for dependencies on parent flags. */
export function listParentAbilities(parents: readonly { readonly variants?: readonly string[] }[]): SdkAbility[] {
  if (parents.length === 0) return []
  return parents.some(({ variants = [] }) => variants.length > 0) ? ['parents', 'parentVariants'] : ['parents']
}

/** Returns the abilities that an SDK needs for a strategy, not counting the segments of the strategy. */
export function listStrategyAbilities({ name, parameters, constraints, variants }: ReadStrategy): SdkAbility[] {
  const used = listConstraintAbilities(constraints ?? [])
  const addresses = name === 'remoteAddress' ? (parameters?.IPs ?? '').split(',') : []
  if (addresses.some((one) => one.includes(':') && one.includes('/'))) used.push('ipv6Ranges')
  if ((variants ?? []).length > 0) used.push('strategyVariants')
  return used
}
