import type { Reader } from '@burgee/storage/database'
import { type ImpactMetricRow, listImpactMetrics } from '@burgee/storage/queries/impact/impact-reads'
import { parseMetricName } from '../impact-metrics/metric-name.ts'

/** Name and environment of a metric, and the project of the flag that a safeguard protects. */
export interface ProjectMetric {
  readonly metricName: string
  readonly environment: string
  readonly project: string
}

/**
 * Lists the metrics of the given name that tokens for this project or for all projects report. Tokens of other projects
 * must not affect a value that can change a flag, and an error must not describe metrics of a private project.
 */
export async function listProjectMetrics(
  reader: Reader,
  { metricName, environment, project }: ProjectMetric,
): Promise<readonly ImpactMetricRow[]> {
  const { metrics } = await listImpactMetrics(reader, { ...parseMetricName(metricName), environment })
  return metrics.filter(({ source_projects: sources }) => sources.includes('*') || sources.includes(project))
}
