import { invalid } from '@burgee/kit/input/refusals'
import type { FlagOverride } from '@burgee/protocol/administration/test-run'
import { type DocumentState, findFlag } from '../document/environment-document.ts'
import { hasVariant } from './overridden-flag.ts'

/** Throws a ValidationError that names the override of a flag or variant that the project does not have. */
export function requireOverridable(
  state: DocumentState,
  project: string,
  overrides: Readonly<Record<string, FlagOverride | null>>,
): void {
  for (const [name, override] of Object.entries(overrides)) {
    // an override of a flag that was deleted since can be removed
    if (override === null) continue
    const entry = findFlag(state, name)
    const path = `body/overrides/${name}`
    if (entry?.project !== project) throw invalid(`There is no flag "${name}" in this environment.`, path)
    if (typeof override === 'object' && !hasVariant(entry.feature, override.variant)) {
      throw invalid(`The flag "${name}" has no variant "${override.variant}" in this environment.`, path)
    }
  }
}
