import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { openSqlite } from '@burgee/server/store/sqlite'
import { expect, test } from 'vitest'

const run = promisify(execFile)
const SCRIPT = fileURLToPath(new URL('migration-child.ts', import.meta.url))

test('four processes that make the tables at once: all succeed, the tables are made once', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'burgee-migrate-'))
  const file = join(directory, 'x.sqlite')
  const runs = Array.from({ length: 4 }, () =>
    run(process.execPath, ['--conditions=source', '--no-warnings', SCRIPT, file], {
      env: { ...process.env, NODE_OPTIONS: '' },
    }),
  )
  const outputs = (await Promise.all(runs)).map(({ stdout }) => stdout.trim())
  rmSync(directory, { recursive: true, force: true })
  expect(outputs).toEqual(['1', '1', '1', '1'])
})

test('tables that are newer than the program are refused', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'burgee-newer-'))
  const file = join(directory, 'x.sqlite')
  await (await openSqlite(file, { clock: Date.now })).close()
  const db = new DatabaseSync(file)
  db.exec("insert into kysely_migration values ('9999-future', '2030-01-01')")
  db.close()
  await expect(openSqlite(file, { clock: Date.now })).rejects.toThrow('could not be brought up to date')
  rmSync(directory, { recursive: true, force: true })
})
