import type { ChangePayload, DefaultChange } from '@burgee/protocol/administration/change-request'
import type { ChangeRow } from '../../store/change-requests/changes.ts'
import type { RequestRow } from '../../store/change-requests/requests.ts'
import type { Reader } from '../../store/database.ts'
import { strategiesOf } from '../../store/features/strategies.ts'
import { defaultStrategyFor, lacksStrategy } from '../projects/default-strategy.ts'

type Proposed = Pick<ChangeRow, 'feature_name' | 'action' | 'payload'>

/** In which order changes are made, and what they add without saying so. */
export interface ChangeOrder<C> {
  readonly changes: readonly C[]
  /** The default strategy, by the name of the flag that gets it. */
  readonly defaults: ReadonlyMap<string, DefaultChange>
}

/**
 * Changes of a request in the order in which they are made: as they were proposed, but for a flag that is turned on while
 * it has no enabled strategy. Where a later change gives it one, before it is turned on or off again, it is turned on right
 * after that; else it gets the default strategy of its project. So nobody is let in but by a strategy that the request shows.
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

/** A strategy as far as it matters here; one that a change adds has no id yet. */
interface Known {
  readonly id?: string
  readonly disabled: number
}

/** Notes where changes of a flag that turn it on are put; whether one of them adds the default strategy. */
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

/** The first of the later changes that gives the flag an enabled strategy, before one that turns it off. */
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

/** There was nothing to activate where it stood: what comes in between is not meant. */
function notActivating<C extends Proposed>(change: C): C {
  return { ...change, payload: { enabled: true, shouldActivateDisabledStrategies: false } }
}

function payloadOf<A extends ChangeRow['action']>(change: Proposed, action: A): ChangePayload<A> | undefined {
  return change.action === action ? (change.payload as ChangePayload<A>) : undefined
}
