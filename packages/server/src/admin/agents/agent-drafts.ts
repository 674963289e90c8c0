import { Problem } from '@burgee/protocol/problem'
import type { Reader } from '@burgee/storage/database'
import { listChanges } from '@burgee/storage/queries/change-requests/changes'
import { findDraft } from '@burgee/storage/queries/change-requests/requests'
import type { CheckedChange } from '../change-requests/change-actions.ts'
import type { FeatureEnvironmentRef } from '../flags/feature-ref.ts'

/**
 * Returns a user's draft for an environment, with the changes that it makes to a flag; undefined if there is no draft.
 */
async function findFlagDraft(reader: Reader, ref: FeatureEnvironmentRef, userId: number) {
  const draft = await findDraft(reader, ref, userId)
  if (draft === undefined) return undefined
  const changes = (await listChanges(reader, [draft.id])).filter(({ feature_name }) => feature_name === ref.feature)
  return { id: draft.id, title: draft.title, changes }
}

/** Returns true if a user's draft for an environment contains a change to the flag. */
export async function hasDraftChange(reader: Reader, ref: FeatureEnvironmentRef, userId: number): Promise<boolean> {
  const draft = await findFlagDraft(reader, ref, userId)
  return draft !== undefined && draft.changes.length > 0
}

/**
 * Rejects a new strategy for a flag whose draft already adds one: tools plan a change from the stored strategies, which
 * do not include the strategy in the draft. Throws ConflictError.
 */
export async function requireNoSecondStrategy(
  reader: Reader,
  { changes, userId, ...ref }: FeatureEnvironmentRef & { readonly changes: readonly CheckedChange[]; userId: number },
): Promise<void> {
  if (!changes.some(isNewStrategy)) return
  const draft = await findFlagDraft(reader, ref, userId)
  if (draft === undefined || !draft.changes.some(isNewStrategy)) return
  const where = `the flag "${ref.feature}" in the environment "${ref.environment}"`
  const message = `The draft "${draft.title}" (${draft.id}) already adds a strategy to ${where}. Edit or discard that change first.`
  throw new Problem('ConflictError', message)
}

const isNewStrategy = ({ action }: Pick<CheckedChange, 'action'>): boolean => action === 'addStrategy'
