import type { AdminFeature } from '@burgee/protocol/admin-feature'
import type { ChangeInput } from '@burgee/protocol/administration/change-request'
import { findComparedFlag, isWithoutEffect } from './without-effect.ts'

/** Maximum number of flags whose state is fetched to find changes without effect. */
const MAX_COMPARED_FLAGS = 20

/** Current state with which proposed changes are compared. */
interface CurrentState {
  readonly fetchFlag: (name: string) => Promise<Pick<AdminFeature, 'environments'>>
  /** Fetches the names of the flags that the user's draft for the environment changes. */
  readonly fetchDrafted: () => Promise<ReadonlySet<string>>
}

/**
 * Returns the changes that would have an effect. A change that only repeats the current state has no effect, unless the
 * user's draft changes the same flag: the change may then revert the draft. If the state cannot be fetched, all changes
 * count as effective. A long list is returned unchanged, because the dialog that created it has already left out
 * changes without effect.
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
