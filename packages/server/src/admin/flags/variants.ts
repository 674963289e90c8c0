import type { VariantDefinition } from '@burgee/protocol/feature'
import type { VariantInput } from '@burgee/protocol/targeting/variant'
import type { Tx } from '@burgee/storage/database'
import type { Change } from '../../core/execute.ts'
import { requireWellFormed } from '../targeting/well-formed.ts'
import { type FeatureEnvironmentRef, requireFeatureEnvironment } from './feature-ref.ts'
import { requireReadablePayloads } from './payloads.ts'
import { arrangeVariants } from './variant-order.ts'
import { toFlagVariants } from './weights.ts'

/**
 * Replaces the variants of a flag in an environment, in the order that `arrangeVariants` returns. Unchanged variants
 * create no event. Throws NotFoundError, ValidationError.
 */
export const setVariants: Change<
  FeatureEnvironmentRef & { readonly variants: readonly VariantInput[] },
  VariantDefinition[]
> = (tx, { variants, ...to }, context) => changeVariants(tx, { ...to, edit: () => variants }, context)

/**
 * Replaces the variants without changing their order and weights, so that copies and imports evaluate in the same way
 * as their source.
 */
export const copyVariants: Change<
  FeatureEnvironmentRef & { readonly variants: readonly VariantInput[] },
  VariantDefinition[]
> = async (tx, { variants, ...to }) => {
  const before = await requireFeatureEnvironment(tx, to)
  return storeVariants(tx, to, before.variants, toFlagVariants(variants, true))
}

/**
 * Edits the current variants within the transaction. Throws the same errors as `setVariants`, and the errors of `edit`.
 */
export const changeVariants: Change<
  FeatureEnvironmentRef & { readonly edit: (before: readonly VariantDefinition[]) => readonly VariantInput[] },
  VariantDefinition[]
> = async (tx, { edit, ...to }) => {
  const before = await requireFeatureEnvironment(tx, to)
  const wanted = edit(before.variants)
  requireWellFormed(wanted, 'body/variants')
  requireReadablePayloads(wanted, before.variants)
  return storeVariants(tx, to, before.variants, arrangeVariants(toFlagVariants(wanted), before.variants))
}

async function storeVariants(
  tx: Tx,
  to: FeatureEnvironmentRef,
  before: readonly VariantDefinition[],
  variants: VariantDefinition[],
) {
  const json = JSON.stringify(variants)
  if (json === JSON.stringify(before)) return { result: variants, events: [] }
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
    preData: { variants: before },
  }
  return { result: variants, events: [event] }
}
