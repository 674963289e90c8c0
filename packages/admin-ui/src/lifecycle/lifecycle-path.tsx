import type { FeatureStage } from '@burgee/protocol/administration/feature-stage'
import { useQuery } from '@tanstack/react-query'
import { type FlagRef, fetchStages } from '../api/flags.ts'
import { useFormat, useTexts } from '../text/texts.tsx'
import styles from './lifecycle-path.module.css'

/** Stages in the order in which a flag passes through them. */
const STAGES: readonly FeatureStage['stage'][] = ['initial', 'pre-live', 'live', 'completed', 'archived']

/** Path of a flag through its lifecycle, with the date of each stage that it reached. */
export function LifecyclePath(flag: FlagRef) {
  const { stages: names } = useTexts()
  const { date, time } = useFormat()
  const { data = [] } = useQuery({
    queryKey: ['flag', flag.project, flag.feature, 'stages'],
    queryFn: () => fetchStages(flag),
    staleTime: 0,
  })
  const reached = new Map(data.map(({ stage, enteredStageAt }) => [stage, enteredStageAt]))
  const current = data.at(-1)?.stage
  return (
    <ol className={styles.path}>
      {STAGES.map((stage) => {
        const at = reached.get(stage)
        return (
          <li
            key={stage}
            data-reached={at !== undefined || undefined}
            aria-current={stage === current ? 'step' : undefined}
          >
            <span className={styles.name}>{names[stage]}</span>
            <span className={styles.date} title={at && time(at)}>
              {at === undefined ? '–' : date(at)}
            </span>
          </li>
        )
      })}
    </ol>
  )
}
