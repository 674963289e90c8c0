import Type, { type Static } from 'typebox'
import { Constraint } from '../feature.ts'
import { ConstraintInput } from './constraint.ts'
import { NO_IGNORED_RESTRICTION } from './restriction.ts'
import { SegmentId } from './segment.ts'
import { StoredVariant, VariantInput } from './variant.ts'

/** Schemas for strategies in the admin API. Source: wire protocol */

const TextOrNull = Type.Union([Type.String({ maxLength: 5000 }), Type.Null()])

const StrategyName = Type.String({ minLength: 1, maxLength: 100 })

/** Request body for a new strategy. A `flexibleRollout` without the parameter `rollout` applies to no one. */
export const StrategyInput = Type.Object(
  {
    name: StrategyName,
    title: Type.Optional(TextOrNull),
    disabled: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
    sortOrder: Type.Optional(Type.Integer({ minimum: -1_000_000, maximum: 1_000_000 })),
    parameters: Type.Optional(Type.Record(Type.String(), Type.String({ maxLength: 65_536 }))),
    constraints: Type.Optional(Type.Array(ConstraintInput)),
    segments: Type.Optional(Type.Array(SegmentId, { maxItems: 100 })),
    variants: Type.Optional(Type.Array(VariantInput)),
  },
  NO_IGNORED_RESTRICTION,
)
export type StrategyInput = Static<typeof StrategyInput>

/**
 * Request body that replaces a strategy. If name, title, disabled, parameters, segments or order are omitted, they keep
 * their stored values; omitted constraints and variants are removed. Source: wire protocol
 */
export const UpdateStrategy = Type.Object(
  { ...StrategyInput.properties, name: Type.Optional(StrategyName) },
  NO_IGNORED_RESTRICTION,
)
export type UpdateStrategy = Static<typeof UpdateStrategy>

/** Strategy that is added when a flag without strategies is turned on; it is never disabled. */
export const DefaultStrategy = Type.Omit(StrategyInput, ['sortOrder'], NO_IGNORED_RESTRICTION)
export type DefaultStrategy = Static<typeof DefaultStrategy>

/** Strategy in responses of the admin API. */
export const AdminStrategy = Type.Object({
  id: Type.String(),
  name: Type.String(),
  title: TextOrNull,
  disabled: Type.Boolean(),
  sortOrder: Type.Integer(),
  parameters: Type.Record(Type.String(), Type.String()),
  constraints: Type.Array(Constraint),
  segments: Type.Array(Type.Integer()),
  variants: Type.Array(StoredVariant),
})
export type AdminStrategy = Static<typeof AdminStrategy>
