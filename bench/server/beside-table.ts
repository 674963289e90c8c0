import { type Target, target } from '../target-table.ts'
import type { Beside, BesideFigures, BesideRow } from './beside.ts'
import type { ContestantName } from './contestant.ts'

const OURS = ['postgres', 'sqlite'] as const
const DATABASES: Readonly<Record<(typeof OURS)[number], string>> = { postgres: 'PostgreSQL', sqlite: 'SQLite' }
const MIN_CHANGES_ON_SQLITE = 2000

const ratio = (value: number) => `${value.toFixed(2)} ×`
const lessCpu = (value: number) => `${value.toFixed(1)} × less`
const perSecond = (value: number) => `${value.toFixed(0)}/s`
const ms = (value: number) => `${value.toFixed(1)} ms`

/**
 * Minimum ratio of the CPU time that Unleash needs per request to the time that our server needs, by kind of request.
 */
const MIN_FACTORS: Readonly<Record<string, number>> = {
  search: 10,
  'list of flags': 8,
  'one flag': 5,
  playground: 10,
}

/** Formats a row for the terminal. */
export function describeBeside({ scene, by }: BesideRow): string {
  const cells = Object.entries(by).map(
    ([name, { requestsPerSecond, cpuUs }]) => `${name} ${requestsPerSecond.toFixed(0)}/s, ${cpuUs.toFixed(0)} µs`,
  )
  return `${scene}: ${cells.join('; ')}`
}

/** Returns the targets: CPU time for read requests, rates for changes. */
export function besideTargets({ features, reads, writes, firstDownload }: Beside): Target[] {
  const targets: Target[] = []
  for (const name of OURS) {
    const where = `${DATABASES[name]}, ${features} flags`
    for (const row of reads) {
      const [factor, least] = [getCpuRatio(row, name), MIN_FACTORS[row.scene]]
      if (factor === undefined || least === undefined) continue
      targets.push(target(`${where}, CPU of ${row.scene}: compared to unleash-server`, factor, '≥', least, lessCpu))
    }
    for (const row of writes.filter(({ scene }) => scene.startsWith('a flag switched')))
      targets.push(...listWriteTargets(row, name))
    const first = firstDownload[name]
    if (first === undefined) continue
    targets.push(target(`${where}, first download after a change`, first.downloadMs, '≤', 3, ms))
    targets.push(target(`${where}, longest stall during a change and a download`, first.stallMs, '≤', 5, ms))
  }
  return targets
}

function listWriteTargets({ scene, by }: BesideRow, name: (typeof OURS)[number]): Target[] {
  const [ours, peer] = [by[name], by.peer]
  if (ours === undefined) return []
  const rate = ours.requestsPerSecond
  const what = `${DATABASES[name]}, ${scene}`
  const beside =
    peer === undefined
      ? []
      : [target(`${what}: rate, relative to unleash-server`, rate / peer.requestsPerSecond, '≥', 1.5, ratio)]
  const isBusy = name === 'sqlite' && scene.includes('16 at once')
  return isBusy ? [...beside, target(`${what}: changes`, rate, '≥', MIN_CHANGES_ON_SQLITE, perSecond)] : beside
}

function getCpuRatio({ by }: BesideRow, name: ContestantName): number | undefined {
  const [ours, peer] = [by[name], by.peer]
  return ours === undefined || peer === undefined ? undefined : peer.cpuUs / ours.cpuUs
}

/** Formats all rows in Markdown. */
export function besideTable({ reads, writes, firstDownload }: Beside): string {
  const head = [
    '| What | unleash-server: CPU µs | PostgreSQL: CPU µs | peer ÷ | SQLite: CPU µs | peer ÷ | rate, PostgreSQL | rate, SQLite |',
    '|---|---:|---:|---:|---:|---:|---:|---:|',
  ]
  const downloads = Object.entries(firstDownload).map(
    ([name, { downloadMs, stallMs }]) =>
      `${NAMES[name as ContestantName]} ${ms(downloadMs)}, longest stall ${ms(stallMs)}`,
  )
  return [
    ...head,
    ...[...reads, ...writes].map(line),
    '',
    ...(downloads.length === 0 ? [] : [`First download (gzip) after a change: ${downloads.join('; ')}.`]),
  ].join('\n')
}

const NAMES: Readonly<Record<ContestantName, string>> = {
  peer: 'unleash-server',
  postgres: 'Burgee on PostgreSQL',
  sqlite: 'on SQLite',
}

function line(row: BesideRow): string {
  const { peer, postgres, sqlite } = row.by
  const cpu = (figures: BesideFigures | undefined) => figures?.cpuUs.toFixed(figures.cpuUs < 100 ? 1 : 0) ?? ''
  const less = (name: ContestantName) => getCpuRatio(row, name)?.toFixed(1) ?? ''
  const rate = (figures: BesideFigures | undefined) =>
    figures === undefined || peer === undefined
      ? ''
      : `× ${(figures.requestsPerSecond / peer.requestsPerSecond).toFixed(2)}`
  const cells = [
    row.scene,
    cpu(peer),
    cpu(postgres),
    less('postgres'),
    cpu(sqlite),
    less('sqlite'),
    rate(postgres),
    rate(sqlite),
  ]
  return `| ${cells.join(' | ')} |`
}
