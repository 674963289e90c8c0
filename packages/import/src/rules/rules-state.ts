import type { VariantDefinition } from '@burgee/protocol/feature'
import type { Note } from '../model/fidelity.ts'
import { createState } from '../model/source-defaults.ts'
import type { SourceState, SourceStrategy } from '../model/source-flags.ts'
import { type AttributeTest, listTests, NotExpressible } from './condition.ts'
import { compileRules, type OrderedRule } from './ordered-rules.ts'
import { type FlagValues, listVariants } from './typed-values.ts'

/** A flag in an environment of another service. */
export interface StateRules {
  readonly flag: string
  readonly environment: string
  /** Rules that decide the flag. The rules are imported even if `isOn` is false, but have no effect then. */
  readonly rules: readonly OrderedRule[]
  readonly isOn?: boolean
  /** Values that the flag can have. All values are imported as variants, even values that no rule uses. */
  readonly values?: FlagValues
}

type Variant = Omit<VariantDefinition, 'weight'>

const WHOLE = 1000

/**
 * Compiles a flag in an environment, with notes for the report. A flag that cannot be expressed exactly is off, so that
 * the import never turns a flag on for additional users.
 */
export function compileState({ flag, environment, rules, isOn = true, values }: StateRules): {
  readonly state: SourceState
  readonly notes: Note[]
} {
  const name = `${flag} in ${environment}`
  const variants = values === undefined ? [] : listVariants(values)
  try {
    const { strategies, differences } = compileRules(rules, flag)
    const notes = differences.map((words): Note => ({ kind: 'flag', name, fidelity: 'approximated', words }))
    const enabled = isOn && strategies.length > 0
    return {
      state: addUnusedVariants(createState({ environment, enabled, strategies }), variants),
      notes: strategies.length === 0 ? notes : [...notes, ...listAttributeNotes(rules, name)],
    }
  } catch (error) {
    if (!(error instanceof NotExpressible)) throw error
    const words = `it is off here, and without its rules: ${error.message}`
    return {
      state: addUnusedVariants(createState({ environment, enabled: false }), variants),
      notes: [{ kind: 'flag', name, fidelity: 'not carried', words }],
    }
  }
}

/** Adds unused variants to the last strategy with weight 0, so that users can assign weights later. */
function addUnusedVariants(state: SourceState, variants: readonly Variant[]): SourceState {
  const last = state.strategies.at(-1)
  const [first] = variants
  if (first === undefined) return state
  if (last === undefined) return { ...state, variants: appendUnused([{ ...first, weight: WHOLE }], variants) }
  const given = state.strategies.flatMap(({ variants: own }) => own)
  const isOfType = ({ payload }: Variant) => given.every((one) => one.payload?.type === payload?.type)
  const unused = variants.filter((one) => isOfType(one) && !given.some(({ name }) => name === one.name))
  const kept: SourceStrategy = { ...last, variants: appendUnused(last.variants, unused) }
  return { ...state, strategies: [...state.strategies.slice(0, -1), kept] }
}

function appendUnused(given: readonly VariantDefinition[], variants: readonly Variant[]): VariantDefinition[] {
  const unused = variants.filter((one) => !given.some(({ name }) => name === one.name))
  const stickiness = given[0]?.stickiness ?? 'default'
  return [
    ...given.map((one): VariantDefinition => ({ weightType: 'variable', stickiness, ...one })),
    ...unused.map((one): VariantDefinition => ({ ...one, weightType: 'fix', weight: 0, stickiness })),
  ]
}

/** Reports on which attribute types the rules depend, because attributes have no types in Burgee. */
function listAttributeNotes(rules: readonly OrderedRule[], name: string): Note[] {
  const tests = rules.flatMap(({ when }) => listTests(when))
  const types = Map.groupBy(
    tests.filter(({ type, test }) => type !== undefined && test.contextName !== 'userId'),
    ({ test }) => test.contextName,
  )
  const fields = [...types].map(([field, all]) => ({ field, types: [...new Set(all.map(({ type }) => type))].sort() }))
  const clear = fields.filter((one) => one.types.length === 1).sort((a, b) => (a.field < b.field ? -1 : 1))
  const requested = clear.map(({ field, types: [type] }) => `"${field}" as a ${type}`).join(', ')
  const note = (fidelity: Note['fidelity'], words: string): Note => ({ kind: 'flag', name, fidelity, words })
  return [
    ...(requested === ''
      ? []
      : [
          note(
            'exact',
            `as in the source, while contexts have ${requested}: attributes have no types here, and lists are one string`,
          ),
        ]),
    ...fields
      .filter((one) => one.types.length > 1)
      .map((one) =>
        note(
          'approximated',
          `"${one.field}" is compared as a ${one.types.join(' and as a ')}, which are the same here: attributes have no types`,
        ),
      ),
    ...(tests.some(({ test }) => test.contextName === 'environment')
      ? [note('approximated', '"environment" is the environment of the token here, regardless of the context')]
      : []),
    ...listSentences(tests, ({ differs }) => differs).map((words) => note('approximated', words)),
    ...listSentences(tests, ({ caveat }) => caveat).map((words) => note('exact', words)),
  ]
}

function listSentences(
  tests: readonly AttributeTest[],
  sentenceOf: (test: AttributeTest) => string | undefined,
): string[] {
  return [...new Set(tests.map(sentenceOf).filter((words) => words !== undefined))]
}
