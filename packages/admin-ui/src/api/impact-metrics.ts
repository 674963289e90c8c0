import type {
  ImpactAggregation,
  ImpactData,
  ImpactMetricList,
  ImpactRange,
  LabelSelectors,
} from '@burgee/protocol/administration/impact-reading'
import type { PrometheusSettings } from '@burgee/protocol/administration/prometheus-source'
import { buildQueryString, call } from './http.ts'

const PROMETHEUS = '/api/admin/impact-metrics/prometheus'

/** Fetches the Prometheus server that charts and safeguards can read. The header is masked. */
export const fetchPrometheus = () => call<PrometheusSettings>('GET', PROMETHEUS)

/** Sets the Prometheus server that charts and safeguards can read. The masked header keeps the stored one. */
export const setPrometheus = (body: PrometheusSettings) => call<void>('PUT', PROMETHEUS, body)

/** The server adds values once a minute. */
const REFRESH_INTERVAL_MS = 60_000

/** Query for the impact metrics of all environments. */
export const IMPACT_METRICS = {
  queryKey: ['impact-metrics'],
  queryFn: () => call<ImpactMetricList>('GET', '/api/admin/impact-metrics/metrics'),
  refetchInterval: REFRESH_INTERVAL_MS,
} as const

/** Points to fetch: a metric in an environment, and a time range. */
export interface ImpactPoints {
  readonly metricName: string
  /** Environment; undefined adds up all environments. */
  readonly environment: string | undefined
  readonly timeRange: ImpactRange
  /** Aggregation; defaults to the first one that the metric's type allows. */
  readonly aggregationMode?: ImpactAggregation | undefined
  /** Selected values, keyed by label; `*` splits the series by that label. */
  readonly labels?: LabelSelectors | undefined
}

/** Returns the query for the points of a metric's series. */
export const getImpactDataQuery = ({ labels, ...rest }: ImpactPoints) => ({
  queryKey: ['impact-metric-data', rest, labels],
  queryFn: () =>
    call<ImpactData>(
      'GET',
      `/api/admin/impact-metrics/data${buildQueryString({
        ...rest,
        labels: labels === undefined || Object.keys(labels).length === 0 ? undefined : JSON.stringify(labels),
      })}`,
    ),
  refetchInterval: REFRESH_INTERVAL_MS,
})
