import type { Constraint } from '@burgee/protocol/feature'
import type { Operator } from '@burgee/protocol/targeting/operator'

/** Relation between two sets of users: the same, larger, smaller, drawn again at random, or unknown. */
export type Relation = 'same' | 'grows' | 'shrinks' | 'anew' | 'other'

/**
 * Combines two relations. Either both sets belong to conditions that must all be met, or both belong to strategies, of
 * which one is enough.
 */
export function combineRelations(one: Relation, other: Relation): Relation {
  if (one === 'same' || one === other) return other
  return other === 'same' ? one : 'other'
}

/**
 * Returns how a change to a list affects the set of matching users. A user matches if the list contains the user's
 * value.
 */
export function compareLists(before: readonly string[], after: readonly string[]): Relation {
  const hasNew = after.some((value) => !before.includes(value))
  const lacksOld = before.some((value) => !after.includes(value))
  if (hasNew) return lacksOld ? 'other' : 'grows'
  return lacksOld ? 'shrinks' : 'same'
}

/** Returns how a change to constraints affects the set of users who meet all of them. */
export function compareConstraints(before: readonly Constraint[], after: readonly Constraint[]): Relation {
  const [old, next] = [findDiffering(before, after), findDiffering(after, before)]
  const [was, is] = [old[0], next[0]]
  if (was === undefined) return is === undefined ? 'same' : 'shrinks'
  if (is === undefined) return 'grows'
  return old.length === 1 && next.length === 1 ? compareOperands(was, is) : 'other'
}

/** Returns the constraints that the other list lacks, counting duplicates. */
function findDiffering(list: readonly Constraint[], others: readonly Constraint[]): Constraint[] {
  const known = others.map(toKey)
  return list.filter((constraint) => {
    const at = known.indexOf(toKey(constraint))
    if (at >= 0) known.splice(at, 1)
    return at < 0
  })
}

function toKey(constraint: Constraint): string {
  return JSON.stringify([...getCondition(constraint), getValues(constraint), constraint.value ?? ''])
}

/** Returns all properties of a constraint except its values. */
function getCondition({ contextName, operator, inverted, caseInsensitive }: Constraint) {
  return [contextName, operator, inverted === true, caseInsensitive === true]
}

function getValues({ values }: Constraint): string[] {
  return (values ?? []).filter((value) => value !== '').map((value) => value.trim())
}

/**
 * Comparison that a constraint makes: its operator and operand. There are three kinds of operand: a list in which any
 * value can match, a bound (lower or higher bounds match more users), or a value without an order.
 */
type Comparison = 'list' | 'lower' | 'higher' | 'unordered'

const COMPARISONS: Readonly<Record<Operator, Comparison>> = {
  IN: 'list',
  // compare as if the operator were IN, then invert the relation
  NOT_IN: 'list',
  STR_CONTAINS: 'list',
  STR_STARTS_WITH: 'list',
  STR_ENDS_WITH: 'list',
  NUM_EQ: 'unordered',
  NUM_GT: 'lower',
  NUM_GTE: 'lower',
  NUM_LT: 'higher',
  NUM_LTE: 'higher',
  DATE_AFTER: 'lower',
  DATE_BEFORE: 'higher',
  SEMVER_EQ: 'unordered',
  SEMVER_GT: 'unordered',
  SEMVER_GTE: 'unordered',
  SEMVER_LT: 'unordered',
  SEMVER_LTE: 'unordered',
  REGEX: 'unordered',
  IN_CIDR: 'list',
}
const KNOWN: ReadonlyMap<string, Comparison> = new Map(Object.entries(COMPARISONS))

function compareOperands(was: Constraint, is: Constraint): Relation {
  if (getCondition(was).join('\n') !== getCondition(is).join('\n')) return 'other'
  const { operator } = was
  const isList = KNOWN.get(operator) === 'list'
  const plain = isList ? compareLists(getValues(was), getValues(is)) : compareBounds(was, is)
  const isTurned = (was.inverted === true) !== (operator === 'NOT_IN')
  return isTurned ? invertRelation(plain) : plain
}

function compareBounds({ operator, value: was }: Constraint, { value: is }: Constraint): Relation {
  const direction = KNOWN.get(operator)
  const read = operator.startsWith('DATE') ? Date.parse : Number
  const [from, to] = [read(was ?? ''), read(is ?? '')]
  const isBound = direction === 'lower' || direction === 'higher'
  if (!isBound || Number.isNaN(from) || Number.isNaN(to)) return 'other'
  if (from === to) return 'same'
  return to < from === (direction === 'lower') ? 'grows' : 'shrinks'
}

function invertRelation(relation: Relation): Relation {
  if (relation === 'grows') return 'shrinks'
  return relation === 'shrinks' ? 'grows' : relation
}
