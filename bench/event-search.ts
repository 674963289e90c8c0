/**
 * Benchmark of searching events by text, type, author, project and date: `node --conditions=source
 * bench/event-search.ts`. Fills SQLite and PostgreSQL with a million events, builds the search index, and alternates
 * between searches with and without the index. `--events 100000` changes the size and writes nothing; `--database
 * sqlite|postgres` measures one database.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Database } from '@burgee/storage/database'
import { openPostgres } from '@burgee/storage/drivers/postgres/postgres'
import { openSqlite } from '@burgee/storage/drivers/sqlite/sqlite'
import { readDatabaseBytes } from '@burgee/storage/table-sizes'
import { buildIndex, measureFilters, measureSearches, seedHistory } from './events/searches.ts'
import { type MeasuredDatabase, searchSection } from './events/table.ts'
import { describeMachine } from './machine.ts'
import { readPage, withSection, writePage } from './page.ts'
import { openPostgresDatabases } from './server/postgres-databases.ts'

const MILLION = 1_000_000
const { values } = parseArgs({
  options: { events: { type: 'string', default: String(MILLION) }, database: { type: 'string' } },
})
const events = Number(values.events)
const isWhole = events === MILLION && values.database === undefined

async function measure(name: string, db: Database): Promise<MeasuredDatabase> {
  await seedHistory(db, events)
  const before = await readDatabaseBytes(db)
  const build = await buildIndex(db)
  const after = await readDatabaseBytes(db)
  console.log(`${name}: index of ${after - before} bytes beside ${before}, ${JSON.stringify(build)}`)
  const searches = await measureSearches(db)
  const filters = await measureFilters(db)
  return { name, eventBytes: before, indexBytes: after - before, build, searches, filters }
}

console.log(describeMachine().join('\n'))
const measured: MeasuredDatabase[] = []
if (values.database !== 'postgres') {
  const folder = mkdtempSync(join(tmpdir(), 'burgee-bench-'))
  const db = await openSqlite(join(folder, 'bench.sqlite'), { clock: Date.now })
  measured.push(await measure('SQLite', db))
  await db.close()
  rmSync(folder, { recursive: true, force: true })
}
if (values.database !== 'sqlite') {
  const databases = await openPostgresDatabases()
  const connectionString = await databases.create()
  const db = await openPostgres({ connection: { connectionString }, poolSize: 6 }, { clock: Date.now })
  measured.push(await measure('PostgreSQL', db))
  await db.close()
  await databases.close()
}
const text = searchSection(measured, events)
console.log(`\n${text}`)
if (isWhole) writePage(withSection(readPage(), 'Searches in events', text))
process.exit()
