import type { AdminFeature } from '@burgee/protocol/admin-feature'
import type { VariantInput } from '@burgee/protocol/targeting/variant'
import { type FlagRef, fetchFlag } from '../../api/flags.ts'
import { ApiError } from '../../api/http.ts'
import { setVariants } from '../../api/strategies.ts'
import { findDifferences } from '../../diff/diff.ts'

/**
 * Saves a flag's variants with `save`. Returns a function that restores the previous variants in each environment. The
 * returned function rejects with ApiError 412 if the variants have changed since the save. Returns undefined if the
 * saved state cannot be fetched.
 */
export async function saveWithUndo(
  ref: FlagRef,
  environments: readonly string[],
  save: () => Promise<unknown>,
): Promise<(() => Promise<void>) | undefined> {
  const read = () => fetchVariants(ref, environments)
  const before = await read()
  await save()
  // If this fetch fails, the save still counts as successful.
  const after = await read().catch(() => undefined)
  if (after === undefined) return undefined
  return async () => {
    if (findDifferences(after, await read()).length > 0) throw new ApiError(412, 'changed since')
    for (const environment of environments) {
      await setVariants({ ...ref, environment }, before[environment] ?? [])
    }
  }
}

/** Fetches the current variants of a flag, keyed by environment. */
export async function fetchVariants(
  ref: FlagRef,
  environments: readonly string[],
): Promise<Readonly<Record<string, readonly VariantInput[]>>> {
  return getVariants(await fetchFlag(ref), environments)
}

function getVariants(
  { environments }: AdminFeature,
  names: readonly string[],
): Readonly<Record<string, readonly VariantInput[]>> {
  const named = environments.filter(({ name }) => names.includes(name))
  return Object.fromEntries(named.map(({ name, variants }) => [name, variants as VariantInput[]]))
}
