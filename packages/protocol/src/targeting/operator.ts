/** Kind of operand with which an operator compares a context field or the current time. */
export type OperandKind = 'texts' | 'number' | 'date' | 'version' | 'regex' | 'networks'

/**
 * Constraint operators in display order, each with the kind of its operand. Schemas, checks and forms are derived from
 * this table. Source: spec "Constraint result item"; client-specification 09, 11, 13, 14, 21 and 22.
 */
export const OPERATORS = {
  IN: 'texts',
  NOT_IN: 'texts',
  STR_CONTAINS: 'texts',
  STR_STARTS_WITH: 'texts',
  STR_ENDS_WITH: 'texts',
  NUM_EQ: 'number',
  NUM_GT: 'number',
  NUM_GTE: 'number',
  NUM_LT: 'number',
  NUM_LTE: 'number',
  DATE_AFTER: 'date',
  DATE_BEFORE: 'date',
  SEMVER_EQ: 'version',
  SEMVER_GT: 'version',
  SEMVER_GTE: 'version',
  SEMVER_LT: 'version',
  SEMVER_LTE: 'version',
  REGEX: 'regex',
  IN_CIDR: 'networks',
} as const satisfies Readonly<Record<string, OperandKind>>

/** Name of an operator. */
export type Operator = keyof typeof OPERATORS

/** Names of all operators, in the order of {@link OPERATORS}. */
export const OPERATOR_NAMES = Object.keys(OPERATORS) as readonly Operator[]
