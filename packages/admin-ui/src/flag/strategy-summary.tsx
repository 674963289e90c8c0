import { getRolloutPercentage } from '@burgee/protocol/targeting/audience'
import type { AdminStrategy } from '@burgee/protocol/targeting/strategy'
import { Badge, Group } from '@mantine/core'
import { RolloutRow } from '../strategy/rollout-bar.tsx'
import { describeMatch } from '../strategy/strategy-sentence.ts'
import { STRATEGY_TEXTS } from '../strategy/texts.ts'
import { useSegmentName } from '../strategy/use-segment-name.ts'
import { WeightBar } from '../strategy/weight-bar.tsx'
import { useCatalogue, useTexts } from '../text/texts.tsx'
import styles from './flag.module.css'
import { useFailedParts } from './testing/test-results.ts'
import { TESTING_TEXTS } from './testing/texts.ts'
import { FLAG_TEXTS } from './texts.ts'

const FULL_PERCENT = 100

/** Strategy as a sentence, with a bar for its rollout and a bar for its variants. */
export function StrategySummary({ strategy }: { strategy: AdminStrategy }) {
  const t = useTexts(FLAG_TEXTS)
  const words = useCatalogue(STRATEGY_TEXTS)
  const segmentName = useSegmentName()
  const { title, disabled, variants } = strategy
  const rollout = getRolloutPercentage(strategy)
  const { subject, conditions } = describeMatch(words, strategy, segmentName)
  const failed = useFailedParts(strategy)
  // The subject names the percentage and, if the strategy has no other conditions, its segments.
  const isSubjectFailed = failed.rollout || (conditions.length === 0 && failed.conditions.includes(true))
  return (
    <>
      {(title || disabled) && (
        <Group gap="xs" mb={4}>
          {title && <span className={styles.cardTitle}>{title}</span>}
          {disabled && (
            <Badge variant="default" size="sm" tt="none">
              {t.flag.disabled}
            </Badge>
          )}
        </Group>
      )}
      <p className={styles.sentence}>
        <strong data-failed={isSubjectFailed || undefined}>
          {isSubjectFailed && <FailedMark />}
          {subject}
        </strong>
        {conditions.map((text, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: conditions have no id and can be equal
          <span key={index}>
            {index === 0 ? words.sentence.where : ` ${words.sentence.and}`}{' '}
            <span className={styles.condition} data-failed={failed.conditions[index] || undefined}>
              {failed.conditions[index] && <FailedMark />}
              {text}
            </span>
          </span>
        ))}
      </p>
      <div className={styles.bars}>
        {rollout !== null && rollout < FULL_PERCENT && <RolloutRow percent={rollout} />}
        {variants.length > 0 && <WeightBar variants={variants} />}
      </div>
    </>
  )
}

/** Mark at a condition that the tested context does not meet. */
function FailedMark() {
  const t = useCatalogue(TESTING_TEXTS)
  return <span className={styles.failedMark} role="img" aria-label={t.notMet} />
}
