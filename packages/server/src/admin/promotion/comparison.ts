import { invalid } from '@burgee/kit/input/refusals'
import { runInSlices } from '@burgee/kit/slices'
import type { ComparedFlag, Comparison, ComparisonQuery, FlagState } from '@burgee/protocol/administration/promotion'
import type { World } from '../../core/world.ts'
import type { Catalog } from '../catalog/catalog.ts'
import type { CatalogFlag } from '../catalog/catalog-flag.ts'
import { BY_NAME } from '../catalog/flag-table.ts'
import { requireProjectEnvironment } from '../change-requests/change-request-settings.ts'
import { areSameStrategies, areSameVariants } from '../targeting/same-strategy.ts'

/** Two environments of a project. */
export interface ComparedEnvironments {
  readonly project: string
  readonly from: string
  readonly to: string
}

/**
 * Compares the flags of a project in two environments, in memory. The result is sorted by name. Ignores requested names
 * that belong to archived flags or to no flag of the project. Throws NotFoundError for an environment that the project
 * does not use, and ValidationError if both are the same.
 */
export async function compareEnvironments(
  { catalog, db }: Pick<World, 'db'> & { readonly catalog: Catalog },
  { project, from, to }: ComparedEnvironments,
  { features }: ComparisonQuery,
): Promise<Comparison> {
  await db.view(async (reader) => {
    for (const environment of [from, to]) await requireProjectEnvironment(reader, { project, environment })
  })
  if (from === to) throw invalid('"source" and "target" must be different environments', 'params/from')
  const { table } = await catalog.flags()
  const named = features === undefined ? undefined : new Set(features.split(','))
  const own = table
    .sorted(false, 'name asc', BY_NAME)
    .filter((flag) => flag.row.project === project && named?.has(flag.name) !== false)
  return { features: await runInSlices(compareAll(own, from, to)) }
}

function* compareAll(flags: readonly CatalogFlag[], from: string, to: string): Generator<void, ComparedFlag[]> {
  const found: ComparedFlag[] = []
  for (const flag of flags) {
    found.push(compareFlag(flag.name, getState(flag, from), getState(flag, to)))
    yield
  }
  return found
}

function compareFlag(name: string, from: FlagState, to: FlagState): ComparedFlag {
  const isSame = {
    enabled: from.enabled === to.enabled,
    strategies: areSameStrategies(name, from.strategies, to.strategies),
    variants: areSameVariants(from.variants, to.variants),
  }
  const differences = (['enabled', 'strategies', 'variants'] as const).filter((part) => !isSame[part])
  return differences.length === 0 ? { name, differences } : { name, differences, from, to }
}

function getState(flag: CatalogFlag, environment: string): FlagState {
  const state = flag.environments.find((one) => one.environment === environment)
  const variants = (state?.variants ?? []) as FlagState['variants']
  return { enabled: state?.enabled === 1, strategies: flag.strategiesIn(environment), variants }
}
