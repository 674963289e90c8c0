import type { PlaygroundResult, PlaygroundStrategy } from '@burgee/protocol/playground'
import { constraintText, sentenceOf } from '../strategy/sentence.ts'
import type { Texts } from '../text/en.ts'
import { bucketOf } from './bucket.ts'

/** Why a flag is on or off: one sentence, and what it rests on. */
export interface Why {
  readonly sentence: string
  readonly details: readonly string[]
}

type Context = Readonly<Record<string, string>>

/** Explains a result. */
export function whyOf(t: Texts, result: PlaygroundResult): Why {
  const { envOff, envOffBut, parent, noStrategies, onBy, off, unknown } = t.playground.reasons
  const { strategies, environment, context } = result
  const say = (strategy: PlaygroundStrategy): string => strategyText(t, strategy)
  if (!result.isEnabledInCurrentEnvironment) {
    const text = strategies.result === true ? envOffBut(environment) : envOff(environment)
    return { sentence: text, details: [] }
  }
  if (result.hasUnsatisfiedDependency) return { sentence: parent, details: [] }
  if (strategies.data.length === 0) return { sentence: noStrategies, details: [] }
  const winner = strategies.data.find((strategy) => strategy.result === true)
  if (winner !== undefined) {
    return { sentence: onBy(say(winner)), details: rolloutDetail(t, result.name, winner, context) }
  }
  if (strategies.result === 'unknown') return { sentence: unknown, details: [] }
  const details = strategies.data.map((one) => `${say(one)}: ${refusalOf(t, result.name, one, context).join('; ')}`)
  return { sentence: off, details }
}

/** A strategy of a result in one sentence. */
export function strategyText(t: Texts, strategy: PlaygroundStrategy): string {
  const names = new Map(strategy.segments.map(({ id, name }) => [id, name]))
  const segments = [...names.keys()]
  const { name, parameters, constraints, title } = strategy
  const text = sentenceOf(t, { name, parameters, constraints, segments }, (id) => names.get(id) ?? `#${id}`)
  return title ? `${title} (${text})` : text
}

/** Everything that keeps a context out of a strategy. */
export function refusalOf(t: Texts, flag: string, strategy: PlaygroundStrategy, context: Context): string[] {
  const { reasons } = t.playground
  if (strategy.disabled === true) return [reasons.disabled]
  const constraints = strategy.constraints
    .filter(({ result }) => !result)
    .map((constraint) =>
      reasons.constraint(constraintText(t, constraint), actualOf(t, constraint.contextName, context)),
    )
  const segments = strategy.segments.filter(({ result }) => !result).map(({ name }) => reasons.segment(name))
  const failed = [...constraints, ...segments]
  if (failed.length > 0) return failed
  const rollout = rolloutDetail(t, flag, strategy, context)
  return rollout.length > 0 ? rollout : [reasons.test(strategy.name)]
}

function actualOf(t: Texts, field: string, context: Context): string {
  const value = context[field]
  return value === undefined ? t.playground.reasons.missing(field) : t.playground.reasons.actual(field, value)
}

/** The bucket of a gradual rollout, and what it is held against. */
export function rolloutDetail(t: Texts, flag: string, strategy: PlaygroundStrategy, context: Context): string[] {
  if (strategy.name !== 'flexibleRollout') return []
  const { bucketIn, bucketOut, random, noId } = t.playground.reasons
  const { rollout = '100', stickiness = 'default', groupId } = strategy.parameters
  const percent = Number(rollout)
  const field = stickyField(stickiness || 'default', context)
  if (field === undefined) return [random(percent)]
  const value = context[field]
  if (value === undefined) return [noId(field)]
  const bucket = bucketOf(groupId || flag, value)
  return [(bucket <= percent ? bucketIn : bucketOut)(field, value, bucket, percent)]
}

/** The field whose value decides; undefined when chance does. */
function stickyField(stickiness: string, context: Context): string | undefined {
  if (stickiness === 'random') return undefined
  if (stickiness !== 'default') return stickiness
  return ['userId', 'sessionId'].find((field) => context[field] !== undefined && context[field] !== '')
}
