import type { ImpactChartDefinition } from '@burgee/protocol/administration/impact-chart'
import type { ImpactLabels, ImpactType } from '@burgee/protocol/usage/impact-metrics'
import type { Generated } from 'kysely'
import type { Json, Millis } from '../../columns.ts'

/**
 * Tables of impact metrics. Ids are hashes of the values that identify a row, so that all nodes compute the same id.
 */
export interface ImpactTables {
  /** Metrics of an environment, reported with tokens for the same projects. */
  impact_metrics: {
    id: string
    environment: string
    type: ImpactType
    name: string
    /** Projects of the tokens: ids, or `*`. Users who can see at least one of these projects can see the metric. */
    source_projects: Json<string[]>
    help: string
    first_seen_at: Millis
    last_seen_at: Millis
    /**
     * 1 until a non-public source first reports the metric. Any visitor of a web page can report as a public source.
     */
    is_public: Generated<number>
  }
  impact_series: {
    id: string
    metric_id: string
    labels: Json<ImpactLabels>
    bounds: Json<number[]>
    last_seen_at: Millis
    /** 1 if the first source that reported the series was public. */
    is_public: Generated<number>
  }
  /**
   * Values of a series over time. A row has a fixed number of slots, each `step` milliseconds long; see
   * `impact-points.ts`.
   */
  impact_points: {
    series_id: string
    step: Millis
    start: Millis
    /** Packed columns; empty until a node adds values. */
    packed: string
  }
  /** Saved charts. */
  impact_charts: {
    id: string
    /** Flag on whose page the chart is shown; null for charts of the whole installation. */
    feature_name: string | null
    definition: Json<ImpactChartDefinition>
    created_at: Millis
  }
  /**
   * Times of the last gauge reports before the end of a minute, by node. A connection is counted by the node that
   * received its last report before the end of the minute. Only installations with PostgreSQL have several nodes.
   */
  gauge_reports: {
    /** Hash of the environment and the projects of the reporting tokens. */
    scope: string
    node: string
    minute: Millis
    /** Pairs of a key, which identifies a connection and a series, and the time of the last report. */
    reports: Json<[string, number][]>
  }
}
