/**
 * Fills the empty database selected by the server options: `node --conditions=source bench/seed-instance.ts --data-dir
 * ./large --features 5000`.
 */
import { type OptionTable, parseOptions } from '@burgee/kit/options/options'
import { integer } from '@burgee/kit/options/parsers'
import { openDatabase } from '@burgee/server/boot/open-database'
import { SERVER_OPTIONS } from '@burgee/server/core/options/options'
import { LARGE, seedInstance } from './seed.ts'

const OPTIONS = {
  ...SERVER_OPTIONS,
  features: { parse: integer(1), default: LARGE.features, doc: 'Flags.' },
  environments: { parse: integer(2), default: LARGE.environments, doc: 'Environments.' },
  strategies: { parse: integer(1), default: LARGE.strategies, doc: 'Strategies of each flag in each environment.' },
  seed: { parse: integer(0), default: LARGE.seed, doc: 'Same seed, same instance.' },
} as const satisfies OptionTable

const options = parseOptions(OPTIONS, { env: process.env, argv: process.argv.slice(2) })
const db = await openDatabase(options, { clock: Date.now })
try {
  const since = performance.now()
  await seedInstance(db, options)
  const { features, environments, strategies } = options
  const seconds = ((performance.now() - since) / 1000).toFixed(1)
  console.log(`${features} flags in ${environments} environments, ${strategies} strategies each: ${seconds} s`)
} finally {
  await db.close()
}
