import type { ChangePayload, DefaultChange } from '@burgee/protocol/administration/change-request'
import type { ChangeRow } from '../../store/change-requests/changes.ts'
import type { RequestRow } from '../../store/change-requests/requests.ts'
import type { Reader } from '../../store/database.ts'
import { strategiesOf } from '../../store/features/strategies.ts'
import { defaultStrategyFor, lacksStrategy } from '../projects/default-strategy.ts'

type Proposed = Pick<ChangeRow, 'feature_name' | 'action' | 'payload'>

/**
 * What a change request adds without saying so: a flag that it turns on, and that would be left without an enabled
 * strategy, gets the default one of its project there. By the name of the flag.
 */
export async function defaultChanges(
  reader: Reader,
  place: Pick<RequestRow, 'project' | 'environment'>,
  changes: readonly Proposed[],
): Promise<ReadonlyMap<string, DefaultChange>> {
  const found = new Map<string, DefaultChange>()
  for (const [name, own] of Map.groupBy(changes, ({ feature_name }) => feature_name)) {
    if (name === null || !(await needsDefault(reader, { name, environment: place.environment }, own))) continue
    found.set(name, { action: 'addStrategy', payload: await defaultStrategyFor(reader, place) })
  }
  return found
}

async function needsDefault(
  reader: Reader,
  { name, environment }: { readonly name: string; readonly environment: string },
  changes: readonly Proposed[],
): Promise<boolean> {
  const [turned] = payloadsOf(changes, 'updateEnabled').filter(({ enabled }) => enabled)
  if (turned === undefined) return false
  const removed = new Set(payloadsOf(changes, 'deleteStrategy').map(({ id }) => id))
  const kept = (await strategiesOf(reader, name, environment)).filter(({ id }) => !removed.has(id))
  const added = payloadsOf(changes, 'addStrategy').map(({ disabled }) => ({ disabled: Number(disabled === true) }))
  return lacksStrategy([...kept, ...added], turned.shouldActivateDisabledStrategies === true)
}

function payloadsOf<A extends ChangeRow['action']>(changes: readonly Proposed[], action: A): ChangePayload<A>[] {
  return changes.filter((one) => one.action === action).map(({ payload }) => payload as ChangePayload<A>)
}
