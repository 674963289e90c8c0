import type { Constraint } from '@burgee/protocol/feature'

/** Relation between two sets of users: the same, larger, smaller, drawn again, or unknown. */
export type Relation = 'same' | 'grows' | 'shrinks' | 'anew' | 'other'

/** Combines two relations. They belong either to conditions that must both hold, or to alternative strategies. */
export function combineRelations(one: Relation, other: Relation): Relation {
  if (one === 'same' || one === other) return other
  return other === 'same' ? one : 'other'
}

/** Returns how a change of a list affects who matches. Users match if they have one of its values. */
export function compareLists(before: readonly string[], after: readonly string[]): Relation {
  const hasNew = after.some((value) => !before.includes(value))
  const lacksOld = before.some((value) => !after.includes(value))
  if (hasNew) return lacksOld ? 'other' : 'grows'
  return lacksOld ? 'shrinks' : 'same'
}

/** Returns how a change of constraints affects who meets all of them. */
export function compareConstraints(before: readonly Constraint[], after: readonly Constraint[]): Relation {
  const [old, next] = [findDiffering(before, after), findDiffering(after, before)]
  const [was, is] = [old[0], next[0]]
  if (was === undefined) return is === undefined ? 'same' : 'shrinks'
  if (is === undefined) return 'grows'
  return old.length === 1 && next.length === 1 ? compareOperands(was, is) : 'other'
}

/** Returns constraints that the other list lacks, counting duplicates. */
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

/** Operators that match any of several values. NOT_IN matches the opposite. */
const LISTS: ReadonlySet<string> = new Set([
  'IN',
  'NOT_IN',
  'STR_CONTAINS',
  'STR_STARTS_WITH',
  'STR_ENDS_WITH',
  'IN_CIDR',
])
/**
 * Operators that compare with a bound. The value is the direction in which the bound has to move to match more users.
 */
const BOUNDS: ReadonlyMap<string, 'lower' | 'higher'> = new Map([
  ['NUM_GT', 'lower'],
  ['NUM_GTE', 'lower'],
  ['NUM_LT', 'higher'],
  ['NUM_LTE', 'higher'],
  ['DATE_AFTER', 'lower'],
  ['DATE_BEFORE', 'higher'],
])

function compareOperands(was: Constraint, is: Constraint): Relation {
  if (getCondition(was).join('\n') !== getCondition(is).join('\n')) return 'other'
  const { operator } = was
  const plain = LISTS.has(operator) ? compareLists(getValues(was), getValues(is)) : compareBounds(was, is)
  const isTurned = (was.inverted === true) !== (operator === 'NOT_IN')
  return isTurned ? invertRelation(plain) : plain
}

function compareBounds({ operator, value: was }: Constraint, { value: is }: Constraint): Relation {
  const grows = BOUNDS.get(operator)
  const read = operator.startsWith('DATE') ? Date.parse : Number
  const [from, to] = [read(was ?? ''), read(is ?? '')]
  if (grows === undefined || Number.isNaN(from) || Number.isNaN(to)) return 'other'
  if (from === to) return 'same'
  return to < from === (grows === 'lower') ? 'grows' : 'shrinks'
}

function invertRelation(relation: Relation): Relation {
  if (relation === 'grows') return 'shrinks'
  return relation === 'shrinks' ? 'grows' : relation
}
