import type { PlaygroundResult, PlaygroundStrategy } from '@burgee/protocol/playground'

/**
 * Returns the reasons of a result in plain English. Contains names of flags, fields, segments and variants, whose
 * characters are restricted, but no free text from users.
 */
export function explainResult(result: PlaygroundResult): string[] {
  if (!result.isEnabledInCurrentEnvironment) return [`the flag is off in ${result.environment}`]
  const parents = (result.unsatisfiedDependencies ?? []).map(({ feature, reason }) => `parent ${feature}: ${reason}`)
  if (parents.length > 0) return parents
  const strategies = result.strategies.data.map(
    (strategy, index) => `strategy ${index + 1} ${explainStrategy(strategy)}`,
  )
  if (result.isEnabled) return [...strategies, 'at least one strategy matches']
  if (strategies.length === 0) return ['the flag has no strategy']
  return strategies.length === 1 ? strategies : [...strategies, 'no strategy matches']
}

function explainStrategy(strategy: PlaygroundStrategy): string {
  if (strategy.disabled === true) return `(${strategy.name}) is disabled`
  const { result } = strategy
  if (result === true) return `(${strategy.name}) matches${describeBucket(strategy)}`
  const failed = [
    ...strategy.constraints.filter((one) => !one.result).map((one) => `constraint on ${one.contextName} fails`),
    ...strategy.segments.filter((one) => !one.result).map((one) => `segment ${one.id} fails`),
  ]
  if (failed.length > 0) return `(${strategy.name}) does not match: ${failed.join(', ')}`
  if (result !== false) return `(${strategy.name}) cannot be evaluated by the server`
  return `(${strategy.name}) does not match${describeBucket(strategy)}`
}

function describeBucket({ decision }: PlaygroundStrategy): string {
  if (decision === undefined) return ''
  const { bucket, limit, stickiness } = decision
  if (bucket === null) return `: the context has no value for ${stickiness}`
  if (bucket === 'random') return `: a random bucket, rollout ${limit ?? 0} %`
  return `: bucket ${bucket}, rollout ${limit ?? 0} %`
}
