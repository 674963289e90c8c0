import type { StartFigures } from './measure.ts'
import { STRATEGIES_PER_FLAG, type StartSize } from './seed.ts'

const BYTES_PER_MB = 1e6
const NAMES = { sqlite: 'SQLite', postgres: 'PostgreSQL' }

/** Formats the section of the page. */
export function startTable(rows: readonly StartFigures[], { flags, environments }: StartSize): string {
  return `Written by \`node --conditions=source bench/start.ts\`. A server starts on ${flags.toLocaleString('en-US')} flags in ${environments}
environments with ${(flags * STRATEGIES_PER_FLAG).toLocaleString('en-US')} strategies. SDKs have used all environments within the last day, so the start reads
all of them. Medians of 3 starts. The target is 8 s of CPU time until the server is healthy.

| Database | CPU until healthy | CPU 10 s later | Wall clock | Memory |
|---|---:|---:|---:|---:|
${rows.map(formatRow).join('\n')}`
}

function formatRow({ database, cpuSeconds, settledCpuSeconds, seconds, rssBytes }: StartFigures): string {
  const times = [cpuSeconds, settledCpuSeconds, seconds].map((value) => `${value.toFixed(1)} s`).join(' | ')
  return `| ${NAMES[database]} | ${times} | ${(rssBytes / BYTES_PER_MB).toFixed(0)} MB |`
}
