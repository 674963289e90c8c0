import { exportState } from '@burgee/server/admin/transfer/state-export'
import type { Database, Tx } from '@burgee/storage/database'
import type { KyselyPlugin } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DRIVERS, type Place } from './drivers.ts'

/**
 * An export reads few rows per query, however many environments there are: the rows of a query arrive and are converted
 * in one turn of the event loop, in which no SDK is answered.
 */
const FLAGS = 120
const ENVIRONMENTS = 40
/** Rows of twenty flags in all environments. */
const MAX_ROWS = 20 * ENVIRONMENTS

describe.each(DRIVERS)('an export on $name', ({ place: createPlace }) => {
  let place: Place
  let db: Database
  beforeAll(async () => {
    place = await createPlace()
    db = await place.open({})
    const environments = Array.from({ length: ENVIRONMENTS }, (_none, index) => `environment-${index}`)
    const flags = Array.from({ length: FLAGS }, (_none, index) => `flag-${index}`)
    await db.write(async (tx) => {
      for (const name of environments)
        await tx
          .insertInto('environments')
          .values({ name, type: 'development', enabled: 1, sort_order: 1, protected: 0 })
          .execute()
      for (const name of flags) {
        await tx.insertInto('features').values(toFlagRow(name)).execute()
        const states = environments.map((environment) => ({ ...toStateRow(name), environment }))
        await tx.insertInto('feature_environments').values(states).execute()
        const strategies = environments.map((environment) => ({
          ...toStrategyRow(name),
          id: `${name}-${environment}`,
          environment,
        }))
        await tx.insertInto('feature_strategies').values(strategies).execute()
      }
    })
  })
  afterAll(async () => {
    await db.close()
    await place.remove()
  })

  test('reads the rows of twenty flags at once', async () => {
    const sizes: number[] = []
    const counting: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        sizes.push(result.rows.length)
        return result
      },
    }
    const parts = new Map<string, number>()
    await db.view(async (reader) => {
      for await (const { part, rows } of exportState((reader as Tx).withPlugin(counting), {}))
        parts.set(part, (parts.get(part) ?? 0) + rows.length)
    })
    expect(parts.get('featureEnvironments')).toBe(FLAGS * ENVIRONMENTS)
    expect(parts.get('featureStrategies')).toBe(FLAGS * ENVIRONMENTS)
    expect(Math.max(...sizes)).toBeLessThanOrEqual(MAX_ROWS)
  })
})

function toFlagRow(name: string) {
  return {
    name,
    project: 'default',
    type: 'release',
    description: null,
    stale: 0 as const,
    impression_data: 0 as const,
    created_at: 1,
    archived_at: null,
    last_seen_at: null,
  }
}

function toStateRow(feature_name: string) {
  return { feature_name, enabled: 0 as const, variants: '[]', last_seen_at: null }
}

function toStrategyRow(feature_name: string) {
  return {
    feature_name,
    name: 'default',
    title: null,
    disabled: 0 as const,
    parameters: '{}',
    constraints: '[]',
    variants: '[]',
    sort_order: 1,
    created_at: 1,
  }
}
