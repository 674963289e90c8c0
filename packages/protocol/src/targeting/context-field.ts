import Type, { type Static } from 'typebox'

/** Schemas for context fields. Source: wire protocol */

/** Legal value of a context field. If a field has legal values, constraints on the field may use only these values. */
export const LegalValue = Type.Object({
  value: Type.String({ minLength: 1, maxLength: 100 }),
  description: Type.Optional(Type.String({ maxLength: 1000 })),
})
export type LegalValue = Static<typeof LegalValue>

const Details = {
  description: Type.Optional(Type.Union([Type.String({ maxLength: 5000 }), Type.Null()])),
  stickiness: Type.Optional(Type.Boolean()),
  sortOrder: Type.Optional(Type.Integer({ minimum: -1_000_000, maximum: 1_000_000 })),
  legalValues: Type.Optional(Type.Array(LegalValue, { maxItems: 1000 })),
}

/** Request body for a new context field. */
export const CreateContextField = Type.Object({ name: Type.String({ minLength: 1, maxLength: 100 }), ...Details })
export type CreateContextField = Static<typeof CreateContextField>

/** Request body that changes a context field, except for its name; omitted properties keep their stored values. */
export const UpdateContextField = Type.Object(Details)
export type UpdateContextField = Static<typeof UpdateContextField>

/** Context field in responses of the admin API. */
export const ContextFieldView = Type.Object({
  name: Type.String(),
  description: Type.Union([Type.String(), Type.Null()]),
  stickiness: Type.Boolean(),
  sortOrder: Type.Integer(),
  legalValues: Type.Array(LegalValue),
  createdAt: Type.String(),
  /** True for a field that every SDK knows. A built-in field cannot be removed. */
  builtIn: Type.Boolean(),
  usedInProjects: Type.Integer(),
  usedInFeatures: Type.Integer(),
})
export type ContextFieldView = Static<typeof ContextFieldView>

/** Strategy of a flag that uses a context field, a segment or a strategy type. */
export const StrategyUse = Type.Object({
  id: Type.String(),
  projectId: Type.String(),
  featureName: Type.String(),
  strategyName: Type.String(),
  environment: Type.String(),
})
export type StrategyUse = Static<typeof StrategyUse>

/** Response with the strategies that use an object, such as a context field. */
export const StrategiesUsing = Type.Object({ strategies: Type.Array(StrategyUse) })

/**
 * Response with the strategies that use a segment. Strategies in change requests are returned by separate routes.
 * Source: wire protocol
 */
export const StrategiesUsingSegment = Type.Object({
  ...StrategiesUsing.properties,
  changeRequestStrategies: Type.Array(StrategyUse),
})

/** Request body for checking whether the name of a context field is available. */
export const FieldName = Type.Object({ name: Type.String({ minLength: 1, maxLength: 100 }) })
