import type { ChangePayload, DefaultChange } from '@burgee/protocol/administration/change-request'
import type { ChangeRow } from '../../store/change-requests/changes.ts'
import type { RequestRow } from '../../store/change-requests/requests.ts'
import type { Reader } from '../../store/database.ts'
import { strategiesOf } from '../../store/features/strategies.ts'
import { defaultStrategyFor, lacksStrategy } from '../projects/default-strategy.ts'

type Proposed = Pick<ChangeRow, 'feature_name' | 'action' | 'payload'>

/** Execution order of changes, and the default strategies that changes add implicitly. */
export interface ChangeOrder<C> {
  readonly changes: readonly C[]
  /** Default strategy keyed by the name of the flag that gets it. */
  readonly defaults: ReadonlyMap<string, DefaultChange>
}

/**
 * Returns the changes of a request in execution order. That is the order of the proposal, except for changes that turn
 * on a flag without an enabled strategy. If a later change gives the flag an enabled strategy, the flag is turned on
 * right after that change, unless it is turned on or off again first. Otherwise the flag gets the default strategy of
 * its project. In both cases, the flag uses only strategies that the request shows.
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

/** Data of a strategy that the execution order depends on. A strategy that a change adds has no id yet. */
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
 * Returns the first later change that gives the flag an enabled strategy. Returns undefined if a change that turns the
 * flag off comes first.
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
 * Removes the request to enable disabled strategies. There was nothing to enable at the original position of the
 * change, and strategies that later changes added must stay as they are.
 */
function notActivating<C extends Proposed>(change: C): C {
  return { ...change, payload: { enabled: true, shouldActivateDisabledStrategies: false } }
}

function payloadOf<A extends ChangeRow['action']>(change: Proposed, action: A): ChangePayload<A> | undefined {
  return change.action === action ? (change.payload as ChangePayload<A>) : undefined
}
