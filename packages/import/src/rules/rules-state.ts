import type { VariantDefinition } from '@burgee/protocol/feature'
import type { Note } from '../model/fidelity.ts'
import { stateWith } from '../model/held-defaults.ts'
import type { HeldState, HeldStrategy } from '../model/held-flags.ts'
import { type AttributeTest, NotExpressible, testsOf } from './condition.ts'
import { compileRules, type OrderedRule } from './ordered-rules.ts'
import { type FlagValues, variantsOfValues } from './typed-values.ts'

/** A flag in an environment of another service. */
export interface RuledState {
  readonly flag: string
  readonly environment: string
  /** Rules; imported but inactive while `isOn` is false. */
  readonly rules: readonly OrderedRule[]
  readonly isOn?: boolean
  /** Values to import as variants, even if no rule uses them. */
  readonly values?: FlagValues
}

type Variant = Omit<VariantDefinition, 'weight'>

const WHOLE = 1000

/**
 * Compiles a flag in an environment, with notes for the report. A flag that cannot be expressed exactly is off, so that
 * no flag is on for more users than before.
 */
export function ruledState({ flag, environment, rules, isOn = true, values }: RuledState): {
  readonly state: HeldState
  readonly notes: Note[]
} {
  const name = `${flag} in ${environment}`
  const variants = values === undefined ? [] : variantsOfValues(values)
  try {
    const { strategies, differences } = compileRules(rules, flag)
    const notes = differences.map((words): Note => ({ kind: 'flag', name, fidelity: 'approximated', words }))
    const enabled = isOn && strategies.length > 0
    return {
      state: keepVariants(stateWith({ environment, enabled, strategies }), variants),
      notes: strategies.length === 0 ? notes : [...notes, ...attributeNotes(rules, name)],
    }
  } catch (error) {
    if (!(error instanceof NotExpressible)) throw error
    const words = `it is off here, and without its rules: ${error.message}`
    return {
      state: keepVariants(stateWith({ environment, enabled: false }), variants),
      notes: [{ kind: 'flag', name, fidelity: 'not carried', words }],
    }
  }
}

/** Adds unused variants to the last strategy, with weight 0, so that users can assign a weight later. */
function keepVariants(state: HeldState, variants: readonly Variant[]): HeldState {
  const last = state.strategies.at(-1)
  const [first] = variants
  if (first === undefined) return state
  if (last === undefined) return { ...state, variants: withUnused([{ ...first, weight: WHOLE }], variants) }
  const given = state.strategies.flatMap(({ variants: own }) => own)
  const isOfType = ({ payload }: Variant) => given.every((one) => one.payload?.type === payload?.type)
  const unused = variants.filter((one) => isOfType(one) && !given.some(({ name }) => name === one.name))
  const kept: HeldStrategy = { ...last, variants: withUnused(last.variants, unused) }
  return { ...state, strategies: [...state.strategies.slice(0, -1), kept] }
}

function withUnused(given: readonly VariantDefinition[], variants: readonly Variant[]): VariantDefinition[] {
  const unused = variants.filter((one) => !given.some(({ name }) => name === one.name))
  const stickiness = given[0]?.stickiness ?? 'default'
  return [
    ...given.map((one): VariantDefinition => ({ weightType: 'variable', stickiness, ...one })),
    ...unused.map((one): VariantDefinition => ({ ...one, weightType: 'fix', weight: 0, stickiness })),
  ]
}

/** Reports attribute types that the rules depend on, because attributes have no types here. */
function attributeNotes(rules: readonly OrderedRule[], name: string): Note[] {
  const tests = rules.flatMap(({ when }) => testsOf(when))
  const types = Map.groupBy(
    tests.filter(({ type, test }) => type !== undefined && test.contextName !== 'userId'),
    ({ test }) => test.contextName,
  )
  const fields = [...types].map(([field, all]) => ({ field, types: [...new Set(all.map(({ type }) => type))].sort() }))
  const clear = fields.filter((one) => one.types.length === 1).sort((a, b) => (a.field < b.field ? -1 : 1))
  const asked = clear.map(({ field, types: [type] }) => `"${field}" as a ${type}`).join(', ')
  const note = (fidelity: Note['fidelity'], words: string): Note => ({ kind: 'flag', name, fidelity, words })
  return [
    ...(asked === ''
      ? []
      : [
          note('exact', `as there while contexts have ${asked}: attributes have no types here, and lists are one text`),
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
      ? [note('approximated', '"environment" is the environment of the token here, whatever contexts say')]
      : []),
    ...sentences(tests, ({ differs }) => differs).map((words) => note('approximated', words)),
    ...sentences(tests, ({ caveat }) => caveat).map((words) => note('exact', words)),
  ]
}

function sentences(tests: readonly AttributeTest[], sentenceOf: (test: AttributeTest) => string | undefined): string[] {
  return [...new Set(tests.map(sentenceOf).filter((words) => words !== undefined))]
}
