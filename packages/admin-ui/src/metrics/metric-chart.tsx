import type {
  ImpactAggregation,
  ImpactData,
  ImpactRange,
  LabelSelectors,
} from '@burgee/protocol/administration/impact-reading'
import { useQuery } from '@tanstack/react-query'
import { searchEvents } from '../api/events.ts'
import { getImpactDataQuery } from '../api/impact-metrics.ts'
import { joinParts } from '../events/event-sentence.ts'
import { useEventSentences } from '../events/sentence.tsx'
import { useCatalogue, useFormat } from '../text/texts.tsx'
import { useDuration } from '../text/use-duration.ts'
import { createRealScale } from '../ui/chart/scale.ts'
import { CHART_BOX, type ChartPoint, TimeChart } from '../ui/chart/time-chart.tsx'
import { Loaded } from '../ui/page/list-page.tsx'
import { Notice } from '../ui/page/problem.tsx'
import { drawLines } from './chart-lines.ts'
import type { ReportedMetric } from './metric-names.ts'
import styles from './metrics.module.css'
import { METRIC_TEXTS } from './texts.ts'
import { useFormatValue } from './use-format-value.ts'

/** Maximum number of events that get markers. */
const MAX_EVENTS = 100
/** Maximum number of series in a chart. */
const MAX_SERIES = 8
/** Number of labelled values on the vertical axis. */
const TICKS = 4
const MARKED_EVENTS: ReadonlySet<string> = new Set([
  'feature-environment-enabled',
  'feature-environment-disabled',
  'feature-strategy-update',
  'release-plan-added',
  'release-plan-removed',
  'release-plan-milestone-started',
  'release-plan-progressions-paused',
  'safeguard-tripped',
])

interface Props {
  /** Metric; without an environment, the values of all environments are shown. */
  readonly metric: Pick<ReportedMetric, 'name' | 'metricName'> & { readonly environment: string | undefined }
  readonly range: ImpactRange
  /** Aggregation; defaults to the first one that the metric's type allows. */
  readonly mode: ImpactAggregation | undefined
  readonly labels: LabelSelectors
  /** True, the default, if the vertical axis starts at zero; false if it starts at the lowest value. */
  readonly startsAtZero?: boolean
}

/** Chart of a metric, with markers at the times when flags in the environment changed. */
export function MetricChart({ metric, range, mode, labels, startsAtZero = true }: Props) {
  const t = useCatalogue(METRIC_TEXTS)
  const { metricName, environment } = metric
  const answer = useQuery(
    getImpactDataQuery({ metricName, environment, timeRange: range, aggregationMode: mode, labels }),
  )
  return (
    <Loaded answer={answer}>
      {(data) =>
        data.series.every(({ points }) => points.every(([, value]) => value === null)) ? (
          <Notice title={t.noPoints}>{t.noPointsText}</Notice>
        ) : (
          <Chart metric={metric} startsAtZero={startsAtZero} data={data} />
        )
      }
    </Loaded>
  )
}

interface ChartProps extends Pick<Props, 'metric'> {
  readonly startsAtZero: boolean
  readonly data: ImpactData
}

function Chart({ metric, startsAtZero, data }: ChartProps) {
  const t = useCatalogue(METRIC_TEXTS)
  const write = useDuration()
  const format = useFormatValue()
  const series = data.series.slice(0, MAX_SERIES)
  const values = series.flatMap(({ points }) => points.flatMap(([, value]) => (value === null ? [] : [value])))
  const peak = Math.max(...values)
  const scale = createRealScale(Math.min(...values), peak, TICKS, startsAtZero)
  const { aggregationMode: mode } = data
  const [from, to] = [Date.parse(data.start), Date.parse(data.end)]
  const changes = useFlagChanges(metric.environment, from, to)
  return (
    <figure className={styles.figure}>
      <div className={styles.head}>
        {mode !== undefined && <span>{t.unit(t.aggregations[mode], write(data.step / 60))}</span>}
        <span>{t.peak(format(peak))}</span>
      </div>
      <TimeChart
        label={metric.environment === undefined ? metric.name : t.chart(metric.name, metric.environment)}
        from={from}
        to={to}
        scale={scale}
        formatValue={format}
        points={useChartPoints({ ...data, series }, changes)}
        markers={changes.map(({ at }) => at)}
      >
        {series.map(({ labels, points }, index) =>
          drawLines(points, { from, to, step: data.step, scale, box: CHART_BOX }).map((line) => (
            <polyline
              key={`${JSON.stringify(labels)} ${line}`}
              className={styles.line}
              data-tone={index}
              points={line}
            />
          )),
        )}
      </TimeChart>
      <figcaption className={styles.legend}>
        {series.length > 1 &&
          series.map(({ labels }, index) => (
            <span key={JSON.stringify(labels)} className={styles.key} data-tone={index}>
              {nameSeries(labels)}
            </span>
          ))}
        {changes.length > 0 && (
          <span className={styles.changeKey} title={t.changesHint}>
            {t.changes}
          </span>
        )}
        {(data.isTruncated || series.length < data.seriesCount) && (
          <span>{t.truncated(series.length, data.seriesCount)}</span>
        )}
      </figcaption>
    </figure>
  )
}

const nameSeries = (labels: Readonly<Record<string, string>>): string => Object.values(labels).join(', ')

interface MarkedChange {
  readonly at: number
  readonly text: string
}

/** Returns the changes to flags in an environment, or in all environments, within a time range, oldest first. */
function useFlagChanges(environment: string | undefined, from: number, to: number): readonly MarkedChange[] {
  const { data } = useQuery({
    queryKey: ['events', 'metric', environment ?? null],
    queryFn: () => searchEvents({ env: environment }, { limit: MAX_EVENTS }),
  })
  const events = (data?.events ?? []).filter(
    ({ type, createdAt }) => MARKED_EVENTS.has(type) && Date.parse(createdAt) >= from && Date.parse(createdAt) < to,
  )
  const { nameAuthor, describe } = useEventSentences(events)
  return events
    .map((event) => ({
      at: Date.parse(event.createdAt),
      text: `${nameAuthor(event)} ${joinParts(describe(event))}`,
    }))
    .reverse()
}

/** Returns one point per step, with the values of all series and the changes within that step. */
function useChartPoints({ series, step }: ImpactData, changes: readonly MarkedChange[]): ChartPoint[] {
  const t = useCatalogue(METRIC_TEXTS)
  const { time } = useFormat()
  const format = useFormatValue()
  const length = step * 1000
  const first = series[0]?.points ?? []
  return first.map(([start], index) => {
    const at = start * 1000
    const when = time(new Date(at).toISOString())
    const valueTexts = series.map(({ labels, points }) => {
      const value = points[index]?.[1] ?? null
      const text = value === null ? t.noValue : format(value)
      return series.length > 1 ? t.pointOf(nameSeries(labels), text) : text
    })
    const lines = series.length > 1 ? [when, ...valueTexts] : [t.point(when, valueTexts[0] ?? t.noValue)]
    const near = changes.filter((one) => one.at >= at && one.at < at + length).map(({ text }) => text)
    return { at: at + length / 2, lines: [...lines, ...near] }
  })
}
