import type { AdminStrategy, StrategyInput } from '@burgee/protocol/admin'
import { Alert } from '@mantine/core'
import { differences, isTelling } from '../events/diff.ts'
import { DifferenceTable } from '../events/difference-table.tsx'
import { usePageTexts } from '../text/page.ts'
import { useFormat, useTexts } from '../text/texts.tsx'
import { draftOf, inputOf } from './draft.ts'
import { sentenceOf } from './sentence.ts'
import styles from './strategy.module.css'
import { useSegmentName } from './use-segment-name.ts'
import type { Collision } from './use-strategy-save.ts'

/** What somebody else has made of a strategy meanwhile, beside what the person is about to save. */
export function CollisionNotice({ collision, mine }: { collision: Collision; mine: StrategyInput }) {
  const t = useTexts()
  const { collision: words } = usePageTexts()
  const { ago } = useFormat()
  const segmentName = useSegmentName()
  const { theirs, event } = collision
  const changes = differences(inputOf(draftOf(theirs)), mine).filter(isTelling)
  return (
    <Alert color="yellow" role="alert" title={words.title} mb="sm" className={styles.collision ?? ''}>
      <p className={styles.plain}>
        {event === undefined ? words.unknown : words.by(event.createdBy, ago(event.createdAt))} {words.text}
      </p>
      <dl className={styles.versions}>
        <dt>{words.theirs}</dt>
        <dd>{titled(theirs.title, sentenceOf(t, theirs, segmentName))}</dd>
        <dt>{words.mine}</dt>
        <dd>{titled(mine.title, sentenceOf(t, mine as AdminStrategy, segmentName))}</dd>
      </dl>
      {changes.length > 0 && (
        <details>
          <summary>{words.differences(changes.length)}</summary>
          <DifferenceTable changes={changes} before={words.theirs} after={words.mine} />
        </details>
      )}
    </Alert>
  )
}

const titled = (title: string | null | undefined, sentence: string): string =>
  title ? `${title}: ${sentence}` : sentence
