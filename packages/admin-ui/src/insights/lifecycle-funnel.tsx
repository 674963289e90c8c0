import type { ProjectStatus } from '@burgee/protocol/administration/project-status'
import { Link } from '@tanstack/react-router'
import { useCatalogue, useFormat, useTexts } from '../text/texts.tsx'
import { Section } from '../ui/page/section.tsx'
import styles from './insights.module.css'
import { INSIGHT_TEXTS } from './texts.ts'

const STAGES = [
  { key: 'initial', stage: 'initial', search: { stage: 'initial' } },
  { key: 'preLive', stage: 'pre-live', search: { stage: 'pre-live' } },
  { key: 'live', stage: 'live', search: { stage: 'live' } },
  { key: 'completed', stage: 'completed', search: { stage: 'completed' } },
  { key: 'archived', stage: 'archived', search: { state: 'archived' } },
] as const

interface Props {
  readonly project: string
  readonly summary: ProjectStatus['lifecycleSummary']
}

/** Stages of the lifecycle, each with the number of flags in it. A click on a number opens the list of these flags. */
export function LifecycleFunnel({ project, summary }: Props) {
  const t = useCatalogue(INSIGHT_TEXTS)
  const { stages } = useTexts()
  const { number } = useFormat()
  const most = Math.max(1, ...STAGES.map(({ key }) => summary[key].currentFlags))
  return (
    <Section title={t.life}>
      <ol className={styles.funnel}>
        {STAGES.map(({ key, stage, search }) => {
          const count = summary[key].currentFlags
          return (
            <li key={key}>
              <Link to="/projects/$project" params={{ project }} search={search} className={styles.stage ?? ''}>
                <span className={styles.stageName}>{stages[stage]}</span>
                <strong className={styles.value}>{number(count)}</strong>
                <span
                  className={styles.bar}
                  data-empty={count === 0 || undefined}
                  style={{ width: `${(count / most) * 100}%` }}
                />
                <span className={styles.hint}>{t.stageHints[key]}</span>
                <StageNote stage={key} summary={summary} />
              </Link>
            </li>
          )
        })}
      </ol>
    </Section>
  )
}

/** Average time in the stage; for archived flags, how many were archived in the last 30 days. */
function StageNote({ stage, summary }: { stage: (typeof STAGES)[number]['key']; summary: Props['summary'] }) {
  const t = useCatalogue(INSIGHT_TEXTS)
  const { number } = useFormat()
  if (stage === 'archived')
    return <span className={styles.hint}>{t.recently(number(summary.archived.last30Days))}</span>
  const { averageDays } = summary[stage]
  return averageDays !== null && <span className={styles.hint}>{t.stay(number(averageDays))}</span>
}
