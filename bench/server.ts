/**
 * Benchmark of the server: `node --expose-gc --conditions=source bench/server.ts`. Compares the server with Unleash,
 * and measures the server alone with much data. `--only TEXT` selects rows whose name contains the text (`beside:
 * search`, `large: 304 under usage`). `--database sqlite|postgres` selects the database of the large server. `--quick`
 * takes less time. Only a full run writes docs/benchmarks.md.
 */
import { parseArgs } from 'node:util'
import { describeMachine } from './machine.ts'
import { readPage, withSection, writePage } from './page.ts'
import { measureServer, SERVER_HEADING, serverSection } from './server/section.ts'

const { values } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, only: { type: 'string' }, database: { type: 'string' } },
})
console.log(describeMachine().join('\n'))
const { quick: isQuick, only, database } = values
if (database !== undefined && database !== 'sqlite' && database !== 'postgres')
  throw new Error('--database sqlite|postgres')
const databases = database === undefined ? {} : { databases: [database] as const }
const rows = await measureServer({ isQuick, only, ...databases })
console.log(`\n${serverSection(rows)}`)
const isWhole = !isQuick && only === undefined && database === undefined
if (isWhole) writePage(withSection(readPage(), SERVER_HEADING, serverSection(rows)))
