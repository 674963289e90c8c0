import { findFlag } from '@burgee/serving/document/environment-document'
import type { Reader } from '../../store/database.ts'
import type { Author } from '../../store/events/events.ts'
import { strategiesOf } from '../../store/features/strategies.ts'
import type { Documents } from '../documents/documents.ts'
import { executeFlagChange } from '../execute.ts'
import { together } from '../together.ts'
import type { World } from '../world.ts'
import { type FeatureEnvironmentRef, requireFeatureEnvironment } from './feature-ref.ts'
import { isAsWanted, switchFlag, type WantedState } from './features.ts'

/**
 * Turns a flag on or off in one environment (see `switchFlag`). Scripts often request a state that the flag already
 * has. This is detected without the writer lock, and the reply was then true at some time during the request. Throws
 * NotFoundError.
 */
export async function switchFeature(
  world: World & { readonly documents: Pick<Documents, 'known'> },
  author: Author,
  to: FeatureEnvironmentRef & WantedState,
): Promise<void> {
  const document = world.documents.known(to.environment)
  // the document in memory only decides if a query is worthwhile
  const seemsAsWanted = document !== undefined && findFlag(document, to.feature)?.feature.enabled === to.enabled
  if (seemsAsWanted && (await needsNothing(world.db.reader, to))) return
  await executeFlagChange(world, author, switchFlag, to)
}

async function needsNothing(reader: Reader, to: FeatureEnvironmentRef & WantedState): Promise<boolean> {
  const [before, strategies] = await together([
    requireFeatureEnvironment(reader, to),
    strategiesOf(reader, to.feature, to.environment),
  ])
  return isAsWanted(before, strategies, to)
}
