import { isObject } from '@burgee/kit/input/is-object'
import type { ReportPath } from '@burgee/serving/upstream/upstream'
import type { BulkReport } from './upstream-interface.ts'

/** A request, and the part of a report that it delivers. */
export interface SeparateReport {
  readonly path: ReportPath
  readonly body: unknown
  readonly part: BulkReport
}

type Item = Readonly<Record<string, unknown>>

/**
 * Splits a report into single requests, for servers without `POST /api/client/metrics/bulk`: one for each registration,
 * and one for the counts of each application, environment and time. Source: wire protocol, `POST /api/client/register`
 * and `/metrics`.
 */
export function splitIntoRequests({ applications, metrics }: BulkReport): SeparateReport[] {
  const registrations = applications.map((application) => ({
    path: '/client/register' as const,
    body: application,
    part: { applications: [application], metrics: [] },
  }))
  const byBucket = Map.groupBy(metrics, ({ appName, environment, timestamp }) =>
    JSON.stringify([appName, environment, timestamp]),
  )
  const counts = [...byBucket.values()].map((items) => ({
    path: '/client/metrics' as const,
    body: toBucket(items),
    part: { applications: [], metrics: items },
  }))
  return [...registrations, ...counts]
}

function toBucket(items: readonly Item[]): object {
  const { appName, environment, timestamp } = items[0] ?? {}
  const toggles = new Map<string, { yes: number; no: number; variants: Record<string, number> }>()
  for (const { featureName, yes, no, variants } of items) {
    const sum = toggles.get(String(featureName)) ?? { yes: 0, no: 0, variants: {} }
    sum.yes += toCount(yes)
    sum.no += toCount(no)
    const sums = new Map(Object.entries(sum.variants))
    for (const [name, count] of Object.entries(isObject(variants) ? variants : {})) {
      sums.set(name, (sums.get(name) ?? 0) + toCount(count))
    }
    toggles.set(String(featureName), { ...sum, variants: Object.fromEntries(sums) })
  }
  return { appName, environment, bucket: { start: timestamp, stop: timestamp, toggles: Object.fromEntries(toggles) } }
}

function toCount(value: unknown): number {
  return typeof value === 'number' ? value : 0
}
