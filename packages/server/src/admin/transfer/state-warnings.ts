import { listFlags, type StateFlag } from '@burgee/import/unleash/documents/state-flags'
import { runInSlices } from '@burgee/kit/slices'
import type { StateDocument } from '@burgee/protocol/administration/state'
import { findReadingWarnings, formatImportLocation, type ImportWarning, type StoredPart } from './import-warnings.ts'

/**
 * Warns about values in a document's segments, and in `flags`, that SDKs interpret differently. Yields to other work,
 * so it must not run inside a change, for which other changes would have to wait.
 */
export function findStateWarnings(
  document: StateDocument,
  flags: readonly StateFlag[] = listFlags(document),
): Promise<ImportWarning[]> {
  return runInSlices(findReadingWarnings(listStoredParts(document, flags)))
}

function* listStoredParts({ segments = [] }: StateDocument, flags: readonly StateFlag[]): Generator<StoredPart> {
  for (const { name, constraints } of segments) yield { place: name, strategies: [{ name, constraints }] }
  for (const { feature, environments } of flags) {
    for (const { environment, strategies, variants } of environments) {
      yield { place: formatImportLocation(feature.name, environment), strategies, variants }
    }
  }
}
