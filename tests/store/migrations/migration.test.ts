import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { DRIVERS } from '../drivers.ts'

const run = promisify(execFile)
const SCRIPT = fileURLToPath(new URL('migration-child.ts', import.meta.url))
const ROUNDS = 3

const openInProcess = (where: string) =>
  run(process.execPath, ['--conditions=source', '--no-warnings', SCRIPT, where], {
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
})
