import styles from '../flag.module.css'
import type { HourCount } from './usage-counts.ts'

const HEIGHT = 100

interface Props {
  readonly hours: readonly HourCount[]
  /** Number of results that corresponds to the top of the chart. */
  readonly max: number
  /** Width of the view box. */
  readonly width: number
}

/** Bars with the number of results per hour ("on" below "off"), in a view box with a height of 100. */
export function HourBars({ hours, max, width }: Props) {
  const step = width / hours.length
  return hours.map(({ at, yes, no }, index) => {
    const on = (yes / max) * HEIGHT
    const off = (no / max) * HEIGHT
    const place = { x: (index + 0.1) * step, width: 0.8 * step }
    return (
      <g key={at}>
        <rect className={styles.yes} {...place} y={HEIGHT - on} height={on} />
        <rect className={styles.no} {...place} y={HEIGHT - on - off} height={off} />
      </g>
    )
  })
}

/** Small chart of the results per hour, without labels. */
export function HourSparkline({ hours }: Pick<Props, 'hours'>) {
  return (
    <svg
      className={styles.sparkBars}
      viewBox={`0 0 ${hours.length} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <HourBars hours={hours} max={getPeak(hours) || 1} width={hours.length} />
    </svg>
  )
}

/** Returns the largest number of results in an hour. */
export const getPeak = (hours: readonly HourCount[]): number => Math.max(0, ...hours.map(({ yes, no }) => yes + no))
