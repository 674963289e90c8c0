import { BUILT_IN_STRATEGIES } from './built-in-strategy.ts'
import { findAmbiguity, toCanonicalOperand } from './canonical-operand.ts'
import type { ConstraintInput } from './constraint.ts'
import { findOperandProblem } from './operand.ts'
import { OPERATORS } from './operator.ts'
import { findPatternDifference } from './pattern-difference.ts'
import { findExpectedPayload, type StoredPayload } from './payload.ts'

/**
 * Differences between official SDKs by kind, each described in a sentence about the value. In these sentences, "Node"
 * means SDKs that evaluate like `unleash-client`, and "others" means SDKs that evaluate like Yggdrasil.
 */
export const READING_DIFFERENCES = {
  malformed: 'Can never match: the value is missing or malformed.',
  illFormed: 'Contains an unpaired surrogate: SDKs in Rust cannot parse any flags of the environment.',
  form: 'Has a form that SDKs interpret differently; save it again to store a form that all SDKs interpret in the same way.',
  unknownDay: 'Contains a day that no month has: SDKs in Node use another day, others never match.',
  dateOnField: 'SDKs in Node compare the current time and ignore the field, others compare the field.',
  textOfTime: 'SDKs write the current time in different forms; use DATE_AFTER or DATE_BEFORE.',
  patternClasses:
    'SDKs in Node match only ASCII with \\d, \\w, \\s and \\b, others all of Unicode; write [0-9] or [A-Za-z0-9_].',
  patternSyntax: 'SDKs other than Node SDKs cannot parse this pattern, or interpret it differently.',
  groupId: 'SDKs hash a group id with non-ASCII characters differently, so they select other users.',
  variantStickiness:
    'With the stickiness "default", SDKs in Node choose a variant by user or session, others by the stickiness of the strategy.',
  ipv6Range: 'SDKs in Node never match a range of IPv6 addresses.',
  payload: 'The payload does not match its type.',
} as const satisfies Readonly<Record<string, string>>

/** Kind of difference. */
export type DifferenceKind = keyof typeof READING_DIFFERENCES

/** Part of a flag that official SDKs parse differently. */
export interface ReadingDifference {
  readonly kind: DifferenceKind
  /** Path of the part, relative to the constraint or strategy: `value`, `constraints/0/values`. */
  readonly path: string
}

/** Properties of a strategy that some SDKs parse differently. */
export interface ReadStrategy {
  readonly name: string
  readonly parameters?: Readonly<Record<string, string>> | undefined
  readonly constraints?: readonly ConstraintInput[] | undefined
  readonly variants?: readonly ReadVariant[] | undefined
}

/** Properties of a variant that some SDKs or applications parse differently. */
export interface ReadVariant {
  readonly name: string
  readonly stickiness?: string | undefined
  readonly payload?: StoredPayload | null | undefined
}

/**
 * Returns the differences in how official SDKs evaluate a constraint. Ignores operators from other servers that are
 * unknown here.
 */
export function listConstraintDifferences(constraint: ConstraintInput): ReadingDifference[] {
  const { contextName, operator, value = '', values = [] } = constraint
  if (!Object.hasOwn(OPERATORS, operator)) return []
  const isList = OPERATORS[operator] === 'texts' || OPERATORS[operator] === 'networks'
  const path = isList ? 'values' : 'value'
  const found: ReadingDifference[] = []
  if (![contextName, value, ...values].every((text) => text.isWellFormed())) found.push({ kind: 'illFormed', path })
  const operand = findOperandDifference(constraint)
  if (operand !== undefined) found.push({ kind: operand, path })
  const onTime = contextName === 'currentTime'
  if (OPERATORS[operator] === 'date' && !onTime) found.push({ kind: 'dateOnField', path: 'contextName' })
  if (OPERATORS[operator] !== 'date' && onTime) found.push({ kind: 'textOfTime', path: 'contextName' })
  return found
}

function findOperandDifference(constraint: ConstraintInput): DifferenceKind | undefined {
  const { operator, value = '', values = [] } = constraint
  if (findOperandProblem(constraint) !== undefined) return 'malformed'
  const kind = OPERATORS[operator]
  if (findAmbiguity(constraint) !== undefined) return kind === 'date' ? 'unknownDay' : 'patternSyntax'
  if (kind === 'regex') return findPatternDifference(value)
  const canonical = toCanonicalOperand(constraint)
  const isCanonical =
    (canonical.value ?? '') === value && JSON.stringify(canonical.values ?? []) === JSON.stringify(values)
  return isCanonical ? undefined : 'form'
}

/**
 * Returns the differences in how official SDKs evaluate a strategy, through its constraints, parameters and variants.
 */
export function listStrategyDifferences({
  name,
  parameters,
  constraints,
  variants,
}: ReadStrategy): ReadingDifference[] {
  const inConstraints = (constraints ?? []).flatMap((constraint, index) =>
    listConstraintDifferences(constraint).map(({ kind, path }) => ({ kind, path: `constraints/${index}/${path}` })),
  )
  const ofStickiness = (variants ?? []).flatMap(({ stickiness }, index) =>
    stickiness === 'default' && !isDefault(parameters?.stickiness)
      ? [{ kind: 'variantStickiness' as const, path: `variants/${index}/stickiness` }]
      : [],
  )
  return [
    ...inConstraints,
    ...listParameterDifferences(name, parameters ?? {}),
    ...ofStickiness,
    ...listPayloadDifferences(variants ?? []),
  ]
}

/** Returns the payloads of variants that no application can parse. */
export function listPayloadDifferences(variants: readonly ReadVariant[]): ReadingDifference[] {
  return variants.flatMap(({ payload }, index) =>
    findExpectedPayload(payload) === undefined
      ? []
      : [{ kind: 'payload' as const, path: `variants/${index}/payload/value` }],
  )
}

const LISTS: ReadonlyMap<string, string> = new Map(
  BUILT_IN_STRATEGIES.flatMap((one) => ('list' in one ? [[one.name, one.list] as const] : [])),
)
const BEYOND_ASCII = /[^\p{ASCII}]/u

function listParameterDifferences(name: string, parameters: Readonly<Record<string, string>>): ReadingDifference[] {
  const found: ReadingDifference[] = []
  for (const [parameter, value] of Object.entries(parameters)) {
    if (!value.isWellFormed()) found.push({ kind: 'illFormed', path: `parameters/${parameter}` })
  }
  if (BEYOND_ASCII.test(parameters.groupId ?? '')) found.push({ kind: 'groupId', path: 'parameters/groupId' })
  const list = LISTS.get(name)
  const items = list === undefined ? [] : (parameters[list] ?? '').split(',')
  const path = `parameters/${list}`
  if (items.some((item) => item !== item.trim())) found.push({ kind: 'form', path })
  const isRange = (item: string) => item.includes(':') && item.includes('/')
  if (name === 'remoteAddress' && items.some(isRange)) found.push({ kind: 'ipv6Range', path })
  return found
}

const isDefault = (stickiness = ''): boolean => stickiness === '' || stickiness === 'default'
