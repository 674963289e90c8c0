import { isObject } from '@burgee/kit/input/is-object'
import type { Note } from '../model/fidelity.ts'
import { type ImportSource, SourceRefused } from '../model/source.ts'
import { createFlag } from '../model/source-defaults.ts'
import type { SourceFlag } from '../model/source-flags.ts'
import { createNonEmptyTest, createPresenceTest } from '../rules/attribute-tests.ts'
import { ALWAYS, type Condition, findUnknown } from '../rules/condition.ts'
import { createOnOutcome, isDivided, type OrderedRule, type Outcome } from '../rules/ordered-rules.ts'
import { buildRulesInstallation } from '../rules/rules-installation.ts'
import { compileState } from '../rules/rules-state.ts'
import {
  createSharedOutcome,
  type FlagValues,
  isSwitch,
  type NamedValue,
  toFlagValues,
  toValueOutcome,
} from '../rules/typed-values.ts'
import { readObject } from '../unleash/documents/read-document.ts'
import { createFileSource, createOrigin, type EnvironmentFile } from '../unleash/documents/unleash-files.ts'
import { findShareIndex, parseShares } from './fractions.ts'
import { mayBeNull, parseCall, toCondition } from './json-logic.ts'

type Json = Readonly<Record<string, unknown>>

const MAX_DEPTH = 20
/** Maximum depth of expressions; protects the call stack. */
const MAX_EXPRESSION_DEPTH = 200
/**
 * Maximum numbers of expression nodes: in one flag including every shared expression it uses, and in a whole file. A
 * small file can have many nodes, because flags can share expressions.
 */
const MAX_NODES = { flag: 5000, file: 2_000_000 }

/**
 * Creates a source for flagd: a file with `flags` and `$evaluators`, in JSON or YAML. The flags of the file go into one
 * environment of one project.
 */
export function createFlagdSource(place: EnvironmentFile, clock: () => number): ImportSource {
  const { path, environment } = place
  return createFileSource(async () => {
    const document = await readObject(place, ['flagd'])
    const { flags, $evaluators: evaluators } = document
    if (!isObject(flags)) throw new SourceRefused(`${path} has no object "flags": is it a file of flagd?`)
    const notes: Note[] = listFileNotes(document)
    const whole: Budget = { nodes: MAX_NODES.file }
    const held = Object.entries(flags).map(([name, definition]) => {
      if (!isObject(definition)) throw new SourceRefused(`flags.${name} of ${path} is not an object`)
      const budget: Budget = { nodes: Math.min(MAX_NODES.flag, whole.nodes) }
      whole.nodes -= budget.nodes
      const read = toFlag({ name, definition, evaluators: isObject(evaluators) ? evaluators : {}, budget, path }, place)
      whole.nodes += Math.max(0, budget.nodes)
      notes.push(...read.notes)
      return { ...read.flag, createdAt: clock() }
    })
    return buildRulesInstallation(createOrigin('file of flagd', path, clock), {
      flags: held,
      segments: [],
      notes,
      environments: [environment],
    })
  })
}

interface FlagInput {
  readonly name: string
  readonly definition: Json
  readonly evaluators: Json
  readonly budget: Budget
  readonly path: string
}

/**
 * Number of expression nodes that may still be read. The number is limited, because shared expressions that refer to
 * each other can expand exponentially.
 */
interface Budget {
  nodes: number
}

function toFlag(
  { name, definition, evaluators, budget, path }: FlagInput,
  { project, environment }: EnvironmentFile,
): { flag: SourceFlag; notes: Note[] } {
  const list = parseVariants(definition, `flags.${name} of ${path}`)
  const { targeting } = definition
  const isOn = definition.state === 'ENABLED'
  const hasDefault = list.some((one) => one.name === definition.defaultVariant)
  const isTargeted = isObject(targeting) && Object.keys(targeting).length > 0
  // If there is no default variant, flagd uses the default in the application's code, which can be true. In Burgee,
  // only a flag with variants leaves the value to the application's code.
  const values = isOn && hasDefault ? toFlagValues(list) : { list, areVariants: true }
  const fallback = getNamedOutcome(values, hasDefault ? definition.defaultVariant : undefined)
  const context: RuleContext = { flag: name, values, fallback, evaluators, budget }
  const rules = [
    ...(isTargeted ? flatten({ logic: targeting, from: 0 }, ALWAYS, context, 0) : []),
    { when: ALWAYS, gives: fallback },
  ]
  const { state, notes } = compileState({
    flag: name,
    environment,
    rules: requireConvertibleRules(rules),
    isOn,
    values,
  })
  const metadata = isObject(definition.metadata) ? definition.metadata : {}
  const description = typeof metadata.description === 'string' ? metadata.description : null
  return {
    flag: createFlag({ name, project, description, states: [state] }),
    notes: [...notes, ...listSwitchNotes(name, environment, values), ...listKeyNotes(name, environment, definition)],
  }
}

/**
 * Replaces all rules of a flag by a single unknown rule if one of them cannot be converted. In flagd, one malformed
 * expression invalidates all rules of a flag, including those before it.
 */
function requireConvertibleRules(rules: readonly OrderedRule[]): readonly OrderedRule[] {
  const [unknown] = rules.map(({ when }) => findUnknown(when)).filter((why) => why !== undefined)
  return unknown === undefined ? rules : [createUnknownRule(unknown)]
}

const FILE_KEYS = new Set(['flags', '$evaluators', '$schema', 'metadata'])

function listFileNotes(document: Json): Note[] {
  const unread = Object.keys(document).filter((key) => !FILE_KEYS.has(key))
  return unread.map((key) => ({
    kind: 'other',
    name: `"${key}" of the file`,
    fidelity: 'not carried',
    words: 'it has no meaning in flagd, and none here',
  }))
}

const KEYS = new Set(['state', 'variants', 'defaultVariant', 'targeting', 'metadata'])

function listKeyNotes(flag: string, environment: string, definition: Json): Note[] {
  const name = `${flag} in ${environment}`
  const unknown = Object.keys(definition).filter((key) => !KEYS.has(key))
  const names = unknown.map((key) => `"${key}"`).join(', ')
  return [
    ...(unknown.length === 0 ? [] : [createFlagNote(name, 'approximated', `${names} of the flag has no meaning here`)]),
  ]
}

function createFlagNote(name: string, fidelity: Note['fidelity'], words: string): Note {
  return { kind: 'flag', name, fidelity, words }
}

/** Returns the variants of a flag by name. Throws SourceRefused for a flag that flagd would not load. */
function parseVariants({ state, variants, defaultVariant, targeting = null }: Json, where: string): NamedValue[] {
  if (state !== 'ENABLED' && state !== 'DISABLED')
    throw new SourceRefused(`"state" of ${where} must be "ENABLED" or "DISABLED"`)
  if (!isObject(variants)) throw new SourceRefused(`"variants" of ${where} is not an object`)
  if (targeting !== null && !isObject(targeting)) throw new SourceRefused(`"targeting" of ${where} is not an object`)
  const isNone = defaultVariant === undefined || defaultVariant === null || defaultVariant === ''
  if (!isNone && !(typeof defaultVariant === 'string' && Object.hasOwn(variants, defaultVariant)))
    throw new SourceRefused(`"defaultVariant" of ${where} is none of its variants`)
  const empty = Object.keys(variants).find((name) => variants[name] === null)
  if (empty !== undefined) throw new SourceRefused(`"variants.${empty}" of ${where} is null`)
  return Object.entries(variants).map(([name, value]) => ({ name, value }))
}

/**
 * Reports boolean flags that fall back to the default in the application's code. The value `false` of these flags is
 * imported as a variant and not as off.
 */
function listSwitchNotes(flag: string, environment: string, { list, areVariants }: FlagValues): Note[] {
  if (!areVariants || !isSwitch(list)) return []
  const words =
    'while it returns no variant, the default in the code applies: read it as a boolean over OFREP, where true and false are the values of its variants'
  return [createFlagNote(`${flag} in ${environment}`, 'exact', words)]
}

interface RuleContext {
  readonly flag: string
  readonly values: FlagValues
  readonly fallback: Outcome
  readonly evaluators: Json
  readonly budget: Budget
}

/**
 * An expression, and the index of the first shared expression that it may refer to. flagd substitutes shared
 * expressions in order.
 */
interface Expression {
  readonly logic: unknown
  readonly from: number
}

/** Flattens nested `if` branches into an ordered list of rules. */
function flatten(expression: Expression, when: Condition, context: RuleContext, depth: number): OrderedRule[] {
  context.budget.nodes -= 1
  if (depth > MAX_DEPTH) return [createUnknownRule('its rules are nested too deeply')]
  if (context.budget.nodes < 0) return [createUnknownRule('its rules are too long')]
  const { logic, from } = resolve(expression, context.evaluators)
  const { values, fallback } = context
  if (logic === null) return [{ when, gives: fallback }]
  if (logic === undefined) return [createUnknownRule('it refers to shared rules that do not exist')]
  if (typeof logic !== 'object') return [{ when, gives: getNamedOutcome(values, logic) }]
  const call = parseCall(logic)
  // flagd returns nothing for branches that are not a list
  if (call?.name === 'if' && !Array.isArray(Object.values(logic)[0]))
    return [createUnknownRule('an "if" of its rules has no list of branches')]
  if (call?.name === 'if') return flattenBranches({ args: call.args, from }, when, context, depth)
  if (call?.name === 'fractional') return convertFractional(call.args, when, context)
  const whole = substituteEvaluators({ logic, from }, context)
  const isFalse = getNamedOutcome(values, false)
  // for flagd, null means the default variant, and false means the variant of that name
  if (mayBeNull(whole) && JSON.stringify(isFalse) !== JSON.stringify(fallback))
    return [createUnknownRule('its rule can be neither true nor false')]
  return [
    { when: { all: [when, toCondition(whole)] }, gives: getNamedOutcome(values, true) },
    { when, gives: isFalse },
  ]
}

function createUnknownRule(unknown: string): OrderedRule {
  return { when: { unknown }, gives: createOnOutcome() }
}

function flattenBranches(
  { args, from }: { readonly args: readonly unknown[]; readonly from: number },
  when: Condition,
  context: RuleContext,
  depth: number,
): OrderedRule[] {
  const rules: OrderedRule[] = []
  for (let at = 0; at + 1 < args.length && context.budget.nodes >= 0; at += 2) {
    const condition = toCondition(substituteEvaluators({ logic: args[at], from }, context))
    rules.push(...flatten({ logic: args[at + 1], from }, { all: [when, condition] }, context, depth + 1))
  }
  const last = args.length % 2 === 1 ? args.at(-1) : null
  return [...rules, ...flatten({ logic: last, from }, when, context, depth + 1)]
}

/**
 * Converts a fractional rule, which splits users by percentage, hashed on the user or on a given field. A context
 * without this field gets the default variant.
 */
function convertFractional(args: readonly unknown[], when: Condition, context: RuleContext): OrderedRule[] {
  const { flag, values, fallback } = context
  const read = parseShares(args, flag)
  if (read === undefined) return [{ when, gives: fallback }]
  if ('unknown' in read) return [createUnknownRule(read.unknown)]
  const shares = read.shares.map(({ variant, weight }) => ({ index: findNamedIndex(values, variant), share: weight }))
  const given = (text: string) => getFractionOutcome(read.shares[findShareIndex(read.shares, text)]?.variant, context)
  if ('constant' in read) return [{ when, gives: given(read.constant) }]
  const { field } = read
  const missing = read.missing === undefined ? fallback : given(read.missing)
  const gives = createSharedOutcome(values, { shares, stickiness: field, missing })
  if (isDivided(gives)) return [{ when, gives }]
  // a rule with only one part also applies to contexts in which a named field is an empty string
  const hasField = field === 'userId' ? createNonEmptyTest(field) : createPresenceTest(field, 'text')
  return [
    {
      when: { all: [when, hasField] },
      gives: getFractionOutcome(read.shares.find(({ weight }) => weight > 0)?.variant, context),
    },
    { when, gives: missing },
  ]
}

/** Returns the result for a variant of a fractional rule; null stands for the default variant. */
function getFractionOutcome(variant: unknown, { values, fallback }: RuleContext): Outcome {
  return variant === null ? fallback : getNamedOutcome(values, variant)
}

function getNamedOutcome(values: FlagValues, name: unknown): Outcome {
  return toValueOutcome(values, findNamedIndex(values, name))
}

function findNamedIndex({ list }: FlagValues, name: unknown): number {
  return list.findIndex((value) => value.name === String(name))
}

/**
 * Resolves a reference to a shared expression. Returns all other expressions unchanged. In the result, `logic` is
 * undefined for a reference that flagd would not resolve at this point.
 */
function resolve({ logic, from }: Expression, evaluators: Json): Expression {
  const name = isObject(logic) && Object.keys(logic).length === 1 ? logic.$ref : undefined
  if (typeof name !== 'string') return { logic, from }
  const at = Object.keys(evaluators).indexOf(name)
  return at < from ? { logic: undefined, from } : resolve({ logic: evaluators[name], from: at + 1 }, evaluators)
}

/**
 * Substitutes shared expressions. Returns undefined instead of any part that is nested too deeply or has too many
 * nodes.
 */
function substituteEvaluators(
  expression: Expression,
  context: Pick<RuleContext, 'evaluators' | 'budget'>,
  depth = 0,
): unknown {
  context.budget.nodes -= 1
  if (context.budget.nodes < 0 || depth > MAX_EXPRESSION_DEPTH) return undefined
  const { logic, from } = resolve(expression, context.evaluators)
  const within = (item: unknown) => substituteEvaluators({ logic: item, from }, context, depth + 1)
  if (Array.isArray(logic)) return logic.map(within)
  if (!isObject(logic)) return logic
  return Object.fromEntries(Object.entries(logic).map(([name, item]) => [name, within(item)]))
}
