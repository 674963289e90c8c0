import type { Event } from '@burgee/protocol/event'
import { AUDIENCE_TEXTS } from '../../strategy/audience-texts.ts'
import { useCatalogue, useFormat } from '../../text/texts.tsx'
import { CHART_BOX, TimeChart } from '../../ui/chart/time-chart.tsx'
import styles from '../flag.module.css'
import { FLAG_TEXTS } from '../texts.ts'
import type { RolloutHistory, Share } from './rollout-history.ts'

const SCALE = { max: 100, ticks: [0, 25, 50, 75, 100] }

interface Props {
  readonly history: RolloutHistory
  readonly label: string
  /** Time at which the chart starts, in milliseconds since the epoch. */
  readonly from: number
  readonly to: number
  readonly describe: (event: Event) => string
}

/** Step line for the percentage of users who get a flag, with a marker for each change. */
export function RolloutChart({ history: { start, changes }, label, from, to, describe }: Props) {
  const { usage: words } = useCatalogue(FLAG_TEXTS)
  const { audience } = useCatalogue(AUDIENCE_TEXTS)
  const { time } = useFormat()
  const toText = ({ percent, isUpperBound }: Share): string =>
    isUpperBound ? words.upTo(audience.share(percent)) : audience.share(percent)
  const steps = [{ at: from, share: start }, ...changes]
  const points = [
    { at: from, lines: [toText(start), time(new Date(from).toISOString())] },
    ...changes.map(({ at, share, event }) => ({
      at,
      lines: [toText(share), time(new Date(at).toISOString()), describe(event)],
    })),
    { at: to, lines: [words.now(toText(steps.at(-1)?.share ?? start))] },
  ]
  const line = createStepPath(steps, from, to)
  return (
    <figure className={styles.figure}>
      <div className={styles.chartHead}>
        <span>{words.rolloutUnit}</span>
      </div>
      <TimeChart
        label={label}
        from={from}
        to={to}
        scale={SCALE}
        formatValue={audience.share}
        points={points}
        markers={changes.map(({ at }) => at)}
      >
        <path className={styles.rolloutArea} d={`${line} V ${CHART_BOX.height} H 0 Z`} />
        <path className={styles.rolloutLine} d={line} vectorEffect="non-scaling-stroke" />
      </TimeChart>
    </figure>
  )
}

/** Returns the path of a step line in the view box of the chart. */
function createStepPath(steps: readonly { at: number; share: Share }[], from: number, to: number): string {
  const getX = (at: number): number => Math.round(((at - from) / Math.max(1, to - from)) * CHART_BOX.width * 10) / 10
  const getY = ({ percent }: Share): number => CHART_BOX.height - percent
  const [first, ...rest] = steps
  const start = first === undefined ? CHART_BOX.height : getY(first.share)
  return [
    `M 0 ${start}`,
    ...rest.map(({ at, share }) => `H ${getX(at)} V ${getY(share)}`),
    `H ${CHART_BOX.width}`,
  ].join(' ')
}
