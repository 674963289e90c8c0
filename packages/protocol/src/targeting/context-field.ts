import Type, { type Static } from 'typebox'

/** Bodies around context fields. Source: wire protocol */

/** A value that constraints may use, where a field has such a list. */
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

/** Body of a new context field. */
export const CreateContextField = Type.Object({ name: Type.String({ minLength: 1, maxLength: 100 }), ...Details })
export type CreateContextField = Static<typeof CreateContextField>

/** Body that changes a context field but for its name; what is left out stays. */
export const UpdateContextField = Type.Object(Details)
export type UpdateContextField = Static<typeof UpdateContextField>

/** A context field as the admin API shows it. */
export const ContextFieldView = Type.Object({
  name: Type.String(),
  description: Type.Union([Type.String(), Type.Null()]),
  stickiness: Type.Boolean(),
  sortOrder: Type.Integer(),
  legalValues: Type.Array(LegalValue),
  createdAt: Type.String(),
  /** Every SDK fills it in or knows it: it cannot be removed. */
  builtIn: Type.Boolean(),
  usedInProjects: Type.Integer(),
  usedInFeatures: Type.Integer(),
})
export type ContextFieldView = Static<typeof ContextFieldView>

/** A strategy of a flag that uses something: a context field, a segment, a type of strategy. */
export const StrategyUse = Type.Object({
  id: Type.String(),
  projectId: Type.String(),
  featureName: Type.String(),
  strategyName: Type.String(),
  environment: Type.String(),
})
export type StrategyUse = Static<typeof StrategyUse>

/** Reply of the strategies that use something. */
export const StrategiesUsing = Type.Object({ strategies: Type.Array(StrategyUse) })

/** Reply of the strategies that use a segment. Change requests are read by their own routes. Source: wire protocol */
export const StrategiesUsingSegment = Type.Object({
  ...StrategiesUsing.properties,
  changeRequestStrategies: Type.Array(StrategyUse),
})

/** Body that asks whether a name is free. */
export const FieldName = Type.Object({ name: Type.String({ minLength: 1, maxLength: 100 }) })
