/**
 * Benchmark of changes: `node --conditions=source bench/writes.ts`. 1, 4, 16 and 64 clients each switch a flag, on
 * SQLite and PostgreSQL. Alternates between our server and a minimal writer that writes the same bytes and nothing
 * else. `--quick` takes less time and writes nothing; `--database sqlite|postgres` measures one database.
 */
import { parseArgs } from 'node:util'
import { describeMachine } from './machine.ts'
import { readPage, withSection, writePage } from './page.ts'
import { openPostgresDatabases } from './server/postgres-databases.ts'
import { postgresContestants, sqliteContestants } from './writes/contestants.ts'
import { measureWrites, type WritesPlan } from './writes/measure.ts'
import { countRoundTrips } from './writes/round-trips.ts'
import { roundTripsText, WRITES_TEXT, writesTable } from './writes/table.ts'

const { values } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, database: { type: 'string' } },
})
const { quick: isQuick, database } = values
if (database !== undefined && database !== 'sqlite' && database !== 'postgres')
  throw new Error('--database sqlite|postgres')
const plan: WritesPlan = isQuick
  ? { clients: [1, 16], rounds: 2, sliceMs: 400 }
  : { clients: [1, 4, 16, 64], rounds: 5, sliceMs: 1500 }

console.log(describeMachine().join('\n'))
const measuredOn = `Measured on ${new Date().toISOString().slice(0, 10)}.`
const sections = [`${WRITES_TEXT} ${measuredOn}`]
if (database !== 'postgres') {
  const contestants = await sqliteContestants()
  sections.push(writesTable('SQLite', await measureWrites(contestants, plan)))
  await contestants.close()
}
if (database !== 'sqlite') {
  const databases = await openPostgresDatabases()
  const contestants = await postgresContestants(await databases.create())
  sections.push(writesTable('PostgreSQL', await measureWrites(contestants, plan)))
  await contestants.close()
  sections.push(roundTripsText(await countRoundTrips(await databases.create(), plan.clients)))
  await databases.close()
}
const text = sections.join('\n\n')
console.log(`\n${text}`)
if (!isQuick && database === undefined) writePage(withSection(readPage(), 'Changes', text))
process.exit()
