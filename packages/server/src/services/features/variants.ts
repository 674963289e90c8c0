import { compareText } from '@burgee/kit/compare-text'
import type { VariantDefinition } from '@burgee/protocol/feature'
import type { VariantInput } from '@burgee/protocol/targeting/variant'
import type { Change } from '../execute.ts'
import { type FeatureEnvironmentRef, requireFeatureEnvironment } from './feature-ref.ts'
import { flagVariants } from './weights.ts'

/**
 * Replaces the variants of a flag in an environment; the same again is no event. Throws NotFoundError, ValidationError.
 */
export const setVariants: Change<
  FeatureEnvironmentRef & { readonly variants: readonly VariantInput[] },
  VariantDefinition[]
> = (tx, { variants, ...to }, moment) => changeVariants(tx, { ...to, edit: () => variants }, moment)

/** The same by an edit of those that are there, within the transaction. Throws also what the edit throws. */
export const changeVariants: Change<
  FeatureEnvironmentRef & { readonly edit: (before: readonly VariantDefinition[]) => readonly VariantInput[] },
  VariantDefinition[]
> = async (tx, { edit, ...to }) => {
  const before = await requireFeatureEnvironment(tx, to)
  const variants = flagVariants(edit(before.variants)).sort((a, b) => compareText(a.name, b.name))
  const json = JSON.stringify(variants)
  if (json === JSON.stringify(before.variants)) return { result: variants, events: [] }
  await tx
    .updateTable('feature_environments')
    .set({ variants: json })
    .where('feature_name', '=', to.feature)
    .where('environment', '=', to.environment)
    .execute()
  const event = {
    type: 'feature-environment-variants-updated' as const,
    project: to.project,
    environment: to.environment,
    featureName: to.feature,
    data: { variants },
    preData: { variants: before.variants },
  }
  return { result: variants, events: [event] }
}
