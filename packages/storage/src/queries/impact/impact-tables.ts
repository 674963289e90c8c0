import type { ImpactLabels, ImpactType } from '@burgee/protocol/usage/impact-metrics'
import type { Generated } from 'kysely'
import type { Json, Millis } from '../../columns.ts'

/**
 * Tables of impact metrics. Ids are hashes of the values that identify a row, so that several nodes compute the same
 * id.
 */
export interface ImpactTables {
  /** Metric of an environment, reported with tokens for the same projects. */
  impact_metrics: {
    id: string
    environment: string
    type: ImpactType
    name: string
    /** Projects of the tokens: ids, or `*`. Users who can see one of these projects can see the metric. */
    source_projects: Json<string[]>
    help: string
    first_seen_at: Millis
    last_seen_at: Millis
    /** 1 until a non-public source reports the metric. Any visitor of a web page can use public sources. */
    is_public: Generated<number>
  }
  impact_series: {
    id: string
    metric_id: string
    labels: Json<ImpactLabels>
    bounds: Json<number[]>
    last_seen_at: Millis
    /** 1 if a public source was the first to report the series. */
    is_public: Generated<number>
  }
  /** Values of a series. A row has a fixed number of slots, each `step` milliseconds long; see `impact-points.ts`. */
  impact_points: {
    series_id: string
    step: Millis
    start: Millis
    /** Packed columns; empty if no node has added values yet. */
    packed: string
  }
  /**
   * Gauge reports of a minute, by node. A connection counts at the node that got its last report before the end of the
   * minute. Only PostgreSQL has several nodes.
   */
  gauge_reports: {
    /** Hash of the environment and the projects of the reporting tokens. */
    scope: string
    node: string
    minute: Millis
    /** Key of each connection and series, and the time of its last report. */
    reports: Json<[string, number][]>
  }
}
