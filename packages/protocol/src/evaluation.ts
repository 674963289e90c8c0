import Type, { type Static } from 'typebox'
import { Payload } from './feature.ts'

/**
 * What evaluation answers: evaluated toggles for SDKs, and what the SDKs send back (metrics, registration).
 * Source: spec "Evaluated toggle", "Variant", "Proxy endpoints".
 */

/**
 * The variant of a feature for one context; `{name: 'disabled', enabled: false}` when there is none.
 * SDKs of different age read `feature_enabled` or `featureEnabled`: both say whether the feature itself is on.
 */
export const Variant = Type.Object({
  name: Type.String(),
  enabled: Type.Boolean(),
  payload: Type.Optional(Payload),
  feature_enabled: Type.Optional(Type.Boolean()),
  featureEnabled: Type.Optional(Type.Boolean()),
})
export type Variant = Static<typeof Variant>

/** One feature, evaluated. `impressionData` is the definition's value, absent or null where the definition says so. */
export const EvaluatedToggle = Type.Object({
  name: Type.String(),
  enabled: Type.Boolean(),
  variant: Variant,
  impressionData: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
})
export type EvaluatedToggle = Static<typeof EvaluatedToggle>

/** Reply of every evaluation endpoint. */
export const Toggles = Type.Object({ toggles: Type.Array(EvaluatedToggle) })
export type Toggles = Static<typeof Toggles>
