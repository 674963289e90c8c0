import type { ImpactAggregation, ImpactRange, LabelSelectors } from '@burgee/protocol/administration/impact-reading'
import { useQuery } from '@tanstack/react-query'
import { getImpactDataQuery } from '../../../api/impact-metrics.ts'
import { drawLines, type SeriesPoints } from '../../../metrics/chart-lines.ts'
import { useFormatValue } from '../../../metrics/use-format-value.ts'
import { useCatalogue } from '../../../text/texts.tsx'
import { createRealScale } from '../../../ui/chart/scale.ts'
import styles from './safeguards.module.css'
import { SAFEGUARD_TEXTS } from './texts.ts'

const BOX = { width: 200, height: 40 }

/** Value that the safeguard compares. */
interface ComparedValue {
  readonly metricName: string
  readonly timeRange: ImpactRange
  readonly aggregationMode?: ImpactAggregation | undefined
  readonly labelSelectors?: LabelSelectors | undefined
}

interface Props {
  readonly environment: string
  readonly metric: ComparedValue
  /** Threshold for the value; undefined if another number is compared with the threshold. */
  readonly threshold: number | undefined
}

/**
 * Chart line of a metric within the safeguard's time window, with the threshold. Renders nothing if there are no
 * values.
 */
export function SafeguardLine({ environment, metric, threshold }: Props) {
  const t = useCatalogue(SAFEGUARD_TEXTS)
  const format = useFormatValue()
  const { metricName, timeRange, aggregationMode, labelSelectors } = metric
  const { data } = useQuery({
    ...getImpactDataQuery({ metricName, environment, timeRange, aggregationMode, labels: labelSelectors }),
    enabled: metricName !== '',
    retry: false,
  })
  if (data === undefined) return null
  const isSummed = aggregationMode === undefined || aggregationMode === 'count' || aggregationMode === 'sum'
  const all = sumSeries(data.series.map(({ points }) => points))
  const points = isSummed && data.series.length > 0 ? accumulate(all) : all
  const values = points.flatMap(([, value]) => (value === null ? [] : [value]))
  const latest = values.at(-1)
  if (latest === undefined) return null
  const reached = threshold === undefined ? values : [...values, threshold]
  const scale = createRealScale(Math.min(...reached), Math.max(...reached) * 1.1, 1)
  const [from, to] = [Date.parse(data.start), Date.parse(data.end)]
  const limit = threshold === undefined ? undefined : getY(scale, threshold)
  return (
    <span className={styles.series}>
      <svg
        className={styles.line}
        viewBox={`0 0 ${BOX.width} ${BOX.height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={threshold === undefined ? t.value(format(latest)) : t.line(format(latest), format(threshold))}
      >
        {limit !== undefined && <line className={styles.limit} x1={0} x2={BOX.width} y1={limit} y2={limit} />}
        {drawLines(points, { from, to, step: data.step, scale, box: BOX }).map((line) => (
          <polyline key={line} className={styles.values} points={line} />
        ))}
      </svg>
      <span className={styles.latest} aria-hidden="true">
        {t.value(format(latest))}
      </span>
    </span>
  )
}

const getY = ({ min = 0, max }: { readonly min?: number; readonly max: number }, value: number): number =>
  BOX.height - ((value - min) / (max - min)) * BOX.height

/** Adds up series step by step. */
function sumSeries(series: readonly SeriesPoints[]): SeriesPoints {
  const [first = []] = series
  return first.map(([start], index) => {
    const values = series.flatMap((points) => points[index]?.[1] ?? [])
    return [start, values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0)] as const
  })
}

/** Returns the running sum since the start of the time window, which is what the safeguard compares. */
function accumulate(points: SeriesPoints): SeriesPoints {
  let sum = 0
  return points.map(([start, value]) => {
    sum += value ?? 0
    return [start, sum] as const
  })
}
