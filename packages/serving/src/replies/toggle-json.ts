import type { Evaluation } from '@burgee/engine'

/** Returns the JSON of an evaluated toggle, in the form for lists of all toggles or of toggles that are on. */
export function formatToggle(result: Evaluation): string {
  return JSON.stringify(result.enabled ? toToggle(result) : toDisabledToggle(result))
}

/**
 * Returns the JSON of an evaluated toggle, in the form for lists of toggles requested by name. Toggles requested by
 * name always contain `feature_enabled`, `featureEnabled` and `impressionData`.
 */
export function formatListedToggle(result: Evaluation): string {
  return JSON.stringify({ ...toToggle(result), impressionData: result.impressionData ?? false })
}

/** Builds an evaluated toggle. `feature_enabled` and `featureEnabled` are both true if the feature is on. */
function toToggle(result: Evaluation): object {
  const { name, enabled, impressionData } = result
  const variant = { ...orderVariant(result), feature_enabled: enabled, featureEnabled: enabled }
  return { name, enabled, variant, impressionData }
}

/**
 * Orders the properties of the variant like the Unleash proxy, so that equal responses have equal bytes and ETags.
 * `payload` precedes `enabled` if the variant is defined on the feature, and follows it if the variant is defined on a
 * strategy.
 */
function orderVariant({ variant, variantSource }: Evaluation): object {
  const { name, payload, enabled } = variant
  if (payload === undefined || variantSource === 'strategy') return variant
  return { name, payload, enabled }
}

/** Builds a toggle that is off for the list of all toggles, in which its variant has only one of the two spellings. */
function toDisabledToggle({ name, variant, impressionData }: Evaluation): object {
  return { name, enabled: false, variant: { ...variant, feature_enabled: false }, impressionData }
}
