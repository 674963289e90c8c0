import { type Target, target } from '../target-table.ts'
import type { LargeDatabase } from './large.ts'
import { type LargeRows, type LoadedFigures, REPORTS_PER_SECOND, USAGE } from './large-rows.ts'

const NAMES: Readonly<Record<LargeDatabase, string>> = { postgres: 'PostgreSQL', sqlite: 'SQLite' }
const MAX_FACTOR_UNDER_LOAD = 5
/** Fraction of reports that must be accepted. If a late response delays a report, one report fewer is sent. */
const MIN_SHARE_OF_REPORTS = 0.99
/** Limits of single requests in milliseconds. */
const LIMITS_MS: Readonly<Record<string, number>> = { 'first byte of an unchanged view': 2, 'event search': 200 }

const ms = (value: number) => `${value.toFixed(1)} ms`
const times = (value: number) => `${value.toFixed(1)} ×`
const perSecond = (value: number) => `${value.toFixed(0)}/s`

/** Returns the targets for SDK latency under load, and for some single requests. */
export function largeTargets({ alone, underLoad }: LargeRows): Target[] {
  const targets: Target[] = []
  for (const { database, name, p50Ms, statuses } of alone) {
    const [what, limit] = [`${NAMES[database]}, ${name}`, LIMITS_MS[name]]
    if (limit !== undefined) targets.push(target(what, p50Ms, '≤', limit, ms))
    targets.push(target(`${what}: responses other than 200`, countOtherStatuses(statuses, '200'), '≤', 0))
  }
  for (const row of underLoad) {
    const what = `${NAMES[row.database]}, ${row.name}`
    const floor = times(row.floor.p99Ms / row.floor.quietP99Ms)
    const seen = target(`${what}: p99 versus no load`, row.p99Ms / row.quietP99Ms, '≤', MAX_FACTOR_UNDER_LOAD, times)
    targets.push({ ...seen, measured: `${seen.measured}, floor ${floor}` })
    if (row.name !== USAGE) continue
    const least = MIN_SHARE_OF_REPORTS * REPORTS_PER_SECOND
    targets.push(target(`${what}: accepted reports of 20 flags`, acceptedRate(row), '≥', least, perSecond))
  }
  return targets
}

function countOtherStatuses(statuses: LoadedFigures['statuses'], wanted: string): number {
  return total(statuses) - (statuses[wanted] ?? 0)
}

function acceptedRate({ rate, statuses }: LoadedFigures): number {
  return (rate * (statuses['202'] ?? 0)) / total(statuses)
}

function total(statuses: LoadedFigures['statuses']): number {
  return Object.values(statuses).reduce((sum, count) => sum + count, 0)
}

/** Formats all rows in Markdown. */
export function largeTable({ alone, underLoad }: LargeRows): string {
  const listStatuses = (statuses: LoadedFigures['statuses']) => Object.keys(statuses).join(' ')
  return [
    '| Database | Request, alone | p50 ms | status |',
    '|---|---|---:|---|',
    ...alone.map(
      (row) => `| ${NAMES[row.database]} | ${row.name} | ${row.p50Ms.toFixed(2)} | ${listStatuses(row.statuses)} |`,
    ),
    '',
    '| Database | SDK requests and load | p99 ms, no load | p99 ms | × no load | floor | load, requests/s | load, status |',
    '|---|---|---:|---:|---:|---:|---:|---|',
    ...underLoad.map(({ database, name, quietP99Ms, p99Ms, floor, rate, statuses }) => {
      const ratio = (p99Ms / quietP99Ms).toFixed(1)
      const ofFloor = `${floor.quietP99Ms.toFixed(2)} → ${floor.p99Ms.toFixed(2)}: ${(floor.p99Ms / floor.quietP99Ms).toFixed(1)}`
      const milliseconds = [quietP99Ms.toFixed(2), p99Ms.toFixed(2)]
      const cells = [NAMES[database], name, ...milliseconds, ratio, ofFloor, rate.toFixed(0), listStatuses(statuses)]
      return `| ${cells.join(' | ')} |`
    }),
  ].join('\n')
}
