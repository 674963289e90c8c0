import type { Database, Reader } from '@burgee/storage/database'
import type { ImpactMetricRow } from '@burgee/storage/queries/impact/impact-reads'
import { type MetricGroups, type MetricSelection, readMetricGroups } from '../impact-metrics/metric-data.ts'
import { listProjectMetrics, type ProjectMetric } from './project-metrics.ts'

/** Selection without a function, so that equal selections have equal keys. */
export interface GroupSelection extends Omit<MetricSelection, 'isSelected'> {
  /** Filter by the labels of a series, and its key. */
  readonly filter: { readonly key: string; readonly isSelected: NonNullable<MetricSelection['isSelected']> }
}

/** Reads of a batch of safeguards that are checked at the same time. Safeguards that need equal values share a read. */
export class SharedReads {
  readonly #db: Pick<Database, 'scan'>
  readonly #metrics = new Map<string, Promise<readonly ImpactMetricRow[]>>()
  readonly #groups = new Map<string, Promise<MetricGroups>>()

  constructor(db: Pick<Database, 'scan'>) {
    this.#db = db
  }

  /** Lists the metrics that may affect a flag; see `listProjectMetrics`. */
  listMetrics(metric: ProjectMetric): Promise<readonly ImpactMetricRow[]> {
    const { metricName, environment, project } = metric
    const key = JSON.stringify([metricName, environment, project])
    return share(this.#metrics, key, () => this.#db.scan((reader) => listProjectMetrics(reader, metric)))
  }

  /** Returns the sums of the selected series by group. */
  readGroups({ filter, ...selection }: GroupSelection): Promise<MetricGroups> {
    const { metrics, ...rest } = selection
    const key = JSON.stringify([metrics.map(({ id }) => id), rest, filter.key])
    const { isSelected } = filter
    return share(this.#groups, key, () =>
      this.#db.scan((reader) => readMetricGroups(reader, { ...selection, isSelected })),
    )
  }

  /** Runs a read that is not shared. */
  read<T>(work: (reader: Reader) => Promise<T>): Promise<T> {
    return this.#db.scan(work)
  }
}

function share<T>(known: Map<string, Promise<T>>, key: string, read: () => Promise<T>): Promise<T> {
  const found = known.get(key) ?? read()
  known.set(key, found)
  return found
}
