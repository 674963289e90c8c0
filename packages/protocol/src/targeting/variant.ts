import Type, { type Static } from 'typebox'
import { Payload, VariantOverride } from '../feature.ts'
import { MAX_VALUES } from './constraint.ts'
import { NO_IGNORED_RESTRICTION } from './restriction.ts'

/** Schemas for variants in the admin API. Source: wire protocol */

/** Override of a variant in the form that users enter. */
export const OverrideInput = Type.Object({
  contextName: Type.String(),
  values: Type.Array(Type.String(), { maxItems: MAX_VALUES }),
})

/** Payload of a variant in the form that users enter. */
export const PayloadInput = Type.Object({
  type: Type.Enum(['json', 'csv', 'string', 'number']),
  value: Type.String({ maxLength: 65_536 }),
})

/** Variant in the form that users enter. The server recomputes the weights of variants whose weight is variable. */
export const VariantInput = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 100 }),
    weight: Type.Integer({ minimum: 0, maximum: 1000 }),
    weightType: Type.Optional(Type.Enum(['variable', 'fix'])),
    stickiness: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    payload: Type.Optional(PayloadInput),
    overrides: Type.Optional(Type.Array(OverrideInput)),
  },
  NO_IGNORED_RESTRICTION,
)
export type VariantInput = Static<typeof VariantInput>

/** Variant as stored. A variant of a strategy that has no `stickiness` uses the stickiness of the strategy. */
export const StoredVariant = Type.Object({
  name: Type.String(),
  weight: Type.Number(),
  weightType: Type.String(),
  stickiness: Type.Optional(Type.String()),
  payload: Type.Optional(Payload),
  overrides: Type.Optional(Type.Array(VariantOverride)),
})

/** Response with the variants of a flag in an environment. */
export const Variants = Type.Object({ version: Type.Integer(), variants: Type.Array(StoredVariant) })
export type Variants = Static<typeof Variants>
