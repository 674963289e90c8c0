import type { Database } from '@burgee/storage/database'
import { insertToken } from '@burgee/storage/queries/access/tokens'
import { featureName, seedInstance } from '../seed.ts'

/** Size of the database that is started on. */
export interface StartSize {
  readonly flags: number
  readonly environments: number
}

/** Strategies per flag, each in another environment. */
export const STRATEGIES_PER_FLAG = 3
const ROWS_AT_ONCE = 500

/**
 * Fills an empty database with flags that have a state in every environment, and three strategies each. A token of
 * every environment has been used just now, so that a start reads the flags of all environments.
 */
export async function seedUsedEnvironments(db: Database, { flags, environments }: StartSize): Promise<void> {
  await seedInstance(db, { features: flags, environments, strategies: 0, seed: 1 })
  const names = await db.write(async (tx) => {
    const rows = await tx.selectFrom('environments').select('name').orderBy('sort_order').execute()
    for (const { name } of rows) await insertToken(tx, createUsedToken(name))
    return rows.map(({ name }) => name)
  })
  const strategies = Array.from({ length: flags * STRATEGIES_PER_FLAG }, (_, index) => createStrategy(index, names))
  for (let from = 0; from < strategies.length; from += ROWS_AT_ONCE) {
    const some = strategies.slice(from, from + ROWS_AT_ONCE)
    await db.write((tx) => tx.insertInto('feature_strategies').values(some).execute())
  }
}

const createUsedToken = (environment: string) => ({
  id: environment,
  hash: environment,
  masked: '',
  name: environment,
  type: 'client' as const,
  environment,
  projects: ['*'],
  expires_at: null,
  created_at: 0,
  seen_at: Date.now(),
})

function createStrategy(index: number, environments: readonly string[]) {
  const feature = featureName(Math.floor(index / STRATEGIES_PER_FLAG))
  return {
    id: `strategy-${index}`,
    feature_name: feature,
    environment: environments[index % environments.length] ?? '',
    name: 'flexibleRollout',
    title: null,
    disabled: 0,
    parameters: JSON.stringify({ rollout: '50', stickiness: 'default', groupId: feature }),
    constraints: '[]',
    variants: '[]',
    sort_order: 0,
    created_at: 0,
  }
}
