import { isObject } from '@burgee/serving/document/feature-document'
import type { Note } from '../model/fidelity.ts'
import { flagWith } from '../model/held-defaults.ts'
import type { HeldFlag } from '../model/held-flags.ts'
import { type ImportSource, SourceRefused } from '../model/source.ts'
import { ALWAYS, type Condition } from '../rules/condition.ts'
import type { OrderedRule, Outcome } from '../rules/ordered-rules.ts'
import { onWith } from '../rules/ordered-rules.ts'
import { rulesInstallation } from '../rules/rules-installation.ts'
import { ruledState } from '../rules/rules-state.ts'
import { isSwitch, type NamedValue, outcomeOf, sharedOutcome } from '../rules/typed-values.ts'
import { readObject } from '../unleash/documents/read-document.ts'
import { type DocumentPlace, fileSource, originOf } from '../unleash/documents/unleash-files.ts'
import { callOf, conditionOf, fieldOf } from './json-logic.ts'

type Json = Readonly<Record<string, unknown>>

const DEEPEST = 20
/** Expressions are read less deep: this keeps the stack. */
const DEEPEST_TEXT = 200
/** Of one flag, with all that its rules name; and of a whole file, as each flag may name the same again. */
const MOST_NODES = { flag: 5000, file: 2_000_000 }

/** Flags of flagd: a file with `flags` and `$evaluators`, in JSON or YAML, into one environment of one project. */
export function flagdSource(place: DocumentPlace, clock: () => number): ImportSource {
  const { path, environment } = place
  return fileSource(async () => {
    const document = await readObject(place)
    const { flags, $evaluators: evaluators } = document
    if (!isObject(flags)) throw new SourceRefused(`${path} has no object "flags": is it a file of flagd?`)
    const notes: Note[] = []
    const whole: Budget = { nodes: MOST_NODES.file }
    const held = Object.entries(flags).map(([name, definition]) => {
      if (!isObject(definition)) throw new SourceRefused(`flags.${name} of ${path} is no object`)
      const budget: Budget = { nodes: Math.min(MOST_NODES.flag, whole.nodes) }
      whole.nodes -= budget.nodes
      const read = flagOf({ name, definition, evaluators: isObject(evaluators) ? evaluators : {}, budget }, place)
      whole.nodes += Math.max(0, budget.nodes)
      notes.push(...read.notes)
      return { ...read.flag, createdAt: clock() }
    })
    return rulesInstallation(originOf('file of flagd', path, clock), {
      flags: held,
      segments: [],
      notes,
      environments: [environment],
    })
  })
}

interface OneFlag {
  readonly name: string
  readonly definition: Json
  readonly evaluators: Json
  readonly budget: Budget
}

/** How much more may be read: shared expressions that name each other mean exponentially more than is written. */
interface Budget {
  nodes: number
}

function flagOf(
  { name, definition, evaluators, budget }: OneFlag,
  { project, environment }: DocumentPlace,
): { flag: HeldFlag; notes: Note[] } {
  const values = Object.entries(isObject(definition.variants) ? definition.variants : {}).map(([key, value]) => ({
    name: key,
    value,
  }))
  const fallback = outcomeNamed(values, definition.defaultVariant)
  const context: Flattened = { values, fallback, evaluators, budget }
  const isOn = definition.state === 'ENABLED'
  const targeting = definition.targeting
  const isTargeted = isObject(targeting) && Object.keys(targeting).length > 0
  const rules = [...(isTargeted ? flatten(targeting, ALWAYS, context, 0) : []), { when: ALWAYS, gives: fallback }]
  const { state, notes } = ruledState({ flag: name, environment, rules: isOn ? rules : [] })
  const metadata = isObject(definition.metadata) ? definition.metadata : {}
  const description = typeof metadata.description === 'string' ? metadata.description : null
  return {
    flag: flagWith({ name, project, description, states: [state] }),
    notes: [...notes, ...offNotes(name, isOn, values)],
  }
}

/** There the code's default is used in both cases: that is what is off here. */
function offNotes(name: string, isOn: boolean, values: readonly NamedValue[]): Note[] {
  if (isOn || isSwitch(values)) return []
  return [
    {
      kind: 'flag',
      name,
      fidelity: 'exact',
      words: 'it is disabled, so that the default of the code counts, with its variants left out',
    },
  ]
}

interface Flattened {
  readonly values: readonly NamedValue[]
  readonly fallback: Outcome
  readonly evaluators: Json
  readonly budget: Budget
}

/** Rules in order, the first that applies decides: branches of `if`, and what they lead to. */
function flatten(logic: unknown, when: Condition, context: Flattened, depth: number): OrderedRule[] {
  context.budget.nodes -= 1
  if (depth > DEEPEST) return [unknownRule('its rules are nested too deeply', context)]
  if (context.budget.nodes < 0) return [unknownRule('its rules are too long', context)]
  const resolved = resolve(logic, context.evaluators)
  if (resolved === null || resolved === undefined) return [{ when, gives: context.fallback }]
  if (typeof resolved !== 'object') return [{ when, gives: outcomeNamed(context.values, resolved) }]
  const call = callOf(resolved)
  if (call?.name === 'if') return branches(call.args, when, context, depth)
  if (call?.name === 'fractional') return [fractional(call.args, when, context)]
  return [
    {
      when: { all: [when, conditionOf(withEvaluators(resolved, context))] },
      gives: outcomeNamed(context.values, true),
    },
    { when, gives: outcomeNamed(context.values, false) },
  ]
}

function unknownRule(unknown: string, { values }: Flattened): OrderedRule {
  return { when: { unknown }, gives: outcomeOf(values, 0) }
}

function branches(args: readonly unknown[], when: Condition, context: Flattened, depth: number): OrderedRule[] {
  const rules: OrderedRule[] = []
  for (let at = 0; at + 1 < args.length && context.budget.nodes >= 0; at += 2) {
    const condition = conditionOf(withEvaluators(args[at], context))
    rules.push(...flatten(args[at + 1], { all: [when, condition] }, context, depth + 1))
  }
  return [...rules, ...flatten(args.length % 2 === 1 ? args.at(-1) : null, when, context, depth + 1)]
}

/** Shares, by the user or by a field that is named first; a context without it gets the default variant. */
function fractional(args: readonly unknown[], when: Condition, { values, fallback }: Flattened): OrderedRule {
  const [first, ...others] = args
  const isByUser = Array.isArray(first)
  const stickiness = isByUser ? 'userId' : bucketField(first)
  const rows = isByUser ? args : others
  if (stickiness === undefined) return { when: { unknown: 'its shares stick to an expression' }, gives: onWith() }
  if (!rows.every((row) => Array.isArray(row))) return { when: { unknown: 'its shares are no list' }, gives: onWith() }
  if (!rows.every(isPlainShare))
    return { when: { unknown: 'a name or a weight of its shares is computed' }, gives: onWith() }
  if (rows.every(([, share = 1]) => share <= 0))
    return { when: { unknown: 'all weights of its shares are 0' }, gives: onWith() }
  const shares = rows.map(([name, share = 1]) => ({ index: indexNamed(values, name), share: Number(share) }))
  return { when, gives: sharedOutcome(values, { shares, stickiness, missing: fallback }) }
}

function isPlainShare([name, share = 1]: readonly unknown[]): boolean {
  return typeof name === 'string' && typeof share === 'number' && Number.isFinite(share)
}

/** `{"var": field}`, or the flag's key before it, which is what shares stick to anyway. */
function bucketField(value: unknown): string | undefined {
  const call = callOf(value)
  if (call?.name !== 'cat') return fieldOf(value)
  const [first, second, ...more] = call.args
  const isKey = callOf(first)?.args[0] === '$flagd.flagKey' || typeof first === 'string'
  return isKey && more.length === 0 ? fieldOf(second) : undefined
}

function outcomeNamed(values: readonly NamedValue[], name: unknown): Outcome {
  return outcomeOf(values, indexNamed(values, name))
}

function indexNamed(values: readonly NamedValue[], name: unknown): number {
  return values.findIndex((value) => value.name === String(name))
}

function resolve(logic: unknown, evaluators: Json): unknown {
  const name = isObject(logic) ? logic.$ref : undefined
  return typeof name === 'string' ? evaluators[name] : logic
}

/** An expression with the shared ones that it names put in their places; undefined in the place of what is too long. */
function withEvaluators(logic: unknown, context: Pick<Flattened, 'evaluators' | 'budget'>, depth = 0): unknown {
  context.budget.nodes -= 1
  if (context.budget.nodes < 0 || depth > DEEPEST_TEXT) return undefined
  const resolved = resolve(logic, context.evaluators)
  if (Array.isArray(resolved)) return resolved.map((item) => withEvaluators(item, context, depth + 1))
  if (!isObject(resolved)) return resolved
  return Object.fromEntries(
    Object.entries(resolved).map(([name, item]) => [name, withEvaluators(item, context, depth + 1)]),
  )
}
