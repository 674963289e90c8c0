import { compile, type Engine, type Explanation } from '@burgee/engine'
import type { Feature } from '@burgee/protocol/feature'
import type {
  PlaygroundRequest,
  PlaygroundResponse,
  PlaygroundResult,
  PlaygroundStrategy,
  RolloutDecision,
  SimplePlaygroundRequest,
  SimplePlaygroundResponse,
  VariantDecision,
} from '@burgee/protocol/playground'
import { readEnvironment } from '../../store/document-flags.ts'
import { liveFeatures } from '../../store/features/feature-list.ts'
import { environmentNames } from '../../store/projects/projects.ts'
import { invalid } from '../refusals.ts'
import type { World } from '../world.ts'
import { type Combination, type Combinations, combinationsOf } from './playground-contexts.ts'

type Explained = Explanation['strategies'][number]

/** A flag that is asked about. */
interface Asked {
  readonly name: string
  readonly project: string
}

const MOST_RESULTS = 15_000
const NOTHING = compile({ features: [] }).engine

/**
 * Evaluates every flag of the projects in every environment for every context the request stands for. Throws
 * ValidationError when these are more than 15000. Source: spec "Playground response".
 */
export async function playAdvanced(
  world: World,
  request: PlaygroundRequest,
  basePath: string,
): Promise<PlaygroundResponse> {
  const combinations = combinationsOf(request.context, true)
  const { features, engines } = await load(world, request.environments, request.projects, combinations)
  const contexts = features.length === 0 ? [] : combinations.make()
  return {
    features: features.map((feature) => ({
      name: feature.name,
      projectId: feature.project,
      environments: resultsOf(feature, request.environments, engines, contexts, basePath),
    })),
    input: request,
    ...warningsOf(combinations),
  }
}

/** The same for one environment and the context as it is. */
export async function playSimple(
  world: World,
  request: SimplePlaygroundRequest,
  basePath: string,
): Promise<SimplePlaygroundResponse> {
  const { environment } = request
  const combinations = combinationsOf(request.context, false)
  const { features, engines } = await load(world, [environment], request.projects, combinations)
  const engine = engines.get(environment) ?? NOTHING
  const contexts = combinations.make()
  return {
    input: request,
    features: features.flatMap((feature) =>
      contexts.map((one) => {
        const { context: _, environment: __, ...result } = resultOf(feature, environment, engine, one, basePath)
        return result
      }),
    ),
    ...warningsOf(combinations),
  }
}

/** The flags and, per environment that there is, the engine over all their strategies: all of one state. */
async function load(
  world: World,
  environments: readonly string[],
  projects: readonly string[] | '*' | undefined,
  { count }: Combinations,
): Promise<{ features: Asked[]; engines: Map<string, Engine> }> {
  const asked = projects === undefined || projects === '*' ? undefined : projects
  return world.db.view(async (reader) => {
    const features = await liveFeatures(reader, asked)
    const total = environments.length * features.length * count
    if (total > MOST_RESULTS) throw tooMany(total, environments.length, features.length, count)
    const names = new Set(features.map(({ name }) => name))
    const engines = new Map<string, Engine>()
    if (features.length === 0) return { features, engines }
    const known = new Set(await environmentNames(reader))
    for (const environment of new Set(environments)) {
      if (!known.has(environment)) continue
      const { flags, segments } = await readEnvironment(reader, environment, 'explain')
      const own = flags.flatMap(({ feature }) => (names.has(feature.name) ? [feature] : []))
      engines.set(environment, engineOver(world, { features: own, segments }))
    }
    return { features, engines }
  })
}

function engineOver(world: World, snapshot: Parameters<typeof compile>[0]): Engine {
  const random = () => Buffer.from(world.random(4)).readUInt32BE() / 2 ** 32
  return compile(snapshot, { clock: world.clock, random, caches: false }).engine
}

function tooMany(total: number, environments: number, features: number, contexts: number) {
  const factors = `${environments} environments × ${features} flags × ${contexts} combinations of context values`
  return invalid(`${factors} make ${total} evaluations; at most ${MOST_RESULTS} are made at once.`, 'body')
}

function warningsOf({ invalid: names }: Combinations) {
  return names.length === 0 ? {} : { warnings: { invalidContextProperties: [...names] } }
}

/** By environment; one that is named twice has its results twice. */
function resultsOf(
  feature: Asked,
  environments: readonly string[],
  engines: ReadonlyMap<string, Engine>,
  contexts: readonly Combination[],
  basePath: string,
): Record<string, PlaygroundResult[]> {
  const found = new Map<string, PlaygroundResult[]>()
  for (const environment of environments) {
    const engine = engines.get(environment) ?? NOTHING
    const results = contexts.map((context) => resultOf(feature, environment, engine, context, basePath))
    found.set(environment, [...(found.get(environment) ?? []), ...results])
  }
  return Object.fromEntries(found)
}

function resultOf(
  feature: Asked,
  environment: string,
  engine: Engine,
  combination: Combination,
  basePath: string,
): PlaygroundResult {
  const { context, shown } = within(environment, combination)
  const why = engine.explain(feature.name, context)
  const edit = editLink(basePath, feature, environment)
  return {
    isEnabled: why.isEnabled,
    isEnabledInCurrentEnvironment: why.enabledInEnvironment,
    hasUnsatisfiedDependency: why.hasUnsatisfiedDependency,
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

/** The environment is the one that is asked for, whatever the context says, as it is the token's for SDKs. */
function within(environment: string, { context, shown }: Combination): Combination {
  return { context: { ...context, environment }, shown: 'environment' in shown ? { ...shown, environment } : shown }
}

/** The engine's own words for a strategy are the wire's; what was stored by us is complete. */
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

/** JSON knows neither undefined nor NaN. */
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

/** Where people edit a strategy. */
function editLink(basePath: string, { project, name }: Asked, environment: string): (id: string) => string {
  const page = `${basePath}/projects/${encodeURIComponent(project)}/features/${encodeURIComponent(name)}/strategies/edit`
  return (id) => `${page}?environmentId=${encodeURIComponent(environment)}&strategyId=${encodeURIComponent(id)}`
}
