import { findFlag } from '@burgee/serving/document/environment-document'
import type { Reader } from '@burgee/storage/database'
import { listStrategies } from '@burgee/storage/queries/flags/strategies'
import type { ChangeAuthor } from '../../core/access/rights/rights.ts'
import { executeFlagChange } from '../../core/execute.ts'
import { inOneRoundTrip } from '../../core/in-one-round-trip.ts'
import type { World } from '../../core/world.ts'
import type { Documents } from '../../delivery/documents/documents.ts'
import { type FeatureEnvironmentRef, requireFeatureEnvironment } from './feature-ref.ts'
import { getEnabled, isAlreadyInState, type RequestedState, type SwitchResult, switchFlag } from './features.ts'

/**
 * Turns a flag on or off in one environment (see `switchFlag`). Scripts often request a state that the flag already
 * has. Such requests are answered without the writer lock; the reply is true for some time during the request. Throws
 * NotFoundError.
 */
export async function switchFeature(
  world: World & { readonly documents: Pick<Documents, 'peek'> },
  author: ChangeAuthor,
  to: FeatureEnvironmentRef & RequestedState,
): Promise<SwitchResult> {
  const document = world.documents.peek(to.environment)
  // the document in memory only decides whether a query is worth its cost
  const seemsAsWanted = document !== undefined && findFlag(document, to.feature)?.feature.enabled === to.enabled
  const unchanged = seemsAsWanted ? await readUnchanged(world.db.reader, to) : undefined
  return unchanged ?? executeFlagChange(world, author, switchFlag, to)
}

/** Returns the result if the flag already has the requested state; otherwise undefined. */
async function readUnchanged(
  reader: Reader,
  to: FeatureEnvironmentRef & RequestedState,
): Promise<SwitchResult | undefined> {
  const [before, strategies] = await inOneRoundTrip([
    requireFeatureEnvironment(reader, to),
    listStrategies(reader, to.feature, to.environment),
  ])
  return isAlreadyInState(before, strategies, to) ? { strategies: getEnabled(strategies) } : undefined
}
