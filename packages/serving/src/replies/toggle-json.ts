import type { Evaluation } from '@burgee/engine'

/** An evaluated toggle as SDKs read it in lists of all or of those that are on. */
export function toggleJson(result: Evaluation): string {
  return JSON.stringify(result.enabled ? item(result) : itemThatIsOff(result))
}

/** The same in a list that was asked for by names: with both spellings, and always with `impressionData`. */
export function listedToggleJson(result: Evaluation): string {
  return JSON.stringify({ ...item(result), impressionData: result.impressionData ?? false })
}

/** An evaluated toggle; both spellings say whether the feature is on. */
function item(result: Evaluation): object {
  const { name, enabled, impressionData } = result
  const variant = { ...inOrder(result), feature_enabled: enabled, featureEnabled: enabled }
  return { name, enabled, variant, impressionData }
}

/**
 * The variant with its members as the established proxy orders them, so that equal answers have equal bytes and tags:
 * `payload` stands before `enabled` where the feature itself has the variants, behind it where a strategy has them.
 */
function inOrder({ variant, variantSource }: Evaluation): object {
  const { name, payload, enabled } = variant
  if (payload === undefined || variantSource === 'strategy') return variant
  return { name, payload, enabled }
}

/** In the list of all toggles the variant of a toggle that is off has one spelling only. */
function itemThatIsOff({ name, variant, impressionData }: Evaluation): object {
  return { name, enabled: false, variant: { ...variant, feature_enabled: false }, impressionData }
}
