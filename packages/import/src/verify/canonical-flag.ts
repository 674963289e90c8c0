import { compareText } from '@burgee/kit/compare-text'
import { isObject } from '@burgee/kit/input/is-object'

/** JSON value in canonical form. Values with the same meaning serialize to the same string. */
export type Canonical = string | number | boolean | null | readonly Canonical[] | { readonly [name: string]: Canonical }

/** Parts of a flag that servers send to SDKs, each in canonical form. */
export interface CanonicalFlag {
  readonly switch: Canonical
  /** In evaluation order. */
  readonly strategies: readonly Canonical[]
  /** True if the order of the strategies matters. */
  readonly isOrdered: boolean
  readonly variants: Canonical
  readonly dependencies: Canonical
  /** Properties that SDKs expose but do not evaluate. Properties that the server does not send are excluded. */
  readonly displayed: { readonly [name: string]: Canonical }
}

type Raw = Readonly<Record<string, unknown>>
type SegmentsById = ReadonlyMap<unknown, Raw>

const LISTS = new Set(['IN', 'NOT_IN', 'STR_CONTAINS', 'STR_STARTS_WITH', 'STR_ENDS_WITH', 'IN_CIDR'])
const DISPLAYED = ['type', 'project', 'stale']
const DEFAULT = 'default'
/** Strategy that SDKs use for an empty list of strategies. */
const FOR_EVERYONE: Raw = { name: DEFAULT }

/** Returns the segments of a document by id. */
export function indexSegments(segments: readonly unknown[] | undefined): SegmentsById {
  return new Map((segments ?? []).filter(isObject).map((segment) => [segment.id, segment]))
}

/**
 * Converts a flag to canonical form: replaces segments with their constraints, normalizes numbers, and fills in
 * defaults.
 */
export function toCanonicalFlag(flag: Raw, segments: SegmentsById): CanonicalFlag {
  const listed = toObjects(flag.strategies)
  const isEmpty = Array.isArray(flag.strategies) && listed.length === 0
  const sent = isEmpty ? [FOR_EVERYONE] : listed
  const inOrder = sent.every(({ sortOrder }) => typeof sortOrder === 'number')
    ? [...sent].sort((a, b) => Number(a.sortOrder) - Number(b.sortOrder))
    : sent
  return {
    switch: flag.enabled === true,
    strategies: inOrder.map((strategy) => toCanonicalStrategy(strategy, segments)),
    isOrdered: inOrder.some(({ variants }) => toObjects(variants).length > 0),
    variants: toObjects(flag.variants).map(toCanonicalVariant),
    // removes duplicates, because Unleash servers repeat each dependency once per strategy; all dependencies must hold.
    // Source: wire protocol
    dependencies: removeDuplicates(sortCanonically(toObjects(flag.dependencies).map(toCanonicalDependency))),
    displayed: {
      impressionData: flag.impressionData === true,
      ...Object.fromEntries(DISPLAYED.filter((name) => isSent(flag[name])).map((name) => [name, String(flag[name])])),
    },
  }
}

function toCanonicalStrategy(strategy: Raw, segments: SegmentsById): Canonical {
  const own = toObjects(strategy.constraints).map(toCanonicalConstraint)
  const ids = Array.isArray(strategy.segments) ? strategy.segments : []
  const shared = ids.flatMap((id): Canonical[] => {
    const segment = segments.get(id)
    return segment === undefined
      ? ['never: its segment does not exist']
      : toObjects(segment.constraints).map(toCanonicalConstraint)
  })
  return {
    name: String(strategy.name),
    // disabled strategies are omitted, because servers do not send them and SDKs ignore the property
    disabled: strategy.disabled === true,
    parameters: toCanonicalParameters(strategy.parameters),
    constraints: sortCanonically([...own, ...shared]),
    variants: toObjects(strategy.variants).map(toCanonicalVariant),
  }
}

/** Converts the constraints of a segment to canonical form. All constraints must hold. */
export function toCanonicalConstraints(constraints: readonly unknown[]): Canonical {
  return sortCanonically(toObjects(constraints).map(toCanonicalConstraint))
}

/**
 * Converts parameters to strings, because older rows contain numbers and booleans. Omits empty parameters, because an
 * empty parameter counts as not set.
 */
function toCanonicalParameters(parameters: unknown): Canonical {
  if (!isObject(parameters)) return {}
  const given = Object.entries(parameters).filter(([, value]) => isSent(value) && value !== '')
  const texts = given.map(([name, value]) => [name, String(value)] as const)
  return Object.fromEntries(texts.sort(([a], [b]) => compareText(a, b)))
}

function toCanonicalConstraint(constraint: Raw): Canonical {
  const { contextName, operator, values, value, inverted, caseInsensitive } = constraint
  const isNone = operator === 'NOT_IN'
  const name = isNone ? 'IN' : String(operator)
  const isTime = name.startsWith('DATE_')
  const foldsCase = name.startsWith('STR_') || name === 'REGEX'
  return {
    // the operator compares a date with the current time, regardless of the field name
    contextName: isTime ? 'currentTime' : String(contextName),
    operator: name,
    operand: LISTS.has(name) ? toCanonicalList(values) : toCanonicalValue(name, value),
    inverted: (inverted === true) !== isNone,
    caseInsensitive: foldsCase && caseInsensitive === true,
  }
}

function toCanonicalList(values: unknown): Canonical {
  if (!Array.isArray(values)) return null
  return sortCanonically([...new Set(values.map((value) => String(value).trim()).filter((value) => value !== ''))])
}

function toCanonicalValue(operator: string, value: unknown): Canonical {
  if (!isSent(value)) return null
  const text = String(value)
  if (operator.startsWith('NUM_') && text.trim() !== '' && Number.isFinite(Number(text))) return Number(text)
  if (operator.startsWith('DATE_') && !Number.isNaN(Date.parse(text))) return Date.parse(text)
  return text
}

function toCanonicalVariant(variant: Raw): Canonical {
  const { name, weight, stickiness, payload, overrides } = variant
  return {
    name: String(name),
    weight: typeof weight === 'number' ? weight : String(weight ?? 0),
    stickiness: isSent(stickiness) && stickiness !== '' ? String(stickiness) : DEFAULT,
    payload: isObject(payload) ? { type: String(payload.type), value: String(payload.value) } : null,
    overrides: toObjects(overrides).map(({ contextName, values }) => ({
      contextName: String(contextName),
      values: toCanonicalList(values),
    })),
  }
}

function toCanonicalDependency({ feature, enabled, variants }: Raw): Canonical {
  return { feature: String(feature), enabled: enabled !== false, variants: toCanonicalList(variants ?? []) }
}

function toObjects(list: unknown): Raw[] {
  return Array.isArray(list) ? list.filter(isObject) : []
}

function isSent(value: unknown): boolean {
  return value !== undefined && value !== null
}

/** Removes duplicates from a sorted list. */
function removeDuplicates(sorted: readonly Canonical[]): Canonical {
  return sorted.filter((item, index) => JSON.stringify(item) !== JSON.stringify(sorted[index - 1]))
}

function sortCanonically(list: readonly Canonical[]): Canonical[] {
  return list
    .map((item) => [JSON.stringify(item), item] as const)
    .sort(([a], [b]) => compareText(a, b))
    .map(([, item]) => item)
}
