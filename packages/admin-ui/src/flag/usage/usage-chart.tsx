import { useCatalogue, useFormat, useTexts } from '../../text/texts.tsx'
import { createValueScale } from '../../ui/chart/scale.ts'
import { CHART_BOX, TimeChart } from '../../ui/chart/time-chart.tsx'
import styles from '../flag.module.css'
import { FLAG_TEXTS } from '../texts.ts'
import { getPeak, HourBars } from './hour-bars.tsx'
import type { HourCount } from './usage-counts.ts'

const HOUR_MS = 3_600_000

/** Description of the change in words. */
export interface DescribedChange {
  readonly at: number
  readonly text: string
}

interface Props {
  readonly hours: readonly HourCount[]
  readonly label: string
  /** Changes to the flag, which are marked in the chart. */
  readonly changes: readonly DescribedChange[]
}

/** Chart of evaluations per hour ("on" results below, "off" results above), with markers where the flag was changed. */
export function UsageChart({ hours, label, changes }: Props) {
  const t = useTexts(FLAG_TEXTS)
  const { usage: words } = useCatalogue(FLAG_TEXTS)
  const { number, time } = useFormat()
  const peak = getPeak(hours)
  const scale = createValueScale(peak)
  const from = hours[0]?.at ?? 0
  const to = (hours.at(-1)?.at ?? 0) + HOUR_MS
  const visible = changes.filter(({ at }) => at >= from && at < to)
  const points = hours.map(({ at, yes, no }) => ({
    at: at + HOUR_MS / 2,
    lines: [
      words.at(time(new Date(at).toISOString()), number(yes), number(no)),
      ...visible.filter((one) => one.at >= at && one.at < at + HOUR_MS).map(({ text }) => text),
    ],
  }))
  return (
    <figure className={styles.figure}>
      <div className={styles.chartHead}>
        <span>{words.unit}</span>
        <span>{words.peak(number(peak))}</span>
      </div>
      <TimeChart
        label={label}
        from={from}
        to={to}
        scale={scale}
        formatValue={number}
        points={points}
        markers={visible.map(({ at }) => at)}
      >
        <HourBars hours={hours} max={scale.max} width={CHART_BOX.width} />
      </TimeChart>
      <figcaption className={styles.legend}>
        <span className={styles.yesKey}>{t.flag.usageYes}</span>
        <span>{t.flag.usageNo}</span>
        {visible.length > 0 && <span className={styles.changeKey}>{words.changed}</span>}
      </figcaption>
    </figure>
  )
}
