import { FULL_PERCENTAGE, getRolloutPercentage } from '@burgee/protocol/targeting/audience'
import type { AdminStrategy } from '@burgee/protocol/targeting/strategy'
import type { CatalogEnvironment, CatalogFlag } from '../catalog/catalog-flag.ts'

const PRODUCTION = 'production'

/**
 * If a flag is on for everyone in all production environments, with no parent and at most one variant, returns these
 * environments. Returns an empty list if users get different results in any production environment.
 */
export function getOpenEnvironments(flag: CatalogFlag): readonly string[] {
  if (flag.parents.length > 0) return []
  const places = flag.environments.filter(({ type }) => type === PRODUCTION)
  return places.every((place) => isOpen(flag, place)) ? places.map(({ environment }) => environment) : []
}

function isOpen(flag: CatalogFlag, { environment, enabled, variants, hasStrategies }: CatalogEnvironment): boolean {
  if (enabled !== 1 || variants.length > 1) return false
  // a flag without strategies is on for everyone
  if (!hasStrategies) return true
  const inUse = flag.strategiesIn(environment).filter(({ disabled }) => !disabled)
  return inUse.some(isForEveryone) && inUse.every((strategy) => strategy.variants.length <= 1)
}

function isForEveryone({ name, parameters, constraints, segments }: AdminStrategy): boolean {
  return (
    constraints.length === 0 && segments.length === 0 && getRolloutPercentage({ name, parameters }) === FULL_PERCENTAGE
  )
}
