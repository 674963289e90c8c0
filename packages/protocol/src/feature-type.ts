import Type, { type Static } from 'typebox'

/** Schemas for flag types. Source: wire protocol */

/** Expected lifetime in days of flags of a type; null means unlimited. */
const Days = Type.Union([Type.Integer({ minimum: 0, maximum: 2_147_483_647 }), Type.Null()])

/** Type of flags. */
export const FeatureType = Type.Object({
  id: Type.String(),
  name: Type.String(),
  description: Type.String(),
  lifetimeDays: Days,
})
export type FeatureType = Static<typeof FeatureType>

/** Response with the list of flag types. */
export const FeatureTypes = Type.Object({ version: Type.Integer(), types: Type.Array(FeatureType) })

/** Request body that sets the expected lifetime of flags of a type; 0 and null mean unlimited. */
export const Lifetime = Type.Object({ lifetimeDays: Days })
export type Lifetime = Static<typeof Lifetime>
