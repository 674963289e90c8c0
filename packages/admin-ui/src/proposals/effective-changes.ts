import type { AdminFeature } from '@burgee/protocol/admin-feature'
import type { ChangeInput } from '@burgee/protocol/administration/change-request'
import { findComparedFlag, isWithoutEffect } from './without-effect.ts'

/** Maximum number of flags that are fetched to find changes without effect. */
const MAX_COMPARED_FLAGS = 20

/** Current state that proposed changes are compared with. */
interface CurrentState {
  readonly fetchFlag: (name: string) => Promise<Pick<AdminFeature, 'environments'>>
  /** Fetches the names of the flags that the user's draft for the environment changes. */
  readonly fetchDrafted: () => Promise<ReadonlySet<string>>
}

/**
 * Returns the changes that have an effect. A change that repeats the current state has no effect, unless the user's
 * draft changes the same flag: then the proposal may revert the draft. If the state cannot be fetched, all changes
 * count as effective. Long lists are returned unchanged, because their dialogs already leave out changes without
 * effect.
 */
export async function listEffectiveChanges(
  changes: readonly ChangeInput[],
  environment: string,
  { fetchFlag, fetchDrafted }: CurrentState,
): Promise<readonly ChangeInput[]> {
  const compared = new Set(changes.map(findComparedFlag).filter((name) => name !== undefined))
  if (compared.size === 0 || compared.size > MAX_COMPARED_FLAGS) return changes
  const drafted = await fetchDrafted().catch(() => undefined)
  if (drafted === undefined) return changes
  const names = [...compared].filter((name) => !drafted.has(name))
  const fetched = await Promise.all(names.map((name) => fetchFlag(name).catch(() => undefined)))
  const flags = new Map(names.map((name, index) => [name, fetched[index]]))
  return changes.filter((change) => {
    const flag = flags.get(findComparedFlag(change) ?? '')
    const now = flag?.environments.find(({ name }) => name === environment)
    return now === undefined || !isWithoutEffect(change, now)
  })
}
