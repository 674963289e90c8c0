import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { listMigrationNames } from '@burgee/storage/migrations'
import { OwnershipError, TablesOutdated } from '@burgee/storage/ownership'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { TestDatabase } from '../../support/test-database.ts'
import { DRIVERS, type Place } from '../drivers.ts'
import { fillBeforeSquash } from './before-squash.ts'
import { FIRST_ALTERING } from './migration-statements.ts'
import { readContent, readDefinitions } from './schema-text.ts'

const run = promisify(execFile)
const SCRIPT = fileURLToPath(new URL('migration-child.ts', import.meta.url))
/** Migrations that a database from before the squash still needs. */
const LATER = listMigrationNames().filter((name) => name >= FIRST_ALTERING)
const TOO_OLD =
  /too old for this version \(\d+\.\d+\.\d+\).*up to 0042-own-email\. Nothing was changed; start the server of commit [0-9a-f]{8} on it once, which brings it to 0079-event-search, and then this version$/

describe.each(DRIVERS)('a database from before the squash on $name', (driver) => {
  let place: Place
  let look: TestDatabase
  beforeEach(async () => {
    place = await driver.place()
    look = await place.look()
  })
  afterEach(async () => {
    await look.close()
    await place.remove()
  })

  const readAll = async () => ({
    definitions: await readDefinitions(look, driver.name),
    content: await readContent(look, driver.name),
    migrations: await look.rows('select name, timestamp from kysely_migration order by name'),
  })

  const readNames = async () =>
    (await look.rows('select name from kysely_migration order by name')).map(({ name }) => name)

  test('has the tables of a new one', async () => {
    await fillBeforeSquash(place.where)
    await (await place.open()).close()
    const schema = readFileSync(new URL(`schema/${driver.name}.sql`, import.meta.url), 'utf8')
    expect(schema.startsWith(await readDefinitions(look, driver.name))).toBe(true)
  })

  test.each([false, true])('gets the later migrations once, then stays as it is (as a guest: %s)', async (asGuest) => {
    await fillBeforeSquash(place.where)
    const names = await readNames()
    const log: string[] = []
    await (await place.open({ debug: (line) => log.push(line) })).close()
    expect(log).toContain(`Migrated: ${LATER.join(', ')}`)
    expect(await readNames()).toEqual([...names, ...LATER])
    const before = await readAll()
    const db = await place.open({ asGuest, debug: (line) => log.push(line) })
    expect((await db.reader.selectFrom('features').select('name').orderBy('name').execute()).length).toBe(2)
    await db.close()
    expect(await readAll()).toEqual(before)
    if (!asGuest) expect(log).toContain('Migrated: nothing; the tables are up to date')
  })

  test('opens in two processes at once', async () => {
    await fillBeforeSquash(place.where)
    const names = await readNames()
    const open = () =>
      run(process.execPath, ['--conditions=source', '--no-warnings', SCRIPT, place.where], {
        env: { ...process.env, NODE_OPTIONS: '' },
      })
    const both = await Promise.all([open(), open()])
    expect(both.map(({ stdout }) => stdout.trim())).toEqual(['1', '1'])
    expect(await readNames()).toEqual([...names, ...LATER])
  })

  test.each([false, true])(
    'fails to open, and stays as it is, if it stopped earlier (as a guest: %s)',
    async (asGuest) => {
      await fillBeforeSquash(place.where, '0042-own-email')
      const before = await readAll()
      const failure = await place.open({ asGuest }).catch((error: unknown) => error)
      expect(failure).toBeInstanceOf(OwnershipError)
      // this version would never migrate that database
      expect(failure).not.toBeInstanceOf(TablesOutdated)
      expect((failure as Error).message).toMatch(TOO_OLD)
      expect(await readAll()).toEqual(before)
    },
  )

  test('fails to open, and stays as it is, if a newer version has migrated it', async () => {
    await fillBeforeSquash(place.where)
    await look.rows("insert into kysely_migration values ('9998-later', '2030-01-01')")
    const before = await readAll()
    await expect(place.open()).rejects.toThrow(
      new RegExp(`written by a newer Burgee: it has 9998-later, .*up to ${LATER.at(-1)}\\. Nothing was changed`),
    )
    expect(await readAll()).toEqual(before)
  })
})
