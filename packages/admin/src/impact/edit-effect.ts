import { BUILT_IN_STRATEGIES } from '@burgee/protocol/targeting/built-in-strategy'
import type { AdminStrategy } from '@burgee/protocol/targeting/strategy'
import { both, constraintsRelation, listRelation, type Relation } from './constraint-effect.ts'

/** A strategy, as far as it says who is in; a new one has no id. */
export type Ruling = Pick<AdminStrategy, 'name' | 'parameters' | 'constraints' | 'segments' | 'disabled'> & {
  readonly id?: string | undefined
}

/** A flag in an environment, as far as that says who is in. */
export interface FlagSide {
  readonly isOn: boolean
  readonly strategies: readonly Ruling[]
}

/** Percentages before and after. */
export interface Share {
  readonly from: number
  readonly to: number
  /** They are of those who meet the conditions, not of everybody. */
  readonly isOfSome: boolean
}

/**
 * What an edit does to who is in, whoever they are. `off`: the flag is off before and after. `comes`: who is in stays in;
 * `leaves`: nobody comes in; `anew`: everybody is drawn anew; `mixed`: some may come in and others leave.
 */
export interface Effect {
  readonly kind: 'off' | 'nothing' | 'comes' | 'leaves' | 'anew' | 'mixed'
  /** Where everybody or nobody is in afterwards. */
  readonly end?: 'everybody' | 'nobody'
  /** Where nothing but one percentage decides. */
  readonly share?: Share
}

/** Who a strategy lets in, without its conditions. */
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
 * What can be said of an edit without knowing anybody: strategies are ways to be in, so one more never puts anybody out.
 * Chance counts as if it fell alike before and after. The claims are held against the engine (tests/conformance).
 */
export function effectOf(before: FlagSide, after: FlagSide): Effect {
  if (!before.isOn && !after.isOn) return { kind: 'off' }
  const [was, is] = [whoIsIn(before), whoIsIn(after)]
  const share = shareOf(before, after)
  const more = { ...(is === 'some' ? {} : { end: is }), ...(share === undefined ? {} : { share }) }
  if (was === is && was !== 'some') return { kind: 'nothing', ...more }
  if (was === 'nobody' || is === 'everybody') return { kind: 'comes', ...more }
  if (was === 'everybody' || is === 'nobody') return { kind: 'leaves', ...more }
  return { kind: KINDS[listsRelation(running(before), running(after))], ...more }
}

function running({ isOn, strategies }: FlagSide): readonly Ruling[] {
  return isOn ? strategies.filter(({ disabled }) => !disabled) : []
}

function whoIsIn(side: FlagSide): 'everybody' | 'nobody' | 'some' {
  const own = running(side)
  // without any strategy a flag is on for everybody; with disabled ones alone it is off
  if (side.isOn && side.strategies.length === 0) return 'everybody'
  if (own.some(isForAll)) return 'everybody'
  return own.every(isForNobody) ? 'nobody' : 'some'
}

function listsRelation(before: readonly Ruling[], after: readonly Ruling[]): Relation {
  let relation: Relation = 'same'
  for (const strategy of before) {
    const next = after.find(({ id }) => id !== undefined && id === strategy.id)
    if (next !== undefined) relation = both(relation, strategyRelation(strategy, next))
    else if (!isForNobody(strategy)) relation = both(relation, 'shrinks')
  }
  const isNew = ({ id }: Ruling) => id === undefined || before.every((one) => one.id !== id)
  return after.some((one) => isNew(one) && !isForNobody(one)) ? both(relation, 'grows') : relation
}

function strategyRelation(before: Ruling, after: Ruling): Relation {
  if (isForNobody(before)) return isForNobody(after) ? 'same' : 'grows'
  if (isForNobody(after)) return 'shrinks'
  return both(drawRelation(drawOf(before), drawOf(after)), conditionsRelation(before, after))
}

/** All segments must hold, as all constraints. */
function conditionsRelation(before: Ruling, after: Ruling): Relation {
  const [old, next] = [before.segments.map(String), after.segments.map(String)]
  return both(constraintsRelation(before.constraints, after.constraints), listRelation(next, old))
}

function drawRelation(before: Draw, after: Draw): Relation {
  if (before.kind === 'list' && after.kind === 'list' && before.key === after.key) {
    return listRelation(before.list, after.list)
  }
  if (isEverybody(after)) return isEverybody(before) ? 'same' : 'grows'
  if (isEverybody(before)) return 'shrinks'
  if (before.kind === 'percent' && after.kind === 'percent') return percentRelation(before, after)
  return before.key === after.key ? 'same' : 'other'
}

function percentRelation(before: Extract<Draw, { kind: 'percent' }>, after: typeof before): Relation {
  if (before.key !== after.key) return 'anew'
  if (before.percent === after.percent) return 'same'
  if (before.isChance) return 'anew'
  return after.percent > before.percent ? 'grows' : 'shrinks'
}

function drawOf({ name, parameters }: Ruling): Draw {
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
  // buckets are whole numbers
  const percent = Math.min(FULL, Math.floor(Number(parameters[known.percentage] ?? Number.NaN)))
  return { kind: 'percent', key: JSON.stringify([sticky, isChance ? '' : groupId]), percent, isChance }
}

/** Whether a draw lets everybody in: by another field it is those who have one. */
function isEverybody(draw: Draw): boolean {
  if (draw.kind === 'own') return draw.key === 'default'
  return draw.kind === 'percent' && draw.percent === FULL && (draw.isChance || draw.key.startsWith('["default"'))
}

function isForAll(strategy: Ruling): boolean {
  return isEverybody(drawOf(strategy)) && strategy.constraints.length === 0 && strategy.segments.length === 0
}

function isForNobody(strategy: Ruling): boolean {
  const draw = drawOf(strategy)
  if (draw.kind === 'list') return draw.list.length === 0
  return draw.kind === 'percent' && !(draw.percent >= 1)
}

/** Where each side has one strategy, with the same conditions, of which the percentage is another one. */
function shareOf(before: FlagSide, after: FlagSide): Share | undefined {
  const [old, next] = [running(before), running(after)]
  const [was, is] = [old[0], next[0]]
  if (was === undefined || is === undefined || old.length > 1 || next.length > 1) return undefined
  if (conditionsRelation(was, is) !== 'same') return undefined
  const [from, to] = [drawOf(was), drawOf(is)]
  if (from.kind !== 'percent' || to.kind !== 'percent') return undefined
  const percents = [from.percent, to.percent].map((one) => Math.max(0, one || 0)) as [number, number]
  if (percents[0] === percents[1]) return undefined
  const isByField = [from, to].some((draw) => !draw.isChance && !draw.key.startsWith('["default"'))
  const isOfSome = isByField || is.constraints.length > 0 || is.segments.length > 0
  return { from: percents[0], to: percents[1], isOfSome }
}
