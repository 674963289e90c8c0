import { compile, compileSteps, type Engine } from '@burgee/engine'
import { runInSlices } from '@burgee/kit/slices'
import type { Feature, Strategy } from '@burgee/protocol/feature'
import type { AdminStrategy } from '@burgee/protocol/targeting/strategy'
import { isOn } from '@burgee/storage/document-flags'
import type { World } from '../../core/world.ts'
import type { CatalogSnapshot } from '../catalog/catalog.ts'
import type { CatalogFlag } from '../catalog/catalog-flag.ts'
import { BY_NAME } from '../catalog/flag-table.ts'

/** Engines that explain flags with all their strategies, including disabled strategies. */
export interface ExplainEngines {
  /**
   * Returns the engine for an environment, given the current flags. If the environment does not exist, the engine has
   * no flags.
   */
  getEngine(environment: string, moment: CatalogSnapshot): Promise<Engine>
}

const NOTHING = compile({ features: [] }).engine
/** Idle time after which all engines are released. */
const IDLE_MS = 60_000

interface CachedEngine {
  readonly version: number
  readonly engine: Promise<Engine>
}

/** Creates a cache of one engine per environment. An engine is reused while the flags are unchanged. */
export function createExplainEngines({
  clock,
  random,
  profile,
}: Pick<World, 'clock' | 'random' | 'profile'>): ExplainEngines {
  const kept = new Map<string, CachedEngine>()
  let idle: NodeJS.Timeout | undefined
  const chance = () => Buffer.from(random(4)).readUInt32BE() / 2 ** 32
  const make = async (environment: string, flags: readonly CatalogFlag[], { table }: CatalogSnapshot) => {
    const features = await runInSlices(buildFeatures(flags, environment))
    const document = { features, segments: table.segments }
    return (await runInSlices(compileSteps(document, { profile, clock, random: chance, caches: false }))).engine
  }
  return {
    getEngine(environment, moment) {
      clearTimeout(idle)
      idle = setTimeout(() => kept.clear(), IDLE_MS).unref()
      const known = kept.get(environment)
      if (known?.version === moment.version) return known.engine
      const flags = moment.table
        .sorted(false, 'name asc', BY_NAME)
        .filter(({ environments }) => environments.some((one) => one.environment === environment))
      if (flags.length === 0) {
        kept.delete(environment)
        return Promise.resolve(NOTHING)
      }
      const engine = make(environment, flags, moment)
      kept.set(environment, { version: moment.version, engine })
      engine.catch(() => kept.delete(environment))
      return engine
    },
  }
}

function* buildFeatures(flags: readonly CatalogFlag[], environment: string): Generator<void, Feature[]> {
  const features: Feature[] = []
  for (const flag of flags) {
    features.push(toExplainedFeature(flag, environment))
    yield
  }
  return features
}

/** Returns a flag as SDKs receive it in an environment. */
export function toEvaluatedFeature(flag: CatalogFlag, environment: string): Feature {
  const feature = toExplainedFeature(flag, environment)
  return { ...feature, strategies: feature.strategies?.filter(({ disabled }) => disabled !== true) ?? [] }
}

/**
 * Returns a flag for explanations: in the form that SDKs receive, with ids, titles and disabled strategies in addition.
 */
function toExplainedFeature(flag: CatalogFlag, environment: string): Feature {
  const { row, environments, parents } = flag
  const there = environments.find((one) => one.environment === environment)
  const strategies = flag.strategiesIn(environment)
  const enabled = strategies.filter(({ disabled }) => !disabled)
  const dependencies = parents.map(({ parent, enabled, variants }) => ({
    feature: parent,
    enabled: enabled === 1,
    ...(variants.length === 0 ? {} : { variants }),
  }))
  return {
    name: row.name,
    type: row.type,
    enabled: isOn(there?.enabled === 1, strategies.length, enabled.length),
    project: row.project,
    stale: row.stale === 1,
    strategies: strategies.map(toExplainedStrategy),
    variants: there?.variants ?? [],
    description: row.description,
    impressionData: row.impression_data === 1,
    ...(dependencies.length === 0 ? {} : { dependencies }),
  }
}

function toExplainedStrategy({ sortOrder: _, segments, title, ...strategy }: AdminStrategy): Strategy {
  return {
    ...strategy,
    ...(segments.length === 0 ? {} : { segments }),
    ...(title === null ? {} : { title }),
  }
}
