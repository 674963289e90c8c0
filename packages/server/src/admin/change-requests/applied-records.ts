import type { PreviousState } from '@burgee/protocol/administration/change-request'
import type { Reader, Tx } from '@burgee/storage/database'
import type { AppliedRecord } from '@burgee/storage/queries/change-requests/change-request-tables'
import { type ChangeRow, listChanges, storeApplied } from '@burgee/storage/queries/change-requests/changes'
import type { RequestRow } from '@burgee/storage/queries/change-requests/requests'
import { toAdminStrategy } from '../flags/feature-views.ts'
import { orderChanges } from './change-order.ts'
import { readFlagRows } from './conflict-bases.ts'
import type { RequestAct } from './request-ref.ts'

/**
 * For each flag, stores its current state and the user who applies the request, in the row of the flag's first change.
 * Later views of the request can then show the changes that the request has made. Call this before the changes are
 * made.
 */
export async function recordStates(tx: Tx, request: RequestRow, actor: RequestAct['actor']): Promise<void> {
  const changes = await listChanges(tx, [request.id])
  const { defaults } = await orderChanges(tx, request, changes)
  const by = { id: actor.userId, username: actor.name }
  for (const [feature, [first]] of Map.groupBy(changes, ({ feature_name }) => feature_name)) {
    if (first === undefined) continue
    const before = feature === null ? undefined : await readState(tx, feature, request.environment)
    await storeApplied(tx, first, { by, before, added: defaults.get(feature ?? '')?.payload })
  }
}

async function readState(reader: Reader, feature: string, environment: string): Promise<PreviousState | undefined> {
  const flag = await readFlagRows(reader, feature, environment)
  if (flag === undefined) return undefined
  const { state, strategies, parents } = flag
  return {
    enabled: state.enabled === 1,
    strategies: strategies.map(toAdminStrategy),
    variants: state.variants as PreviousState['variants'],
    dependencies: parents.map((one) => ({
      feature: one.parent,
      enabled: one.enabled === 1,
      variants: one.variants,
    })),
  }
}

/** Returns the stored states of an applied request, keyed by flag, and the user who applied it. */
export function readAppliedRecords(changes: readonly Pick<ChangeRow, 'feature_name' | 'base'>[]) {
  const records = new Map<string, AppliedRecord>()
  for (const { feature_name, base } of changes) {
    if (base.applied !== undefined) records.set(feature_name ?? '', base.applied)
  }
  return { records, by: records.values().next().value?.by }
}
