import { createHash } from 'node:crypto'
import type { ImpactLabels, ImpactType } from '@burgee/protocol/usage/impact-metrics'
import { toOtherLabels } from '@burgee/serving/impact/impact-labels'
import { capSources } from '../usage/usage.ts'

/** Metric in an environment, as reported by tokens for the same projects. */
export interface ImpactMetricKey {
  readonly environment: string
  readonly type: ImpactType
  readonly name: string
  /** Project ids, or `*`. */
  readonly projects: readonly string[]
}

/** Values of one series in one minute. */
export interface ImpactMinute extends ImpactMetricKey {
  readonly help: string
  /** Start of the minute, in milliseconds since 1970. */
  readonly minute: number
  readonly labels: ImpactLabels
  readonly bounds: readonly number[]
  /** Values in the order of the columns; empty if the metric was declared without values. */
  readonly values: readonly number[]
  /** True if only public sources, which any visitor can use, have reported the series. */
  readonly isPublic: boolean
}

/** Values of a series, with the ids of its stored rows. */
export interface SeriesMinute extends ImpactMinute {
  readonly metricId: string
  readonly seriesId: string
}

/** Adds the ids of the stored rows to a minute. */
export function identify(minute: ImpactMinute): SeriesMinute {
  const projects = capSources(minute.projects)
  const { environment, type, name, labels, bounds } = minute
  const metricId = hash([environment, type, name, projects])
  return { ...minute, projects, metricId, seriesId: hash([metricId, labels, bounds]) }
}

function hash(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 22)
}

/** Converts a minute to a minute of the `other` series of the same origin. */
export function toOther(minute: SeriesMinute): SeriesMinute {
  const labels = toOtherLabels(minute.labels)
  return { ...minute, labels, seriesId: hash([minute.metricId, labels, minute.bounds]) }
}
