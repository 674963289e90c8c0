import { describe, expect, test } from 'vitest'
import { DRIVERS } from '../drivers.ts'
import { makeOldTables } from './old-database.ts'

/** Names as an earlier version stored and served them. */
const ROWS = [
  { flag: 'written-here', stored: ['Treatment', 'control'], served: ['Treatment', 'control'] },
  { flag: 'imported', stored: ['control', 'Treatment', '_x'], served: ['Treatment', '_x', 'control'] },
  { flag: 'single', stored: ['a'], served: ['a'] },
] as const

describe.each(DRIVERS)('variants of earlier versions on $name', (driver) => {
  test('get stored in the order in which they were served', async () => {
    const place = await driver.place()
    await makeOldTables(place.where, '0042-own-email')
    const look = await place.look()
    for (const { flag, stored } of ROWS) {
      await look.rows(
        `insert into features (name, project, description, type, stale, impression_data, created_at) values (?, 'default', null, 'release', 0, 0, 0)`,
        flag,
      )
      await look.rows(
        `insert into feature_environments (feature_name, environment, enabled, variants) values (?, 'development', 1, ?)`,
        ...[flag, JSON.stringify(stored.map((name) => ({ name, weight: 1 })))],
      )
    }
    await (await place.open()).close()
    for (const { flag, served } of ROWS) {
      const row = await look.row('select variants from feature_environments where feature_name = ?', flag)
      const variants = JSON.parse(String(row?.variants)) as { name: string }[]
      expect([flag, variants.map(({ name }) => name)]).toEqual([flag, served])
    }
    await look.close()
    await place.remove()
  })
})
