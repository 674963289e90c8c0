import { type KeyboardEvent, type PointerEvent, type ReactNode, useState } from 'react'
import { useFormat } from '../../text/texts.tsx'
import { createTimeScale, type ValueScale } from './scale.ts'
import styles from './time-chart.module.css'

/** Point of a chart that the user selects with the pointer or the arrow keys. */
export interface ChartPoint {
  /** Milliseconds since the epoch. */
  readonly at: number
  /** Lines of the point's description. The first line is the most important line. */
  readonly lines: readonly string[]
}

interface Props {
  readonly label: string
  /** First and last displayed time in milliseconds since the epoch. */
  readonly from: number
  readonly to: number
  readonly scale: ValueScale
  readonly formatValue: (value: number) => string
  /** Selectable points, oldest first; there is at least one. */
  readonly points: readonly ChartPoint[]
  /** Times that are marked in the chart. */
  readonly markers?: readonly number[]
  /** SVG shapes in a view box of 1000 × 100, which is stretched to the size of the chart. */
  readonly children: ReactNode
}

/** Width and height of the view box. */
export const CHART_BOX = { width: 1000, height: 100 } as const

/**
 * Chart over time with labelled axes and markers. Describes the point under the pointer, or the point that the arrow
 * keys select.
 */
export function TimeChart({ label, from, to, scale, formatValue, points, markers = [], children }: Props) {
  const [selected, select] = useState<number>()
  const getShare = (at: number): number => (at - from) / Math.max(1, to - from)
  const point = selected === undefined ? undefined : points[selected]
  const findNearest = (event: PointerEvent<HTMLElement>): number => {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    const share = (event.clientX - left) / width
    const distances = points.map(({ at }) => Math.abs(getShare(at) - share))
    return distances.indexOf(Math.min(...distances))
  }
  const move = (event: KeyboardEvent): void => {
    const next = getNextIndex(event.key, selected ?? points.length - 1, points.length)
    if (next === undefined) return
    event.preventDefault()
    select(next)
  }
  return (
    <div className={styles.chart}>
      <ValueAxis scale={scale} formatValue={formatValue} />
      <div
        className={styles.plot}
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={points.length - 1}
        aria-valuenow={selected ?? points.length - 1}
        aria-valuetext={(point ?? points.at(-1))?.lines.join('. ')}
        onKeyDown={move}
        onFocus={(event) => event.currentTarget.matches(':focus-visible') && select(points.length - 1)}
        onBlur={() => select(undefined)}
        onPointerMove={(event) => select(findNearest(event))}
        onPointerDown={(event) => select(findNearest(event))}
        onPointerLeave={() => select(undefined)}
      >
        {scale.ticks.map((tick) => (
          <span key={tick} className={styles.grid} style={{ bottom: getHeight(scale, tick) }} />
        ))}
        {[...new Set(markers)].map((at) => (
          <span key={at} className={styles.marker} style={{ left: `${getShare(at) * 100}%` }} />
        ))}
        <svg viewBox={`0 0 ${CHART_BOX.width} ${CHART_BOX.height}`} preserveAspectRatio="none" aria-hidden="true">
          {children}
        </svg>
        {point && <Tooltip point={point} share={getShare(point.at)} />}
      </div>
      <TimeAxis from={from} to={to} getShare={getShare} />
    </div>
  )
}

/** Returns the index of the point that a key selects; undefined if the chart does not use this key. */
function getNextIndex(key: string, index: number, count: number): number | undefined {
  if (key === 'ArrowLeft' || key === 'ArrowDown') return Math.max(0, index - 1)
  if (key === 'ArrowRight' || key === 'ArrowUp') return Math.min(count - 1, index + 1)
  if (key === 'Home') return 0
  return key === 'End' ? count - 1 : undefined
}

function ValueAxis({ scale, formatValue }: Pick<Props, 'scale' | 'formatValue'>) {
  const { ticks } = scale
  const longest = ticks.map(formatValue).sort((one, other) => other.length - one.length)[0]
  return (
    <div className={styles.values} aria-hidden="true">
      <span className={styles.widest}>{longest}</span>
      {ticks.map((tick) => (
        <span key={tick} className={styles.value} style={{ bottom: getHeight(scale, tick) }}>
          {formatValue(tick)}
        </span>
      ))}
    </div>
  )
}

/** Returns the position of a value on the axis, in percent from its bottom. */
const getHeight = ({ min = 0, max }: ValueScale, value: number): string => `${((value - min) / (max - min)) * 100}%`

function TimeAxis({ from, to, getShare }: Pick<Props, 'from' | 'to'> & { readonly getShare: (at: number) => number }) {
  const { clock, day } = useFormat()
  const { ticks, areDays } = createTimeScale(from, to)
  const isMidnight = (tick: number): boolean => new Date(tick).getHours() === 0
  return (
    <div className={styles.times} aria-hidden="true">
      {ticks.map((tick) => (
        <span key={tick} className={styles.time} style={{ left: `${getShare(tick) * 100}%` }}>
          {areDays || isMidnight(tick) ? day(tick) : clock(new Date(tick).toISOString())}
        </span>
      ))}
    </div>
  )
}

function Tooltip({ point: { lines }, share }: { readonly point: ChartPoint; readonly share: number }) {
  const left = `${share * 100}%`
  return (
    <>
      <span className={styles.cursor} style={{ left }} />
      <span className={styles.tooltip} data-end={share > 0.5 || undefined} style={{ left }} aria-hidden="true">
        {lines.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity and can be equal
          <span key={index}>{line}</span>
        ))}
      </span>
    </>
  )
}
