import { fileURLToPath } from 'node:url'
import { startContestant } from '../server/contestant.ts'
import { median } from '../statistics.ts'

/** Cost of a start on one database. */
export interface StartFigures {
  readonly database: 'sqlite' | 'postgres'
  /** CPU time until the server is healthy, in seconds. */
  readonly cpuSeconds: number
  /** CPU time until background work of the start has ended as well, in seconds. */
  readonly settledCpuSeconds: number
  /** Wall clock time until the server is healthy, in seconds. */
  readonly seconds: number
  /** Memory of the process when it is healthy. */
  readonly rssBytes: number
}

const COMMAND = fileURLToPath(new URL('../../bin/burgee.mjs', import.meta.url))
/** Generous, because other work may use the machine. */
const MAX_START_MS = 300_000
const SETTLED_AFTER_MS = 10_000
const US_PER_S = 1e6
const MS_PER_S = 1000

/** Starts the built server several times on an existing database. Returns medians; the first start is not counted. */
export async function measureStart(
  database: 'sqlite' | 'postgres',
  place: { readonly dataDir: string } | { readonly databaseUrl: string },
  runs: number,
): Promise<StartFigures> {
  await startOnce(database, place)
  const measured: Omit<StartFigures, 'database'>[] = []
  for (let run = 0; run < runs; run += 1) measured.push(await startOnce(database, place))
  const medianOf = (key: keyof (typeof measured)[number]) => median(measured.map((one) => one[key]))
  return {
    database,
    cpuSeconds: medianOf('cpuSeconds'),
    settledCpuSeconds: medianOf('settledCpuSeconds'),
    seconds: medianOf('seconds'),
    rssBytes: medianOf('rssBytes'),
  }
}

async function startOnce(
  name: 'sqlite' | 'postgres',
  place: { readonly dataDir: string } | { readonly databaseUrl: string },
): Promise<Omit<StartFigures, 'database'>> {
  const startedAt = performance.now()
  const server = await startContestant({ name, ...place, pin: [], command: COMMAND, maxStartMs: MAX_START_MS })
  try {
    const seconds = (performance.now() - startedAt) / MS_PER_S
    const { cpuUs, rssBytes } = await server.account()
    await new Promise((resolve) => setTimeout(resolve, SETTLED_AFTER_MS))
    const settled = await server.account()
    return { cpuSeconds: cpuUs / US_PER_S, settledCpuSeconds: settled.cpuUs / US_PER_S, seconds, rssBytes }
  } finally {
    await server.stop()
  }
}
