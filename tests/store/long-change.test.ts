import { setImmediate as turn } from 'node:timers/promises'
import type { Database } from '@burgee/storage/database'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DRIVERS, type Place } from './drivers.ts'

const WRITES = 5000

describe.each(DRIVERS)('$name', ({ place: newPlace }) => {
  let place: Place
  let db: Database
  beforeAll(async () => {
    place = await newPlace()
    db = await place.open()
  })
  afterAll(async () => {
    await db.close()
    await place.remove()
  })

  test('a change with thousands of writes leaves time for other work', async () => {
    let turns = 0
    let isOver = false
    const other = (async () => {
      while (!isOver) {
        await turn()
        turns += 1
      }
    })()
    let duringWrites = 0
    await db.write(async (tx) => {
      const before = turns
      for (let number = 0; number < WRITES; number += 1) {
        await tx
          .insertInto('settings')
          .values({ name: `long-${number}`, value: 'x' })
          .execute()
      }
      duringWrites = turns - before
    })
    isOver = true
    await other
    expect(duringWrites).toBeGreaterThanOrEqual(10)
    const rows = await db.scan((reader) =>
      reader.selectFrom('settings').select('name').where('name', 'like', 'long-%').execute(),
    )
    expect(rows).toHaveLength(WRITES)
  })

  test('an error in the middle fails the change, and nothing of it stays', async () => {
    const change = db.write(async (tx) => {
      for (let number = 0; number < WRITES; number += 1) {
        const name = number === WRITES / 2 ? 'twice-0' : `twice-${number}`
        await tx.insertInto('settings').values({ name, value: 'x' }).execute()
      }
    })
    await expect(change).rejects.toThrow()
    const rows = await db.scan((reader) =>
      reader.selectFrom('settings').select('name').where('name', 'like', 'twice-%').execute(),
    )
    expect(rows).toHaveLength(0)
  })
})
