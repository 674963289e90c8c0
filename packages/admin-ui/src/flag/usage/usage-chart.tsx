import { useState } from 'react'
import { useCatalogue, useFormat, useTexts } from '../../text/texts.tsx'
import styles from '../flag.module.css'
import { FLAG_TEXTS } from '../texts.ts'
import type { HourCount } from './usage-counts.ts'

const HEIGHT = 100
const TOP = 96

/**
 * Chart with one bar per hour: "on" results below, "off" results above. Describes the hour under the pointer in words.
 */
export function UsageChart({ hours, label }: { hours: readonly HourCount[]; label: string }) {
  const t = useTexts(FLAG_TEXTS)
  const { usage: words } = useCatalogue(FLAG_TEXTS)
  const { number, time } = useFormat()
  const [shown, setShown] = useState<HourCount>()
  const most = Math.max(0, ...hours.map(({ yes, no }) => yes + no))
  const [first] = hours
  const last = hours.at(-1)
  return (
    <figure className={styles.figure}>
      <div className={styles.peak}>{words.peak(number(most))}</div>
      <svg
        className={styles.chart}
        viewBox={getViewBox(hours)}
        preserveAspectRatio="none"
        role="img"
        aria-label={label}
        onPointerMove={(event) => {
          const { left, width } = event.currentTarget.getBoundingClientRect()
          setShown(hours[Math.floor(((event.clientX - left) / width) * hours.length)])
        }}
        onPointerLeave={() => setShown(undefined)}
      >
        <HourBars hours={hours} shown={shown} />
      </svg>
      <div className={styles.axis} aria-hidden="true">
        <span>{first && time(new Date(first.at).toISOString())}</span>
        <span>{last && time(new Date(last.at).toISOString())}</span>
      </div>
      <figcaption className={styles.legend}>
        <span className={styles.yesKey}>{t.flag.usageYes}</span>
        <span>{t.flag.usageNo}</span>
        {shown && (
          <strong className={styles.shown}>
            {words.at(time(new Date(shown.at).toISOString()), number(shown.yes), number(shown.no))}
          </strong>
        )}
      </figcaption>
    </figure>
  )
}

/** Returns the view box of `HourBars`, one unit wide per hour. */
export const getViewBox = (hours: readonly HourCount[]) => `0 0 ${hours.length} ${HEIGHT}`

/** Bars with the number of results per hour. `shown` is the highlighted hour. */
export function HourBars({ hours, shown }: { hours: readonly HourCount[]; shown?: HourCount | undefined }) {
  const most = Math.max(1, ...hours.map(({ yes, no }) => yes + no))
  return hours.map((hour, index) => <Bar key={hour.at} hour={hour} x={index} most={most} isShown={hour === shown} />)
}

function Bar(props: { hour: HourCount; x: number; most: number; isShown: boolean }) {
  const { hour, x, most, isShown } = props
  const on = (hour.yes / most) * TOP
  const off = (hour.no / most) * TOP
  return (
    <g>
      {isShown && <rect className={styles.under} x={x} width={1} y={0} height={HEIGHT} />}
      <rect className={styles.yes} x={x + 0.1} width={0.8} y={HEIGHT - on} height={on} />
      <rect className={styles.no} x={x + 0.1} width={0.8} y={HEIGHT - on - off} height={off} />
    </g>
  )
}
