import type { ProjectStatus } from '@burgee/protocol/administration/project-status'
import type { ProjectInsights } from '@burgee/protocol/project'
import type { ReactNode } from 'react'
import { useCatalogue, useFormat } from '../text/texts.tsx'
import { listDailyCounts, sumDays } from './daily-counts.ts'
import styles from './insights.module.css'
import { INSIGHT_TEXTS } from './texts.ts'

const DAYS = 30
const WEEK = 7

interface Props {
  readonly insights: ProjectInsights
  /** Undefined while loading. */
  readonly status: ProjectStatus | undefined
}

/** Row with the four key figures of a project. The number of changes is shown with a chart of the last 30 days. */
export function KeyFigures({ insights: { health, leadTime }, status }: Props) {
  const t = useCatalogue(INSIGHT_TEXTS)
  const { number } = useFormat()
  const all = health.activeCount + health.staleCount + health.potentiallyStaleCount
  const days = listDailyCounts(status?.activityCountByDate ?? [], new Date(), DAYS)
  const hasProduction = leadTime.features.length > 0
  return (
    <dl className={styles.keyFigures}>
      <Figure
        name={t.healthy}
        value={all === 0 ? '–' : t.healthOf(number(health.rating))}
        hint={t.ofAll(number(health.activeCount), number(all))}
      />
      <Figure
        name={t.live}
        value={status === undefined ? '–' : number(status.lifecycleSummary.live.currentFlags)}
        hint={t.stageHints.live}
      />
      <Figure
        name={t.production}
        value={hasProduction ? t.daysShort(number(leadTime.projectAverage)) : '–'}
        hint={hasProduction ? t.averageShort : t.noAverage}
      />
      <Figure
        name={t.changesThisWeek}
        value={number(sumDays(days.slice(-WEEK)))}
        hint={t.weekBefore(number(sumDays(days.slice(-2 * WEEK, -WEEK))))}
      >
        <Sparkline label={t.changesOf(DAYS)} counts={days.map(({ count }) => count)} />
      </Figure>
    </dl>
  )
}

interface FigureProps {
  readonly name: string
  readonly value: string
  readonly hint: string
  readonly children?: ReactNode
}

function Figure({ name, value, hint, children }: FigureProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <span className={styles.value}>{value}</span>
        {children}
        <span className={styles.hint}>{hint}</span>
      </dd>
    </div>
  )
}

/** Bars of daily counts, the newest day last. */
function Sparkline({ label, counts }: { label: string; counts: readonly number[] }) {
  const most = Math.max(1, ...counts)
  return (
    <svg
      className={styles.sparkline}
      viewBox={`0 0 ${counts.length * 4} 24`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {counts.map((count, day) => {
        const height = count === 0 ? 1 : Math.max(2, (count / most) * 24)
        // biome-ignore lint/suspicious/noArrayIndexKey: each day has its place
        return <rect key={day} x={day * 4} y={24 - height} width="3" height={height} />
      })}
    </svg>
  )
}
