import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { DRIVERS } from '../drivers.ts'
import { readContent, readDefinitions } from './schema-text.ts'

const run = promisify(execFile)
const SCRIPT = fileURLToPath(new URL('migration-child.ts', import.meta.url))
const ROUNDS = 3

const openInProcess = (where: string, ...killAfter: readonly string[]) =>
  run(process.execPath, ['--conditions=source', '--no-warnings', SCRIPT, where, ...killAfter], {
    env: { ...process.env, NODE_OPTIONS: '' },
  })

describe.each(DRIVERS)('$name', (driver) => {
  test(`four processes that make the tables at once, ${ROUNDS} times: all succeed, the tables are made once`, async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const place = await driver.place()
      const runs = await Promise.all(Array.from({ length: 4 }, () => openInProcess(place.where)))
      expect(runs.map(({ stdout }) => stdout.trim())).toEqual(['1', '1', '1', '1'])
      await place.remove()
    }
  })

  test('a process that is killed between two indexes leaves no tables, and the next one makes them', async () => {
    const place = await driver.place()
    const killed = await openInProcess(place.where, 'create index "events_by_type"').catch((error: unknown) => error)
    expect(killed).toMatchObject({ signal: 'SIGKILL', stderr: '' })
    const look = await place.look()
    expect((await readDefinitions(look, driver.name)).trim()).toBe('')
    await openInProcess(place.where)
    const made = await readContent(look, driver.name)
    expect(made).toContain('-- roles: 5, "Member"')
    await openInProcess(place.where)
    expect(await readContent(look, driver.name)).toBe(made)
    await look.close()
    await place.remove()
  })
})
