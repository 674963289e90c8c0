import { type Target, targetTable } from '../target-table.ts'
import { type Beside, measureBeside } from './beside.ts'
import { besideTable, besideTargets, describeBeside } from './beside-table.ts'
import { FLIP_SIZE, type FlipCosts, flipTable, flipTargets, measureFlips } from './flip-costs.ts'
import { LARGE_SIZE, type LargeDatabase } from './large.ts'
import { type LargeRows, measureLarge } from './large-rows.ts'
import { largeTable, largeTargets } from './large-table.ts'

/** Selection of measurements. */
export interface ServerPlan {
  readonly isQuick: boolean
  /**
   * Only rows whose name contains this text are measured. A name begins with the part of the benchmark, as in `beside:
   * search`.
   */
  readonly only?: string | undefined
  /** Databases to measure a large server on; by default, both. */
  readonly databases?: readonly LargeDatabase[]
}

/** Results of the server. */
export interface ServerRows {
  readonly beside?: Beside
  readonly flips?: FlipCosts
  readonly large?: LargeRows
}

/** Heading of the section in docs/benchmarks.md. */
export const SERVER_HEADING = 'The server'

const FULL = { features: 1000, rounds: 3, sliceMs: 1500 }
const QUICK = { features: 200, rounds: 3, sliceMs: 400 }
const FULL_LARGE = { size: LARGE_SIZE, rounds: 3, sliceMs: 5000, usageMs: 60_000 }
const QUICK_LARGE = { ...FULL_LARGE, sliceMs: 3000, usageMs: 10_000 }
const FLIPS = 'large: flips'

/** Runs those parts of the benchmark that have a row whose name contains the text. */
export async function measureServer({ isQuick, only = '', ...plan }: ServerPlan): Promise<ServerRows> {
  const isWanted = (name: string) => name.includes(only)
  const beside = await measureBeside({ ...(isQuick ? QUICK : FULL), isWanted }, (row) =>
    console.log(describeBeside(row)),
  )
  const flips = isWanted(FLIPS) ? await measureFlips() : undefined
  const databases = plan.databases ?? ['sqlite', 'postgres']
  const large = await measureLarge({ ...(isQuick ? QUICK_LARGE : FULL_LARGE), databases, isWanted })
  return { ...(beside && { beside }), ...(flips && { flips }), ...(large && { large }) }
}

/** Returns the targets for the server. */
export function serverTargets({ beside, flips, large }: ServerRows): Target[] {
  return [
    ...(beside === undefined ? [] : besideTargets(beside)),
    ...(flips === undefined ? [] : flipTargets(flips)),
    ...(large === undefined ? [] : largeTargets(large)),
  ]
}

/** Formats the results in Markdown, without a heading. */
export function serverSection(rows: ServerRows): string {
  const { beside, flips, large } = rows
  const parts = [targetTable(serverTargets(rows))]
  if (beside !== undefined) {
    parts.push(
      `### Beside unleash-server\n\nunleash-server 5.12.8 and Burgee have the same data, created through their admin APIs (${beside.features} flags × 2 environments). They
run alternately, on one core. On PostgreSQL, they use databases of one PostgreSQL server, which syncs every commit, with up to
10 connections each. Between two equal searches, the benchmark sends enough other searches that the response is no longer
cached. It repeats requests for lists and single flags, as the admin UI does. CPU time is measured for the server process.
"peer ÷" is the CPU time of unleash-server divided by the CPU time of Burgee. "rate" is the number of requests per second of
Burgee divided by the number of unleash-server.\n\n${besideTable(beside)}`,
    )
  }
  if (flips !== undefined) {
    parts.push(
      `### A change among many flags\n\n${FLIP_SIZE}, in one process on the embedded database.\n\n${flipTable(flips)}`,
    )
  }
  if (large !== undefined) {
    const { features, environments, projects, events } = large.size
    parts.push(
      `### A large instance\n\n${features} flags × ${environments} environments in ${projects} projects, ${events} events, 21 scopes in use. Server, database and load
generator share the cores. SDKs send 200 requests a second for all flags with their current tag. If a request has to wait for
the previous one, its latency counts from the time when it was due. Each row starts with three seconds of warm-up under both
loads.

The floor is a raw \`node:http\` server in a separate process that always responds with 304. The floor gets requests at the
same rate and under the same load; its measurements alternate with those of Burgee. So it shows the latency that running this many processes on these cores causes.\n\n${largeTable(large)}`,
    )
  }
  return parts.join('\n\n')
}
