import Type, { type Static } from 'typebox'

/** Bodies around types of flags. Source: wire protocol */

/** How long flags of a type are meant to live; null for ever. */
const Days = Type.Union([Type.Integer({ minimum: 0, maximum: 2_147_483_647 }), Type.Null()])

/** A type of flags. */
export const FeatureType = Type.Object({
  id: Type.String(),
  name: Type.String(),
  description: Type.String(),
  lifetimeDays: Days,
})
export type FeatureType = Static<typeof FeatureType>

/** Reply of the list of types. */
export const FeatureTypes = Type.Object({ version: Type.Integer(), types: Type.Array(FeatureType) })

/** Body that sets a lifetime; 0 and null are for ever. */
export const Lifetime = Type.Object({ lifetimeDays: Days })
export type Lifetime = Static<typeof Lifetime>
