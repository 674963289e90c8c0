import type { Database, Tx } from '@burgee/storage/database'
import { listEnabledWithoutStrategy } from '@burgee/storage/queries/flags/enabled-without-strategy'
import type { KyselyPlugin } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { seedInstance } from '../../bench/seed.ts'
import { DRIVERS, type Place } from './drivers.ts'

/** A start names a few of these flags. Their rows can be as many as flags times environments. */
const FLAGS = 30
const LIMIT = 5

describe.each(DRIVERS)('flags that are on without an enabled strategy on $name', ({ place: createPlace }) => {
  let place: Place
  let db: Database
  beforeAll(async () => {
    place = await createPlace()
    db = await place.open({})
    await seedInstance(db, { features: FLAGS, environments: 2, strategies: 0, seed: 1 })
    await db.write(async (tx) => {
      await tx.updateTable('feature_environments').set({ enabled: 0 }).execute()
      const isOn = tx.updateTable('feature_environments').set({ enabled: 1 })
      await isOn.where('environment', '=', 'production').execute()
      await addStrategy(tx, 'feature-00000', { disabled: 0 })
      await addStrategy(tx, 'feature-00001', { disabled: 1 })
      await addStrategy(tx, 'feature-00002', { disabled: 1 })
      await addStrategy(tx, 'feature-00002', { disabled: 0 })
      await tx.updateTable('features').set({ archived_at: 1 }).where('name', '=', 'feature-00003').execute()
    })
  })
  afterAll(async () => {
    await db.close()
    await place.remove()
  })

  test('the list counts all and reads only the first ones', async () => {
    let rows = 0
    const counting: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        rows += result.rows.length
        return result
      },
    }
    const { total, first } = await db.view((reader) =>
      listEnabledWithoutStrategy((reader as Tx).withPlugin(counting), LIMIT),
    )
    expect(total).toBe(FLAGS - 3)
    expect(first.map(({ feature, environment, hasStrategies }) => [feature, environment, hasStrategies])).toEqual([
      ['feature-00001', 'production', true],
      ['feature-00004', 'production', false],
      ['feature-00005', 'production', false],
      ['feature-00006', 'production', false],
      ['feature-00007', 'production', false],
    ])
    expect(rows).toBe(LIMIT + 1)
  })
})

let strategies = 0
async function addStrategy(tx: Tx, feature: string, { disabled }: { readonly disabled: number }): Promise<void> {
  strategies += 1
  await tx
    .insertInto('feature_strategies')
    .values({
      id: `strategy-${strategies}`,
      feature_name: feature,
      environment: 'production',
      name: 'default',
      title: null,
      disabled,
      parameters: '{}',
      constraints: '[]',
      variants: '[]',
      sort_order: 0,
      created_at: 0,
    })
    .execute()
}
