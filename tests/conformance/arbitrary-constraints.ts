import { OPERATOR_NAMES, OPERATORS, type OperandKind } from '@burgee/protocol/targeting/operator'
import * as fc from 'fast-check'
import { maybe, sometimesJunk, textOfKind } from './arbitrary-values.ts'
import { KINDS, type Kind } from './edge-values.ts'

/** For each kind of generated value, the operands of that kind in the protocol. */
const OPERAND: Readonly<Record<Kind, OperandKind>> = {
  text: 'texts',
  number: 'number',
  date: 'date',
  version: 'version',
  pattern: 'regex',
  address: 'networks',
}

const operatorsOf = (kind: Kind) => OPERATOR_NAMES.filter((name) => OPERATORS[name] === OPERAND[kind])

/** Kind of context value that an operator compares. */
const SUBJECT: Readonly<Record<Kind, Kind>> = {
  text: 'text',
  number: 'number',
  date: 'date',
  version: 'version',
  pattern: 'text',
  address: 'address',
}

const FIELD_NAMES = [
  'userId',
  'sessionId',
  'remoteAddress',
  'appName',
  'environment',
  'missing',
  '',
  'properties',
  'currentTime',
  ...KINDS,
]

const constraint = fc.constantFrom(...KINDS, 'text' as const).chain((kind) =>
  sometimesJunk(
    fc.record(
      {
        contextName: sometimesJunk(
          fc.oneof(
            { weight: 7, arbitrary: fc.constant(SUBJECT[kind]) },
            { weight: 2, arbitrary: fc.constantFrom(...FIELD_NAMES) },
          ),
        ),
        operator: fc.oneof(
          { weight: 40, arbitrary: fc.constantFrom(...operatorsOf(kind)) },
          { weight: 1, arbitrary: fc.constantFrom('', 'in', 'NOPE', 'constructor', null) },
        ),
        values: sometimesJunk(valuesOf(kind)),
        value: operandOf(kind),
        inverted: maybe(sometimesJunk(fc.boolean()), 2),
        caseInsensitive: maybe(sometimesJunk(fc.boolean()), 2),
      },
      { requiredKeys: ['contextName', 'operator', 'values', 'value'] },
    ),
    200,
  ),
)

/**
 * Generates operands. Patterns are always strings. The SDK caches compiled patterns by their text, so its result for
 * null depends on earlier patterns with the text "null". The unit tests cover patterns that are not strings.
 */
function operandOf(kind: Kind): fc.Arbitrary<unknown> {
  if (kind === 'pattern') return textOfKind(kind)
  const value = sometimesJunk(textOfKind(kind), 25)
  return fc.oneof({ weight: 15, arbitrary: value }, { weight: 1, arbitrary: fc.constant(null) })
}

function valuesOf(kind: Kind): fc.Arbitrary<unknown[]> {
  const value = fc.oneof(
    { weight: 60, arbitrary: textOfKind(kind) as fc.Arbitrary<unknown> },
    { weight: 1, arbitrary: fc.constantFrom(null, 0, 5, false) },
  )
  return fc.oneof(
    { weight: 20, arbitrary: fc.array(value, { maxLength: 6 }) },
    {
      weight: 1,
      arbitrary: fc
        .array(value, { minLength: 1, maxLength: 3 })
        .map((some) => Array.from({ length: 2000 }, (_, i) => some[i] ?? `v${i}`)),
    },
  )
}

/** List of constraints, mostly short. */
export const constraints = sometimesJunk(fc.array(constraint, { maxLength: 2 }), 80)
