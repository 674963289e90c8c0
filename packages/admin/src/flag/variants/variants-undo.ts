import type { AdminFeature } from '@burgee/protocol/admin-feature'
import type { VariantInput } from '@burgee/protocol/targeting/variant'
import { type FlagRef, flag } from '../../api/flags.ts'
import { ApiError } from '../../api/http.ts'
import { setVariants } from '../../api/strategies.ts'
import { differences } from '../../difference/difference.ts'

/**
 * Saves variants of a flag in environments by `save`, and hands out the way back: each environment has again what it had.
 * That rejects with ApiError 412 where somebody has changed them since. There is none where it cannot be read what was saved.
 */
export async function withWayBack(
  ref: FlagRef,
  environments: readonly string[],
  save: () => Promise<unknown>,
): Promise<(() => Promise<void>) | undefined> {
  const read = () => readVariants(ref, environments)
  const before = await read()
  await save()
  // it is saved, whatever becomes of this question
  const after = await read().catch(() => undefined)
  if (after === undefined) return undefined
  return async () => {
    if (differences(after, await read()).length > 0) throw new ApiError(412, 'changed since')
    for (const environment of environments) {
      await setVariants({ ...ref, environment }, before[environment] ?? [])
    }
  }
}

/** Variants of a flag in environments, by their names, as they are now. */
export async function readVariants(
  ref: FlagRef,
  environments: readonly string[],
): Promise<Readonly<Record<string, readonly VariantInput[]>>> {
  return variantsIn(await flag(ref), environments)
}

function variantsIn(
  { environments }: AdminFeature,
  names: readonly string[],
): Readonly<Record<string, readonly VariantInput[]>> {
  const named = environments.filter(({ name }) => names.includes(name))
  return Object.fromEntries(named.map(({ name, variants }) => [name, variants as VariantInput[]]))
}
