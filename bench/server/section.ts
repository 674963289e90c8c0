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
   * Measures only rows whose name contains this text. A name begins with the part of the benchmark, as in `beside:
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

/** Runs the parts of the benchmark that have a row whose name contains the text. */
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
      `### Beside unleash-server\n\nunleash-server 5.12.8 and ours, filled alike over their admin APIs (${beside.features} flags × 2 environments), each on
a core of its own, those on PostgreSQL on databases of one server that syncs every commit, with up to 10 connections
each; in turns. No search is asked for again before so many others that its page is not kept any more; lists and single flags
are, as screens do. CPU time is that of the server's process; "peer ÷" says how many times more CPU time unleash-server needs,
"rate" how many times more requests a second there were.\n\n${besideTable(beside)}`,
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
      `### A large instance\n\n${features} flags × ${environments} environments in ${projects} projects, ${events} events, 21 scopes in use; server, database and load share the
cores. SDKs ask 200 times a second with the tag that they have, for all flags; a request that has to wait for the one
before it has waited since it was due. Before each row both went on together for three seconds. The
floor is a raw \`node:http\` server in a process of its own that only says 304: asked as often while the same goes on beside
it, in turns with ours, it shows what so many processes on these cores cost by themselves.\n\n${largeTable(large)}`,
    )
  }
  return parts.join('\n\n')
}
