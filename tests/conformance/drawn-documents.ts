import type { FeatureDocument } from '@burgee/engine'
import { createRandom, type Random } from '@burgee/kit/seeded-random'
import type { Context } from '@burgee/protocol/context'

/**
 * Realistic documents generated from a seed without any library, so that recorded decisions stay valid. Some names, ids
 * and values contain characters outside ASCII.
 */
export interface DrawnCase {
  readonly document: FeatureDocument
  readonly names: readonly string[]
  readonly contexts: readonly Context[]
}

const FLAGS = ['plain', 'größe', '用户', 'flag 3', '🏴‍☠️', 'parent', 'f7', 'ñandú', 'x.y-z', 'Ω']
const IDS = ['u', 'jürgen-', '用户', 'é', '🙂', 'ab-cd-ef-']
const TEXTS = ['a', 'A', 'ab', 'abc', 'größe', 'GRÖSSE', '用户', 'нет', 'norway', 'Norway', 'a b', '🙂', 'true']
const NUMBERS = ['0', '1', '5', '5.5', '-3', '10', '1000', '0.1', '1.0', '42']
const DATES = ['2022-01-29T13:00:00Z', '2022-01-29T13:00:00.000Z', '2022-01-30T00:00:00+02:00', '2023-06-01T08:30:00Z']
const VERSIONS = [
  '1.2.3',
  '1.2.4',
  '1.10.0',
  '2.0.0',
  '1.2.3-alpha',
  '1.2.3-alpha.1',
  '1.2.3-beta',
  '0.9.0',
  '1.2.3+b1',
]
const RANGES = [
  '10.0.0.0/8',
  '10.1.0.0/16',
  '10.0.0.1',
  '2001:db8::/32',
  '2001:db8::1',
  '192.168.1.0/24',
  '::1',
  '0.0.0.0/0',
]
const ADDRESSES = [
  '10.0.0.1',
  '10.1.2.3',
  '192.168.1.7',
  '1.1.1.1',
  '2001:db8::1',
  '2001:DB8:0:0::1',
  '2001:db9::1',
  '::1',
]
const PATTERNS = ['^a', 'b$', 'a|b', '[a-c]+', '(?i)NORWAY', 'größ', '^.$', 'x{2}', '\\.', '用']
const FIELDS = [
  'userId',
  'sessionId',
  'appName',
  'environment',
  'remoteAddress',
  'country',
  'größe',
  'number',
  'version',
]
const STICKINESS = ['default', 'default', 'userId', 'sessionId', 'random', 'country', 'größe', 'missing']
const GROUPS = ['g', 'größe', '用户', 'Gruppe ß', 'flag 3']
/** Names of variants. */
export const VARIANTS = ['blue', 'grün', 'rot', '黄']
const APPS = ['web', 'läden', 'shop']

type Range = readonly [smallest: number, largest: number]

class Draw {
  readonly #random: Random

  constructor(seed: number) {
    this.#random = createRandom(seed)
  }

  /** Returns an integer from `smallest` to `largest`. */
  integer([smallest, largest]: Range): number {
    return smallest + ((this.#random() * 2 ** 32) % (largest - smallest + 1))
  }

  oneIn(count: number): boolean {
    return this.integer([1, count]) === 1
  }

  pick<T>(items: readonly T[]): T {
    return items[this.integer([0, items.length - 1])] as T
  }

  some<T>(range: Range, make: () => T): T[] {
    return Array.from({ length: this.integer(range) }, make)
  }
}

/** Returns the case with this number, which has 10 flags and 25 contexts. */
export function drawnCase(number: number): DrawnCase {
  const draw = new Draw(Math.imul(number + 1, 0x9e3779b1))
  const features = FLAGS.map((name) => feature(draw, name))
  const segments = [1, 2, 3].map((id) => ({
    id,
    name: `s${id}`,
    constraints: draw.some([0, 2], () => constraint(draw)),
  }))
  return {
    document: { features, segments },
    names: FLAGS,
    contexts: Array.from({ length: 25 }, () => context(draw)),
  }
}

function feature(draw: Draw, name: string) {
  const strategies = draw.oneIn(12) ? [] : draw.some([1, 3], () => strategy(draw))
  return {
    name,
    type: 'release',
    project: 'default',
    enabled: !draw.oneIn(8),
    strategies,
    variants: draw.oneIn(2) ? variants(draw, true) : [],
    ...(draw.oneIn(5) ? { dependencies: draw.some([1, 2], () => dependency(draw)) } : {}),
  }
}

function dependency(draw: Draw) {
  const named = draw.some([0, 2], () => draw.pick([...VARIANTS, 'disabled']))
  return {
    feature: draw.pick([...FLAGS, 'parent', 'plain', 'absent']),
    ...(draw.oneIn(2) ? {} : { enabled: draw.oneIn(2) }),
    ...(draw.oneIn(3) ? { variants: named } : {}),
  }
}

function strategy(draw: Draw) {
  const { name, parameters } = ownTest(draw)
  return {
    name,
    parameters,
    constraints: draw.oneIn(2) ? [] : draw.some([1, 2], () => constraint(draw)),
    ...(draw.oneIn(5) ? { segments: draw.some([1, 2], () => draw.pick(draw.oneIn(12) ? [404] : [1, 2, 3])) } : {}),
    ...(draw.oneIn(3) ? { variants: variants(draw, false) } : {}),
  }
}

function ownTest(draw: Draw): { readonly name: string; readonly parameters: Readonly<Record<string, string>> } {
  const percentage = String(draw.integer([0, 100]))
  const group = draw.oneIn(4) ? {} : { groupId: draw.pick(GROUPS) }
  switch (draw.integer([0, 9])) {
    case 0:
      return { name: 'default', parameters: {} }
    case 1:
      return {
        name: 'userWithId',
        parameters: { userIds: draw.some([1, 12], () => id(draw)).join(draw.pick([',', ', '])) },
      }
    case 2:
      return {
        name: 'remoteAddress',
        parameters: { IPs: draw.some([1, 4], () => draw.pick(RANGES)).join(draw.pick([',', ', '])) },
      }
    case 3: {
      const name = draw.pick(['gradualRolloutUserId', 'gradualRolloutSessionId'])
      return { name, parameters: { percentage, groupId: draw.pick(GROUPS) } }
    }
    case 4:
      return { name: draw.pick(['custom', 'gradualRolloutRandom']), parameters: { percentage } }
    default: {
      const rollout = draw.oneIn(4) ? '100' : percentage
      return { name: 'flexibleRollout', parameters: { rollout, stickiness: draw.pick(STICKINESS), ...group } }
    }
  }
}

function variants(draw: Draw, isOfFlag: boolean) {
  const stickiness = draw.pick(STICKINESS)
  const names = VARIANTS.slice(0, draw.integer([1, VARIANTS.length]))
  const overrides = () =>
    draw.some([0, 1], () => ({
      contextName: draw.pick(FIELDS),
      values: draw.some([1, 3], () => draw.pick([...TEXTS, id(draw)])),
    }))
  return names.map((name, index) => ({
    name,
    weight: index === 0 ? 500 : draw.pick([0, 1, 250, 333, 1000]),
    ...(draw.oneIn(5) ? {} : { stickiness }),
    ...(isOfFlag || draw.oneIn(4) ? { overrides: overrides() } : {}),
  }))
}

function constraint(draw: Draw) {
  const shared = { inverted: draw.oneIn(3), caseInsensitive: draw.oneIn(3) }
  const listed = (values: readonly string[], least = 1) => draw.some([least, 4], () => draw.pick(values))
  const withValues = (contextName: string, operator: string, values: string[]) => ({
    contextName,
    operator,
    values,
    ...shared,
  })
  const withValue = (contextName: string, operator: string, value: string) => ({
    contextName,
    operator,
    values: [],
    value,
    ...shared,
  })
  switch (draw.integer([0, 8])) {
    case 0:
    case 1:
      return withValues(draw.pick(FIELDS), draw.pick(['IN', 'NOT_IN']), listed([...TEXTS, ...APPS, id(draw)], 0))
    case 2:
    case 3:
      return withValues(
        draw.pick(FIELDS),
        draw.pick(['STR_STARTS_WITH', 'STR_ENDS_WITH', 'STR_CONTAINS']),
        listed(TEXTS),
      )
    case 4:
      return withValue('number', draw.pick(['NUM_EQ', 'NUM_GT', 'NUM_GTE', 'NUM_LT', 'NUM_LTE']), draw.pick(NUMBERS))
    case 5:
      return withValue('currentTime', draw.pick(['DATE_AFTER', 'DATE_BEFORE']), draw.pick(DATES))
    case 6:
      return withValue('version', `SEMVER_${draw.pick(['EQ', 'GT', 'GTE', 'LT', 'LTE'])}`, draw.pick(VERSIONS))
    case 7:
      return withValue(draw.pick(FIELDS), 'REGEX', draw.pick(PATTERNS))
    default:
      return withValues('remoteAddress', 'IN_CIDR', listed(RANGES))
  }
}

function id(draw: Draw): string {
  return `${draw.pick(IDS)}${draw.integer([0, 60])}`
}

function context(draw: Draw): Context {
  const properties: Record<string, string> = {}
  const put = (name: string, values: readonly string[]) => {
    if (!draw.oneIn(4)) properties[name] = draw.pick(values)
  }
  put('country', TEXTS)
  put('größe', [...TEXTS, id(draw)])
  put('number', NUMBERS)
  put('version', VERSIONS)
  return {
    ...(draw.oneIn(4) ? {} : { userId: id(draw) }),
    ...(draw.oneIn(3) ? {} : { sessionId: id(draw) }),
    ...(draw.oneIn(4) ? {} : { remoteAddress: draw.pick(ADDRESSES) }),
    ...(draw.oneIn(2) ? {} : { appName: draw.pick(APPS) }),
    ...(draw.oneIn(2) ? {} : { environment: draw.pick(['production', 'tüst']) }),
    currentTime: new Date(draw.pick([...DATES, '2022-01-29T13:00:00.001Z', '2024-02-29T00:00:00Z'])),
    properties,
  }
}
