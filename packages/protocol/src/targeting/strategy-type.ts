import Type, { type Static } from 'typebox'

/** Schemas for strategy types, built-in and custom. Source: wire protocol */

/** Parameter of a strategy type. */
export const ParameterDefinition = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 100 }),
  type: Type.Enum(['string', 'percentage', 'list', 'number', 'boolean']),
  description: Type.Optional(Type.String({ maxLength: 1000 })),
  required: Type.Optional(Type.Boolean()),
})
export type ParameterDefinition = Static<typeof ParameterDefinition>

const Details = {
  title: Type.Optional(Type.Union([Type.String({ maxLength: 200 }), Type.Null()])),
  description: Type.Optional(Type.Union([Type.String({ maxLength: 5000 }), Type.Null()])),
  parameters: Type.Array(ParameterDefinition, { maxItems: 100 }),
}

/** Request body for a new strategy type. */
export const CreateStrategyType = Type.Object({ name: Type.String({ minLength: 1, maxLength: 100 }), ...Details })
export type CreateStrategyType = Static<typeof CreateStrategyType>

/**
 * Request body that replaces a strategy type, except for its name; an omitted title or description keeps its stored
 * value.
 */
export const UpdateStrategyType = Type.Object(Details)
export type UpdateStrategyType = Static<typeof UpdateStrategyType>

/** Strategy type in responses of the admin API. */
export const StrategyTypeView = Type.Object({
  name: Type.String(),
  title: Type.Union([Type.String(), Type.Null()]),
  displayName: Type.String(),
  description: Type.Union([Type.String(), Type.Null()]),
  editable: Type.Boolean(),
  deprecated: Type.Boolean(),
  parameters: Type.Array(ParameterDefinition),
})
export type StrategyTypeView = Static<typeof StrategyTypeView>

/** Response with the list of strategy types. */
export const StrategyTypes = Type.Object({ version: Type.Integer(), strategies: Type.Array(StrategyTypeView) })
