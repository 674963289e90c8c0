import type { ChangePayload, DefaultChange } from '@burgee/protocol/administration/change-request'
import type { ChangeRow } from '../../store/change-requests/changes.ts'
import type { RequestRow } from '../../store/change-requests/requests.ts'
import type { Reader } from '../../store/database.ts'
import { strategiesOf } from '../../store/features/strategies.ts'
import { defaultStrategyFor, lacksStrategy } from '../projects/default-strategy.ts'

type Proposed = Pick<ChangeRow, 'feature_name' | 'action' | 'payload'>

/** Execution order of changes, and the strategies that they add implicitly. */
export interface ChangeOrder<C> {
  readonly changes: readonly C[]
  /** Default strategy by the name of the flag that gets it. */
  readonly defaults: ReadonlyMap<string, DefaultChange>
}

/**
 * Returns the changes of a request in execution order. They keep the order of the proposal, except for turning on a
 * flag that has no enabled strategy. If a later change gives the flag one before the flag is turned on or off again,
 * the flag is turned on right after that change. Otherwise the flag gets the default strategy of its project. So the
 * flag opens only by strategies that the request shows.
 */
export async function orderChanges<C extends Proposed>(
  reader: Reader,
  place: Pick<RequestRow, 'project' | 'environment'>,
  changes: readonly C[],
): Promise<ChangeOrder<C>> {
  const places = new Map<C, readonly C[]>()
  const defaults = new Map<string, DefaultChange>()
  for (const [name, own] of Map.groupBy(changes, ({ feature_name }) => feature_name)) {
    if (name === null || !own.some(turnsOn)) continue
    const needsDefault = placeTurns(own, await strategiesOf(reader, name, place.environment), places)
    if (needsDefault) defaults.set(name, { action: 'addStrategy', payload: await defaultStrategyFor(reader, place) })
  }
  return { changes: changes.flatMap((change) => places.get(change) ?? [change]), defaults }
}

/** Strategy as far as the order depends on it; one that a change adds has no id yet. */
interface Known {
  readonly id?: string
  readonly disabled: number
}

/** Records the new positions of changes that turn a flag on. Returns true if one of them adds the default strategy. */
function placeTurns<C extends Proposed>(own: readonly C[], strategies: readonly Known[], places: Map<C, readonly C[]>) {
  let known = strategies
  let needsDefault = false
  for (const [index, change] of own.entries()) {
    if (!turnsOn(change)) {
      known = after(known, change)
      continue
    }
    const isActivating = payloadOf(change, 'updateEnabled')?.shouldActivateDisabledStrategies === true
    const isLacking = lacksStrategy(known, isActivating)
    const giving = isLacking ? nextGiving(own.slice(index + 1)) : undefined
    if (giving !== undefined) {
      places.set(change, [])
      places.set(giving, [...(places.get(giving) ?? [giving]), notActivating(change)])
    } else if (isLacking) {
      needsDefault = true
      known = [...known, { disabled: 0 }]
    } else if (isActivating) known = known.map((one) => ({ ...one, disabled: 0 }))
  }
  return needsDefault
}

function after(known: readonly Known[], change: Proposed): readonly Known[] {
  const added = payloadOf(change, 'addStrategy')
  if (added !== undefined) return [...known, { disabled: Number(added.disabled === true) }]
  const removed = payloadOf(change, 'deleteStrategy')
  if (removed !== undefined) return known.filter(({ id }) => id !== removed.id)
  const updated = payloadOf(change, 'updateStrategy')
  if (typeof updated?.disabled !== 'boolean') return known
  const disabled = Number(updated.disabled)
  return known.map((one) => (one.id === updated.id ? { ...one, disabled } : one))
}

/**
 * Returns the first later change that gives the flag an enabled strategy, unless one that turns the flag off comes
 * first.
 */
function nextGiving<C extends Proposed>(later: readonly C[]): C | undefined {
  const found = later.find((change) => turnsOff(change) || givesStrategy(change))
  return found === undefined || turnsOff(found) ? undefined : found
}

function givesStrategy(change: Proposed): boolean {
  const added = payloadOf(change, 'addStrategy')
  return added === undefined ? payloadOf(change, 'updateStrategy')?.disabled === false : added.disabled !== true
}

const turnsOn = (change: Proposed) => payloadOf(change, 'updateEnabled')?.enabled === true
const turnsOff = (change: Proposed) => payloadOf(change, 'updateEnabled')?.enabled === false

/**
 * Drops the activation: there was nothing to activate at the original position, and strategies of changes in between
 * must stay as they are.
 */
function notActivating<C extends Proposed>(change: C): C {
  return { ...change, payload: { enabled: true, shouldActivateDisabledStrategies: false } }
}

function payloadOf<A extends ChangeRow['action']>(change: Proposed, action: A): ChangePayload<A> | undefined {
  return change.action === action ? (change.payload as ChangePayload<A>) : undefined
}
