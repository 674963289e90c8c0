import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { DRIVERS } from '../drivers.ts'
import { readContent, readDefinitions } from './schema-text.ts'

/** If the variable has any value, the test writes the files instead of comparing them; review the diff. */
const { UPDATE_SCHEMA } = process.env

describe.each(DRIVERS)('a new database on $name', (driver) => {
  test('has the schema and the rows in the folder schema', async () => {
    const place = await driver.place()
    await (await place.open({ clock: () => 0 })).close()
    const look = await place.look()
    const found = `${await readDefinitions(look, driver.name)}\n${await readContent(look, driver.name)}`
    await look.close()
    await place.remove()
    const file = new URL(`schema/${driver.name}.sql`, import.meta.url)
    if (UPDATE_SCHEMA !== undefined) writeFileSync(file, found)
    expect(found).toBe(readFileSync(file, 'utf8'))
  })
})
