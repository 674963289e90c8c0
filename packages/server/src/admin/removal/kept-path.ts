import { compile, type FeatureDocument } from '@burgee/engine'
import { toOneLine } from '@burgee/kit/one-line'
import type { KeptPath } from '@burgee/protocol/administration/removal'
import type { Feature, Segment } from '@burgee/protocol/feature'
import type { CatalogFlag } from '../catalog/catalog-flag.ts'
import type { FlagTable } from '../catalog/flag-table.ts'
import { toEvaluatedFeature } from '../playground/explain-engines.ts'

/** Type of the environments whose results decide which code path stays. */
export const PRODUCTION = 'production'

/** Result of a flag in an environment; undefined if the result depends on the context, the time or chance. */
export interface EnvironmentResult {
  readonly environment: string
  readonly path: KeptPath | undefined
}

/**
 * Computes the result that every context gets, for each production environment of a flag, or for all its environments
 * if none is a production environment. An archived flag is disabled for SDKs.
 */
export function computeResults(flag: CatalogFlag, table: FlagTable): EnvironmentResult[] {
  const production = flag.environments.filter(({ type }) => type === PRODUCTION)
  const decisive = production.length > 0 ? production : flag.environments
  const { segments } = table
  return decisive.map(({ environment }) => ({ environment, path: computePath(flag, { table, segments, environment }) }))
}

interface Place {
  readonly table: FlagTable
  readonly segments: readonly Segment[]
  readonly environment: string
}

function computePath(flag: CatalogFlag, { table, segments, environment }: Place): KeptPath | undefined {
  if (flag.isArchived) return { path: 'disabled' }
  const parents = flag.parents.flatMap(({ parent }) => table.find(parent) ?? []).filter(({ isArchived }) => !isArchived)
  const others = parents.map((one) => toEvaluatedFeature(one, environment))
  const own = toEvaluatedFeature(flag, environment)
  const compute = (feature: Feature) => computeConstant({ features: [...others, feature], segments }, flag.name)
  const path = compute(own)
  const strategies = own.strategies ?? []
  if (path !== undefined || strategies.some(({ variants = [] }) => (variants ?? []).length > 0)) return path
  // without variants, strategies differ only in which users they match, so a strategy that matches all users decides
  const alone = strategies.map((strategy) => compute({ ...own, strategies: [strategy] }))
  return alone.find((one) => one !== undefined && one.path !== 'disabled')
}

/** Returns the result of a flag if it is the same for every context. */
function computeConstant(document: FeatureDocument, name: string): KeptPath | undefined {
  const { engine } = compile(document, { isListed: (definition) => definition.name === name })
  // the cache key consists of everything on which the result depends
  if (engine.getCacheKey({}) !== '') return undefined
  const { enabled, variant } = engine.evaluate(name, {})
  if (!enabled) return { path: 'disabled' }
  return variant.enabled ? { path: 'variant', variant: variant.name } : { path: 'enabled' }
}

/** Returns the path that all environments share; undefined if the results differ, or if there are no environments. */
export function findCommonPath(results: readonly EnvironmentResult[]): KeptPath | undefined {
  const [first, ...others] = results
  const path = first?.path
  if (path === undefined) return undefined
  return others.every((other) => isSamePath(path, other.path)) ? path : undefined
}

function isSamePath(a: KeptPath, b: KeptPath | undefined): boolean {
  return a.path === b?.path && a.variant === b.variant
}

/** Describes a path in one sentence, without line breaks. */
export function describePath(path: KeptPath | undefined): string {
  if (path === undefined) return 'depends on the user'
  return path.path === 'variant' ? `is the variant "${toOneLine(path.variant ?? '')}"` : `is ${path.path}`
}
