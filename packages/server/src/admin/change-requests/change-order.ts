import type { ChangePayload, DefaultChange } from '@burgee/protocol/administration/change-request'
import type { Reader } from '@burgee/storage/database'
import type { ChangeRow } from '@burgee/storage/queries/change-requests/changes'
import type { RequestRow } from '@burgee/storage/queries/change-requests/requests'
import { listStrategies } from '@burgee/storage/queries/flags/strategies'
import { lacksStrategy, readDefaultStrategy } from '../projects/default-strategy.ts'

type OrderedChange = Pick<ChangeRow, 'feature_name' | 'action' | 'payload'>

/** Execution order of changes, and the default strategies that changes add implicitly. */
export interface ChangeOrder<C> {
  readonly changes: readonly C[]
  /** Default strategy keyed by the name of the flag that gets it. */
  readonly defaults: ReadonlyMap<string, DefaultChange>
}

/**
 * Returns the changes of a request in execution order. The execution order is the order of the proposal, except for a
 * change that turns on a flag without an enabled strategy. If a later change gives the flag an enabled strategy, the
 * flag is turned on right after that later change. If there is no such change, or if the request turns the flag on or
 * off before that change, the flag gets the default strategy of its project. In either case, the flag only uses
 * strategies that reviewers of the request can see.
 */
export async function orderChanges<C extends OrderedChange>(
  reader: Reader,
  place: Pick<RequestRow, 'project' | 'environment'>,
  changes: readonly C[],
): Promise<ChangeOrder<C>> {
  const places = new Map<C, readonly C[]>()
  const defaults = new Map<string, DefaultChange>()
  for (const [name, own] of Map.groupBy(changes, ({ feature_name }) => feature_name)) {
    if (name === null || !own.some(turnsOn)) continue
    const needsDefault = placeSwitches(own, await listStrategies(reader, name, place.environment), places)
    if (needsDefault) defaults.set(name, { action: 'addStrategy', payload: await readDefaultStrategy(reader, place) })
  }
  return { changes: changes.flatMap((change) => places.get(change) ?? [change]), defaults }
}

/** Properties of a strategy that affect the execution order. A strategy that a change adds has no id yet. */
interface OrderedStrategy {
  readonly id?: string
  readonly disabled: number
}

/**
 * Records the new positions of changes that turn a flag on. Returns true if one of the changes adds the default
 * strategy.
 */
function placeSwitches<C extends OrderedChange>(
  own: readonly C[],
  strategies: readonly OrderedStrategy[],
  places: Map<C, readonly C[]>,
) {
  let known = strategies
  let needsDefault = false
  for (const [index, change] of own.entries()) {
    if (!turnsOn(change)) {
      known = applyToStrategies(known, change)
      continue
    }
    const isActivating = getPayload(change, 'updateEnabled')?.shouldActivateDisabledStrategies === true
    const isLacking = lacksStrategy(known, isActivating)
    const giving = isLacking ? findNextEnabling(own.slice(index + 1)) : undefined
    if (giving !== undefined) {
      places.set(change, [])
      places.set(giving, [...(places.get(giving) ?? [giving]), withoutActivation(change)])
    } else if (isLacking) {
      needsDefault = true
      known = [...known, { disabled: 0 }]
    } else if (isActivating) known = known.map((one) => ({ ...one, disabled: 0 }))
  }
  return needsDefault
}

function applyToStrategies(known: readonly OrderedStrategy[], change: OrderedChange): readonly OrderedStrategy[] {
  const added = getPayload(change, 'addStrategy')
  if (added !== undefined) return [...known, { disabled: Number(added.disabled === true) }]
  const removed = getPayload(change, 'deleteStrategy')
  if (removed !== undefined) return known.filter(({ id }) => id !== removed.id)
  const updated = getPayload(change, 'updateStrategy')
  if (typeof updated?.disabled !== 'boolean') return known
  const disabled = Number(updated.disabled)
  return known.map((one) => (one.id === updated.id ? { ...one, disabled } : one))
}

/**
 * Returns the first later change that gives the flag an enabled strategy. Returns undefined if a change that turns the
 * flag off comes first.
 */
function findNextEnabling<C extends OrderedChange>(later: readonly C[]): C | undefined {
  const found = later.find((change) => turnsOff(change) || addsEnabledStrategy(change))
  return found === undefined || turnsOff(found) ? undefined : found
}

function addsEnabledStrategy(change: OrderedChange): boolean {
  const added = getPayload(change, 'addStrategy')
  return added === undefined ? getPayload(change, 'updateStrategy')?.disabled === false : added.disabled !== true
}

const turnsOn = (change: OrderedChange) => getPayload(change, 'updateEnabled')?.enabled === true
const turnsOff = (change: OrderedChange) => getPayload(change, 'updateEnabled')?.enabled === false

/**
 * Removes the request to enable disabled strategies from a change. At the change's original position there was no
 * strategy to enable, and strategies that later changes add must not be modified.
 */
function withoutActivation<C extends OrderedChange>(change: C): C {
  return { ...change, payload: { enabled: true, shouldActivateDisabledStrategies: false } }
}

function getPayload<A extends ChangeRow['action']>(change: OrderedChange, action: A): ChangePayload<A> | undefined {
  return change.action === action ? (change.payload as ChangePayload<A>) : undefined
}
