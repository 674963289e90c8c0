import type { Constraint } from '@burgee/protocol/feature'
import type {
  PlaygroundResult,
  PlaygroundStrategy,
  RolloutDecision,
  VariantDecision,
} from '@burgee/protocol/playground'
import { parseSemver } from '@burgee/protocol/semver'
import { getOperandKind } from '../strategy/operators.ts'
import { describeConstraint, describeStrategy, type SentenceTexts } from '../strategy/strategy-sentence.ts'
import { isOutsideRollout } from './rollout-decision.ts'
import type { PLAYGROUND_TEXTS } from './texts.ts'

/** UI strings for explanations: those about strategies and those of the playground. */
export interface ExplanationTexts {
  readonly t: SentenceTexts
  readonly p: (typeof PLAYGROUND_TEXTS)['en']
}

/** Explanation of a result: one sentence, and details that do not fit into the sentence. */
export interface Explanation {
  readonly sentence: string
  readonly details: readonly string[]
  /** Parent that keeps the flag off. The sentence continues with the parent's name and then with `rest`. */
  readonly parent?: { readonly feature: string; readonly rest: string }
}

type Context = Readonly<Record<string, string>>

/** Explains a result, including the rollout bucket. */
export function explainResult(words: ExplanationTexts, result: PlaygroundResult): Explanation {
  const { envOff, envOffBut, noStrategies, onBy, off, unknown } = words.p.reasons
  const { strategies, environment, context } = result
  if (!result.isEnabledInCurrentEnvironment) {
    return createPlainExplanation(strategies.result === true ? envOffBut(environment) : envOff(environment))
  }
  if (result.hasUnsatisfiedDependency) return explainParent(words, result)
  if (strategies.data.length === 0) return createPlainExplanation(noStrategies)
  const winner = strategies.data.find((strategy) => strategy.result === true)
  if (winner !== undefined) {
    const bucket = describeBucket(words, winner.decision, context)
    return createPlainExplanation(
      onBy(`${describeResultStrategy(words, winner)}${bucket === undefined ? '' : ` (${bucket})`}`),
    )
  }
  if (strategies.result === 'unknown') return createPlainExplanation(unknown)
  const details = strategies.data.map(
    (one) => `${describeResultStrategy(words, one)}: ${explainMismatch(words, one, context).join('; ')}`,
  )
  const [only, ...more] = details
  return more.length === 0 && only !== undefined ? createPlainExplanation(`${off} ${only}`) : { sentence: off, details }
}

function explainParent(
  { p: { reasons } }: ExplanationTexts,
  { unsatisfiedDependencies: [first] = [] }: PlaygroundResult,
): Explanation {
  if (first === undefined) return createPlainExplanation(reasons.parent)
  const { feature, reason } = first
  return { ...createPlainExplanation(reasons.because), parent: { feature, rest: reasons.parents[reason] } }
}

const createPlainExplanation = (sentence: string): Explanation => ({ sentence, details: [] })

/** Describes in one sentence a strategy that is part of a result. */
export function describeResultStrategy({ t }: ExplanationTexts, strategy: PlaygroundStrategy): string {
  const names = new Map(strategy.segments.map(({ id, name }) => [id, name]))
  const segments = [...names.keys()]
  const { name, parameters, constraints, title } = strategy
  const text = describeStrategy(t, { name, parameters, constraints, segments }, (id) => names.get(id) ?? `#${id}`)
  return title ? `${title} (${text})` : text
}

/** Returns all reasons why a context does not match a strategy. */
export function explainMismatch(words: ExplanationTexts, strategy: PlaygroundStrategy, context: Context): string[] {
  const { reasons } = words.p
  if (strategy.disabled === true) return [reasons.disabled]
  const constraints = strategy.constraints
    .filter(({ result }) => !result)
    .map((one) => reasons.constraint(describeConstraint(words.t, one), describeActualValue(words, one, context)))
  const segments = strategy.segments.filter(({ result }) => !result).map(({ name }) => reasons.segment(name))
  const bucket = isOutsideRollout(strategy.decision) ? describeBucket(words, strategy.decision, context) : undefined
  const failed = [...constraints, ...segments, ...(bucket === undefined ? [] : [bucket])]
  return failed.length > 0 ? failed : [describeBucket(words, strategy.decision, context) ?? reasons.test(strategy.name)]
}

/**
 * Describes the context value that a constraint is compared with. If the value cannot be compared, also gives the
 * reason.
 */
export function describeActualValue(
  { p }: ExplanationTexts,
  { contextName, operator }: Constraint,
  context: Context,
): string {
  const value = context[contextName]
  if (value === undefined) return p.reasons.missing(contextName)
  const wrong = findTypeMismatch(operator, value)
  return wrong === undefined ? p.reasons.actual(contextName, value) : p.reasons.malformed[wrong](contextName, value)
}

/**
 * Returns the type that the operator requires if the value does not have this type; undefined if the value can be
 * compared. Parses values in the same way as the engine.
 */
function findTypeMismatch(operator: string, value: string): 'version' | 'number' | undefined {
  const kind = getOperandKind(operator)
  if (kind === 'version') return parseSemver(value.trim()) ? undefined : kind
  if (kind === 'number') return Number.isNaN(Number(value)) ? kind : undefined
  return undefined
}

/** Describes the bucket of a context and the rollout's limit; undefined if no percentage decides. */
export function describeBucket(
  { p }: ExplanationTexts,
  decision: RolloutDecision | undefined,
  context: Context,
): string | undefined {
  if (decision === undefined) return undefined
  const { bucketIn, bucketOut, random, noId, noPercentage, noneSticky } = p.reasons
  const { bucket, limit, stickiness, stickinessValue } = decision
  if (limit === null) return noPercentage
  if (bucket === 'random') return random(limit)
  if (bucket === null || stickinessValue === null) return noId(stickiness === 'default' ? noneSticky : stickiness)
  const field = getStickinessField(stickiness, stickinessValue, context)
  return (bucket <= limit ? bucketIn : bucketOut)(field, stickinessValue, bucket, limit)
}

/** Explains why a variant was chosen; undefined if no variant was chosen. */
export function describeVariant(
  { p }: ExplanationTexts,
  decision: VariantDecision | undefined,
  context: Context,
  number: (value: number) => string,
): string | undefined {
  if (decision === undefined) return undefined
  const { chosen, override, bucket, stickiness, stickinessValue, ranges } = decision
  if (chosen === null) return p.variants.none
  if (override !== undefined) return p.variants.override(chosen, override.contextName, override.value)
  const range = ranges.find(({ name, from, to }) => name === chosen && bucket !== null && bucket > from && bucket <= to)
  if (bucket === null || stickinessValue === null || range === undefined) return p.variants.random(chosen)
  const field = getStickinessField(stickiness, stickinessValue, context)
  return p.variants.range(
    ...([chosen, field, stickinessValue, number(bucket), number(range.from + 1), number(range.to)] as const),
  )
}

/**
 * Returns the context field that is used for stickiness. `default` stands for the first default field that has a value.
 */
function getStickinessField(stickiness: string, value: string, context: Context): string {
  if (stickiness !== 'default') return stickiness
  return context.userId === value ? 'userId' : 'sessionId'
}
