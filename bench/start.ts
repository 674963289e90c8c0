/**
 * Benchmark of starts on a large database: `node --conditions=source bench/start.ts`. Fills SQLite and PostgreSQL with
 * 20,000 flags in 100 environments, all of which SDKs have used within the last day, and starts the built server on
 * them. `--database sqlite|postgres` measures one database, and `--flags 2000` changes the size; both write nothing.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type OptionTable, parseOptions } from '@burgee/kit/options/options'
import { openDatabase } from '@burgee/server/boot/open-database'
import { SERVER_OPTIONS, type ServerOptions } from '@burgee/server/core/options/options'
import { describeMachine } from './machine.ts'
import { readPage, withSection, writePage } from './page.ts'
import { openPostgresDatabases } from './server/postgres-databases.ts'
import { measureStart, type StartFigures } from './start/measure.ts'
import { seedUsedEnvironments } from './start/seed.ts'
import { startTable } from './start/table.ts'

const FLAGS = 20_000
const ENVIRONMENTS = 100
const RUNS = 3

const { values } = parseArgs({
  options: { flags: { type: 'string', default: String(FLAGS) }, database: { type: 'string' } },
})
const flags = Number(values.flags)
const isWhole = flags === FLAGS && values.database === undefined

type DatabaseLocation = { readonly dataDir: string } | { readonly databaseUrl: string }

async function measure(name: 'sqlite' | 'postgres', location: DatabaseLocation): Promise<StartFigures> {
  const options = parseOptions(SERVER_OPTIONS as OptionTable, { given: location }) as ServerOptions
  const db = await openDatabase(options, { clock: Date.now })
  try {
    await seedUsedEnvironments(db, { flags, environments: ENVIRONMENTS })
  } finally {
    await db.close()
  }
  const figures = await measureStart(name, location, RUNS)
  console.log(JSON.stringify(figures))
  return figures
}

console.log(describeMachine().join('\n'))
const rows: StartFigures[] = []
if (values.database !== 'postgres') {
  const dataDir = mkdtempSync(join(tmpdir(), 'burgee-bench-'))
  rows.push(await measure('sqlite', { dataDir }))
  rmSync(dataDir, { recursive: true, force: true })
}
if (values.database !== 'sqlite') {
  const databases = await openPostgresDatabases()
  rows.push(await measure('postgres', { databaseUrl: await databases.create() }).finally(databases.close))
}
const text = startTable(rows, { flags, environments: ENVIRONMENTS })
console.log(`\n${text}`)
if (isWhole) writePage(withSection(readPage(), 'Starts on a large database', text))
process.exit()
