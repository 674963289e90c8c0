import { BUILT_IN_STRATEGIES } from '@burgee/protocol/targeting/built-in-strategy'
import type { AdminStrategy } from '@burgee/protocol/targeting/strategy'
import { combineRelations, compareConstraints, compareLists, type Relation } from './constraint-effect.ts'

/** Properties of a strategy that decide which users it matches. A new strategy has no id. */
export type StrategyRule = Pick<AdminStrategy, 'name' | 'parameters' | 'constraints' | 'segments' | 'disabled'> & {
  readonly id?: string | undefined
}

/** Properties of a flag in an environment that decide who gets the flag. */
export interface FlagSide {
  readonly isOn: boolean
  readonly strategies: readonly StrategyRule[]
}

/** Percentages before and after an edit. */
export interface ShareChange {
  readonly from: number
  readonly to: number
  /** True if the percentages refer only to users who meet the conditions rather than to all users. */
  readonly isOfSome: boolean
}

/**
 * Effect of an edit on who gets a flag, regardless of the actual users. `off`: the flag is off both before and after.
 * `comes`: some users may gain the flag, and none can lose it. `leaves`: some users may lose the flag, and none can
 * gain it. `anew`: all users are assigned again. `mixed`: some users may gain the flag, and others may lose it.
 */
export interface Effect {
  readonly kind: 'off' | 'nothing' | 'comes' | 'leaves' | 'anew' | 'mixed'
  /** Set if after the edit all users get the flag, or none do. */
  readonly end?: 'everybody' | 'nobody'
  /** Percentages before and after the edit, if a single percentage decides. */
  readonly share?: ShareChange
}

/** Selection of users by percentage or list that a strategy makes, regardless of its conditions. */
type Draw =
  | { readonly kind: 'percent'; readonly key: string; readonly percent: number; readonly isChance: boolean }
  | { readonly kind: 'list'; readonly key: string; readonly list: readonly string[] }
  | { readonly kind: 'own'; readonly key: string }

const KINDS: Readonly<Record<Relation, Effect['kind']>> = {
  same: 'nothing',
  grows: 'comes',
  shrinks: 'leaves',
  anew: 'anew',
  other: 'mixed',
}
const FULL = 100

/**
 * Returns the effect of an edit as far as it can be determined without data about the users. A user needs to match only
 * one strategy, so adding a strategy never removes users. Random stickiness is treated as if it gave the same results
 * before and after. The conformance tests compare these effects with the engine's results (tests/conformance).
 */
export function calculateEffect(before: FlagSide, after: FlagSide): Effect {
  if (!before.isOn && !after.isOn) return { kind: 'off' }
  const [was, is] = [getAudience(before), getAudience(after)]
  const share = getShareChange(before, after)
  const more = { ...(is === 'some' ? {} : { end: is }), ...(share === undefined ? {} : { share }) }
  if (was === is && was !== 'some') return { kind: 'nothing', ...more }
  if (was === 'nobody' || is === 'everybody') return { kind: 'comes', ...more }
  if (was === 'everybody' || is === 'nobody') return { kind: 'leaves', ...more }
  return { kind: KINDS[compareStrategyLists(listEnabledStrategies(before), listEnabledStrategies(after))], ...more }
}

/** Returns the enabled strategies of a flag that is on. */
export function listEnabledStrategies<S extends StrategyRule>({
  isOn,
  strategies,
}: {
  readonly isOn: boolean
  readonly strategies: readonly S[]
}): readonly S[] {
  return isOn ? strategies.filter(({ disabled }) => !disabled) : []
}

function getAudience(side: FlagSide): 'everybody' | 'nobody' | 'some' {
  const own = listEnabledStrategies(side)
  // A flag without strategies is on for everyone. A flag with only disabled strategies is off.
  if (side.isOn && side.strategies.length === 0) return 'everybody'
  if (own.some(matchesEveryone)) return 'everybody'
  return own.every(matchesNoOne) ? 'nobody' : 'some'
}

function compareStrategyLists(before: readonly StrategyRule[], after: readonly StrategyRule[]): Relation {
  let relation: Relation = 'same'
  for (const strategy of before) {
    const next = after.find(({ id }) => id !== undefined && id === strategy.id)
    if (next !== undefined) relation = combineRelations(relation, compareStrategies(strategy, next))
    else if (!matchesNoOne(strategy)) relation = combineRelations(relation, 'shrinks')
  }
  const isNew = ({ id }: StrategyRule) => id === undefined || before.every((one) => one.id !== id)
  return after.some((one) => isNew(one) && !matchesNoOne(one)) ? combineRelations(relation, 'grows') : relation
}

function compareStrategies(before: StrategyRule, after: StrategyRule): Relation {
  if (matchesNoOne(before)) return matchesNoOne(after) ? 'same' : 'grows'
  if (matchesNoOne(after)) return 'shrinks'
  return combineRelations(compareDraws(getDraw(before), getDraw(after)), compareConditions(before, after))
}

/** Returns how changes to segments and constraints affect the set of users who meet all of them. */
function compareConditions(before: StrategyRule, after: StrategyRule): Relation {
  const [old, next] = [before.segments.map(String), after.segments.map(String)]
  return combineRelations(compareConstraints(before.constraints, after.constraints), compareLists(next, old))
}

function compareDraws(before: Draw, after: Draw): Relation {
  if (before.kind === 'list' && after.kind === 'list' && before.key === after.key) {
    return compareLists(before.list, after.list)
  }
  if (isEverybody(after)) return isEverybody(before) ? 'same' : 'grows'
  if (isEverybody(before)) return 'shrinks'
  if (before.kind === 'percent' && after.kind === 'percent') return comparePercents(before, after)
  return before.key === after.key ? 'same' : 'other'
}

function comparePercents(before: Extract<Draw, { kind: 'percent' }>, after: typeof before): Relation {
  if (before.key !== after.key) return 'anew'
  if (before.percent === after.percent) return 'same'
  if (before.isChance) return 'anew'
  return after.percent > before.percent ? 'grows' : 'shrinks'
}

function getDraw({ name, parameters }: StrategyRule): Draw {
  const known = BUILT_IN_STRATEGIES.find((one) => one.name === name)
  if (known !== undefined && 'list' in known) {
    const list = parameters[known.list] ?? ''
    return { kind: 'list', key: name, list: list === '' ? [] : list.split(/\s*,\s*/) }
  }
  if (known === undefined || !('percentage' in known)) {
    return { kind: 'own', key: known === undefined ? JSON.stringify([name, parameters]) : name }
  }
  const { groupId = '', stickiness = '' } = parameters
  const sticky = name === 'flexibleRollout' ? stickiness || 'default' : name
  const isChance = sticky === 'random' || name === 'gradualRolloutRandom'
  // Buckets are integers.
  const percent = Math.min(FULL, Math.floor(Number(parameters[known.percentage] ?? Number.NaN)))
  return { kind: 'percent', key: JSON.stringify([sticky, isChance ? '' : groupId]), percent, isChance }
}

/**
 * Returns true if a strategy's percentage or list matches everyone. If the stickiness is a custom field, only users who
 * have this field can match.
 */
function isEverybody(draw: Draw): boolean {
  if (draw.kind === 'own') return draw.key === 'default'
  return draw.kind === 'percent' && draw.percent === FULL && (draw.isChance || draw.key.startsWith('["default"'))
}

function matchesEveryone(strategy: StrategyRule): boolean {
  return isEverybody(getDraw(strategy)) && strategy.constraints.length === 0 && strategy.segments.length === 0
}

function matchesNoOne(strategy: StrategyRule): boolean {
  const draw = getDraw(strategy)
  if (draw.kind === 'list') return draw.list.length === 0
  return draw.kind === 'percent' && !(draw.percent >= 1)
}

/** Returns the percentages if there is one strategy before and one after, and they differ only in the percentage. */
function getShareChange(before: FlagSide, after: FlagSide): ShareChange | undefined {
  const [old, next] = [listEnabledStrategies(before), listEnabledStrategies(after)]
  const [was, is] = [old[0], next[0]]
  if (was === undefined || is === undefined || old.length > 1 || next.length > 1) return undefined
  if (compareConditions(was, is) !== 'same') return undefined
  const [from, to] = [getDraw(was), getDraw(is)]
  if (from.kind !== 'percent' || to.kind !== 'percent') return undefined
  const percents = [from.percent, to.percent].map((one) => Math.max(0, one || 0)) as [number, number]
  if (percents[0] === percents[1]) return undefined
  const isByField = [from, to].some((draw) => !draw.isChance && !draw.key.startsWith('["default"'))
  const isOfSome = isByField || is.constraints.length > 0 || is.segments.length > 0
  return { from: percents[0], to: percents[1], isOfSome }
}
