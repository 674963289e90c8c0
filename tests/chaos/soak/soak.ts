import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { seedFlags, sendLoad } from './load.ts'
import { openSoakScene, type SoakedProcess } from './scene.ts'
import { type Allowance, type Finding, findSlopes, type Sample } from './slopes.ts'

const MINUTE_MS = 60_000
const MIB = 2 ** 20
const MAX_SAMPLES = 360
/** Time after which the slopes so far are printed again. */
const INTERIM_PRINT_MS = 30 * MINUTE_MS
const MIN_SAMPLE_MS = 2000
/** Bytes that a change writes: its row in the history with the indexes, and everything else. */
const BYTES_PER_EVENT = 4096

/** Default duration of a soak test, in minutes. */
export const DEFAULT_SOAK_MINUTES = 180

/** Shorter runs measure the warm-up, whose growth per hour means nothing. */
const MIN_JUDGED_MINUTES = 60

/** Measures whose growth is printed, but not judged. */
const ANY = Number.POSITIVE_INFINITY

/**
 * Allowed growth per hour, and its causes. `rss` is the sum of `anonymous` memory and pages of `file`s. V8 commits
 * twice the heap in use and returns it minutes later, so `rss` and `committed` are not judged. The memory in use
 * (`heap`, `external`) is judged, and so is all other memory (`native`: threads of SQLite, compression). The statements
 * that SQLite has prepared grow up to 10 MB per thread. The heaps of its threads contain replaced statements until V8
 * collects them, so they rise to about 24 MiB per thread, within two to twelve hours, and fall again.
 */
const ALLOWANCES: readonly Allowance[] = [
  { measure: 'rss', perHour: ANY },
  { measure: 'anonymous', perHour: ANY },
  { measure: 'committed', perHour: ANY },
  { measure: 'file', perHour: 2 * MIB },
  { measure: 'native', perHour: 8 * MIB, explainedBy: { caches: 1, statements: 1, threadHeaps: 1 } },
  { measure: 'statements', perHour: ANY },
  { measure: 'threadHeaps', perHour: ANY },
  { measure: 'heap', perHour: 4 * MIB, explainedBy: { caches: 1 } },
  { measure: 'external', perHour: 2 * MIB, explainedBy: { caches: 1 } },
  { measure: 'descriptors', perHour: 2 },
  { measure: 'series', perHour: 10 },
  { measure: 'disk', perHour: 4 * MIB, explainedBy: { events: BYTES_PER_EVENT } },
]
const IN_MIB: ReadonlySet<string> = new Set([
  'rss',
  'anonymous',
  'committed',
  'file',
  'native',
  'statements',
  'threadHeaps',
  'heap',
  'external',
  'disk',
])

/** Duration of a soak test, and number of rounds of requests per second. */
export interface SoakLength {
  readonly minutes: number
  readonly speed: number
}

/**
 * Runs server, edge and proxy under a low load and prints the slopes of memory, descriptors, metrics and disk. Resolves
 * with true if all of them are explained.
 */
export async function runSoak({ minutes, speed }: SoakLength, print: (line: string) => void): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'burgee-soak-'))
  const scene = await openSoakScene(folder)
  try {
    await seedFlags(scene.server)
    const endMs = performance.now() + minutes * MINUTE_MS
    const isOver = () => performance.now() >= endMs
    const sampleMs = Math.max(MIN_SAMPLE_MS, (minutes * MINUTE_MS) / MAX_SAMPLES)
    const load = sendLoad(scene.server, scene.processes, isOver, speed)
    const samples = await takeSamples(scene.processes, sampleMs, isOver, print)
    const { sent, failed } = await load
    print(`\n${sent} requests in ${minutes} minutes, ${failed} failed; caches and events are what may explain a slope.`)
    const isExplained = printSlopes(samples, print)
    if (minutes >= MIN_JUDGED_MINUTES) return isExplained && failed === 0
    print(
      `Slopes of less than ${MIN_JUDGED_MINUTES} minutes are those of the warm-up: none of them counts as a failure.`,
    )
    return failed === 0
  } finally {
    await scene.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

type Samples = ReadonlyMap<string, readonly Sample[]>

async function takeSamples(
  processes: readonly SoakedProcess[],
  everyMs: number,
  isOver: () => boolean,
  print: (line: string) => void,
): Promise<Samples> {
  const samples = new Map<string, Sample[]>(processes.map(({ name }) => [name, []]))
  const startMs = performance.now()
  let printAtMs = startMs + INTERIM_PRINT_MS
  while (!isOver()) {
    for (const { name, measure } of processes)
      samples.get(name)?.push({ atMs: performance.now(), measures: await measure() })
    if (performance.now() >= printAtMs) {
      print(`\nAfter ${Math.round((performance.now() - startMs) / MINUTE_MS)} minutes:`)
      printSlopes(samples, print)
      printAtMs += INTERIM_PRINT_MS
    }
    await sleep(everyMs)
  }
  return samples
}

/** Prints the slopes. Returns true if all slopes are explained. */
function printSlopes(samples: Samples, print: (line: string) => void): boolean {
  const findings = [...samples].map(([name, own]) => ({ name, own, slopes: findSlopes(own, ALLOWANCES) }))
  print('\n| Process | Measure | From | To | In an hour | Of it unexplained | |\n|---|---|---|---|---|---|---|')
  for (const { name, slopes } of findings) {
    for (const slope of slopes) print(`| ${name} | ${rowOf(slope)} |`)
  }
  for (const { name, own } of findings) print(`${name}: ${coreShareOf(own)} % of a core`)
  return findings.every(({ slopes }) => slopes.length > 0 && slopes.every(({ isUnexplained }) => !isUnexplained))
}

function rowOf({ measure, first, last, perHour, unexplainedPerHour, isUnexplained }: Finding): string {
  const text = (value: number) => (IN_MIB.has(measure) ? `${(value / MIB).toFixed(1)} MiB` : value.toFixed(1))
  const verdict = isUnexplained ? '**unexplained**' : 'ok'
  return [measure, text(first), text(last), text(perHour), text(Math.max(0, unexplainedPerHour)), verdict].join(' | ')
}

function coreShareOf(samples: readonly Sample[]): number {
  const [first, last] = [samples[0], samples.at(-1)]
  if (first === undefined || last === undefined) return 0
  const seconds = (last.measures.cpuSeconds ?? 0) - (first.measures.cpuSeconds ?? 0)
  return Math.round((100_000 * seconds) / (last.atMs - first.atMs))
}
