import type { Engine, Explanation } from '@burgee/engine'
import type { Feature } from '@burgee/protocol/feature'
import type {
  PlaygroundResult,
  PlaygroundStrategy,
  RolloutDecision,
  VariantDecision,
} from '@burgee/protocol/playground'
import type { Combination } from '@burgee/server/admin/playground/playground-contexts'

type Explained = Explanation['strategies'][number]

/** Flag to explain. */
export interface Asked {
  readonly name: string
  readonly project: string
}

/**
 * Returns the expected playground result: the explanation of a flag in an environment for one context from `within`.
 * Links start with the base path.
 */
export function resultOf(
  feature: Asked,
  environment: string,
  engine: Engine,
  combination: Combination,
  basePath: string,
): PlaygroundResult {
  const { context, shown } = combination
  const why = engine.explain(feature.name, context)
  const edit = editLink(basePath, feature, environment)
  return {
    isEnabled: why.isEnabled,
    isEnabledInCurrentEnvironment: why.enabledInEnvironment,
    hasUnsatisfiedDependency: why.hasUnsatisfiedDependency,
    ...unsatisfied(why),
    variant: { ...why.variant, feature_enabled: why.isEnabled },
    feature_enabled: why.isEnabled,
    context: shown,
    variants: why.variants as NonNullable<Feature['variants']>,
    ...variantDecision(why),
    name: feature.name,
    environment,
    projectId: feature.project,
    strategies: { result: why.result, data: why.strategies.map((strategy) => strategyResult(strategy, edit)) },
  }
}

/** Returns the parents that turn the flag off. Parents without names are omitted. */
function unsatisfied({ hasUnsatisfiedDependency, dependencies }: Explanation): Partial<PlaygroundResult> {
  if (!hasUnsatisfiedDependency) return {}
  const named = dependencies.filter(({ satisfied, feature }) => !satisfied && feature !== undefined)
  return {
    unsatisfiedDependencies: named.map(({ feature, reason }) => ({ feature, reason })) as NonNullable<
      PlaygroundResult['unsatisfiedDependencies']
    >,
  }
}

/** Sets the environment of a context to the requested one, overriding the context like an SDK token does. */
export function within(environment: string, { context, shown }: Combination): Combination {
  return { context: { ...context, environment }, shown: 'environment' in shown ? { ...shown, environment } : shown }
}

/** Converts a strategy explained by the engine to the API format. Strategies stored by the server are complete. */
function strategyResult(strategy: Explained, edit: (id: string) => string): PlaygroundStrategy {
  const { name, id = '', title, disabled, parameters, result, constraints, segments, variant, variants } = strategy
  const { rollout } = strategy
  return {
    name,
    id,
    ...(title === undefined ? {} : { title }),
    disabled,
    parameters: parameters as Record<string, string>,
    result,
    constraints: constraints as unknown as PlaygroundStrategy['constraints'],
    segments: segments as unknown as PlaygroundStrategy['segments'],
    links: { edit: edit(id) },
    ...(variant === undefined ? {} : { variant, variants: (variants ?? []) as NonNullable<Feature['variants']> }),
    ...(rollout === undefined ? {} : { decision: rolloutDecision(rollout) }),
    ...variantDecision(strategy),
  }
}

/** Replaces undefined and NaN, which JSON does not support. */
function rolloutDecision(decision: NonNullable<Explained['rollout']>): RolloutDecision {
  const { stickiness, stickinessValue = null, groupId, bucket = null, limit } = decision
  return { stickiness, stickinessValue, groupId, bucket, limit: Number.isNaN(limit) ? null : limit }
}

function variantDecision({ variantDecision: decision }: Pick<Explained, 'variantDecision'>): {
  variantDecision?: VariantDecision
} {
  if (decision === undefined) return {}
  const { stickinessValue = null, bucket = null, chosen = null, ranges, ...rest } = decision
  return { variantDecision: { ...rest, stickinessValue, bucket, chosen, ranges: [...ranges] } }
}

/** Returns the URL of a strategy's edit page. */
function editLink(basePath: string, { project, name }: Asked, environment: string): (id: string) => string {
  const page = `${basePath}/projects/${encodeURIComponent(project)}/features/${encodeURIComponent(name)}/strategies/edit`
  return (id) => `${page}?environmentId=${encodeURIComponent(environment)}&strategyId=${encodeURIComponent(id)}`
}
