import Type, { type Static } from 'typebox'

/** Schemas for types of flags. Source: wire protocol */

/** Expected lifetime of flags of a type; null means unlimited. */
const Days = Type.Union([Type.Integer({ minimum: 0, maximum: 2_147_483_647 }), Type.Null()])

/** Type of flags. */
export const FeatureType = Type.Object({
  id: Type.String(),
  name: Type.String(),
  description: Type.String(),
  lifetimeDays: Days,
})
export type FeatureType = Static<typeof FeatureType>

/** Response of the list of types. */
export const FeatureTypes = Type.Object({ version: Type.Integer(), types: Type.Array(FeatureType) })

/** Body that sets the expected lifetime; 0 and null mean unlimited. */
export const Lifetime = Type.Object({ lifetimeDays: Days })
export type Lifetime = Static<typeof Lifetime>
