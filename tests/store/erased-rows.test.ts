import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openSqlite } from '@burgee/storage/drivers/sqlite/sqlite'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { temporaryFolder } from '../support/burgee.ts'

/** Deleted secrets must not remain in the files of an embedded database. */
const ROWS = 400
let folder: ReturnType<typeof temporaryFolder>
beforeEach(() => {
  folder = temporaryFolder()
})
afterEach(() => folder.remove())

test('secrets that were deleted or replaced are in no file of the database once its log was emptied', async () => {
  const file = join(folder.path, 'burgee.sqlite')
  const database = await openSqlite(file, { clock: Date.now })
  const secret = (index: number) => `secret-${index}-${'x'.repeat(60)}`
  const found = () =>
    [file, `${file}-wal`].map((name) => {
      const text = readFileSync(name, 'latin1')
      return Array.from({ length: ROWS }, (_, index) => secret(index)).filter((one) => text.includes(one)).length
    })
  await database.write(async (tx) => {
    await sql`create table secrets (hash text primary key, note text)`.execute(tx)
    for (let index = 0; index < ROWS; index += 1) {
      await sql`insert into secrets values (${`hash of ${secret(index)}`}, ${index % 2 === 0 ? secret(index) : ''})`.execute(
        tx,
      )
    }
  })
  await database.reclaim?.()
  expect(found()).toEqual([ROWS, 0])
  await database.write(async (tx) => {
    await sql`update secrets set hash = rowid, note = '' where rowid % 3 = 0`.execute(tx)
    await sql`delete from secrets where rowid % 3 <> 0`.execute(tx)
  })
  await database.reclaim?.()
  expect(found()).toEqual([0, 0])
  await database.close()
})
