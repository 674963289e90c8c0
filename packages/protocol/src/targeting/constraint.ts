import Type, { type Static } from 'typebox'
import { OPERATOR_NAMES } from './operator.ts'

/** Maximum number of values in a list in a constraint or override. Options of the server may set lower limits. */
export const MAX_VALUES = 10_000

/**
 * Constraint in the form that users enter. The operator is validated, and properties that the schema does not declare
 * are rejected.
 */
export const ConstraintInput = Type.Object(
  {
    contextName: Type.String({ minLength: 1, maxLength: 100 }),
    operator: Type.Enum([...OPERATOR_NAMES]),
    values: Type.Optional(Type.Array(Type.String({ maxLength: 1000 }), { maxItems: MAX_VALUES })),
    value: Type.Optional(Type.String({ maxLength: 1000 })),
    inverted: Type.Optional(Type.Boolean()),
    caseInsensitive: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
)
export type ConstraintInput = Static<typeof ConstraintInput>
