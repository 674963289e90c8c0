import type { Event } from '@burgee/protocol/event'
import { Button, Group } from '@mantine/core'
import { Link, linkOptions } from '@tanstack/react-router'
import { findDifferences, isMeaningful } from '../diff/diff.ts'
import { DiffTable } from '../diff/diff-table.tsx'
import { HISTORY_TEXTS } from '../flag-history/texts.ts'
import { useCatalogue, useFormat } from '../text/texts.tsx'
import { SidePanel } from '../ui/dialog/side-panel.tsx'
import { CommentLine } from './comment-line.tsx'
import styles from './event-list.module.css'
import { FIELD_NAMES, nameField } from './field-names.ts'
import { Sentence, useEventSentences } from './sentence.tsx'
import { SENTENCE_TEXTS } from './sentence-texts.ts'
import { StrategyLines } from './strategy-lines.tsx'
import { EVENT_TEXTS } from './texts.ts'
import { useUndo } from './use-undo.ts'

/** Types of events that change the state of a flag. */
const STATE_EVENTS = /^(feature-(?!(un)?favorited|(un)?completed|potentially|comment-)|strategy-order-changed)/
const STRATEGY_EVENTS = /^feature-strategy-(add|update|remove)$/

/** Panel with the details of an event: a description of the change, and possible actions. */
export function EventPanel({ event, close }: { event: Event; close: () => void }) {
  const log = useCatalogue(EVENT_TEXTS).log
  const { time } = useFormat()
  const { describe, nameAuthor } = useEventSentences([event])
  const { type, createdAt, ip } = event
  return (
    <SidePanel title={log.types[type] ?? type} close={close}>
      <div className={styles.panel}>
        <p>
          <Sentence author={nameAuthor(event)} event={event} parts={describe(event)} withFlag />
        </p>
        <p className={styles.about}>
          <time dateTime={createdAt}>{time(createdAt)}</time>
          {ip && <span>{log.address(ip)}</span>}
          <code>{type}</code>
        </p>
        <StrategyLines event={event} />
        <CommentLine event={event} />
        <Changes event={event} />
        <Actions event={event} />
      </div>
    </SidePanel>
  )
}

/** Returns true for the instructions that the event contains for other programs. The page of the flag has them, too. */
const isBrief = (type: string, path: string): boolean => type === 'feature-completed' && path === 'brief'

function Changes({ event: { type, preData, data } }: { event: Event }) {
  const t = useCatalogue(SENTENCE_TEXTS)
  const names = useCatalogue(FIELD_NAMES)
  const changes = findDifferences(preData, data).filter((one) => isMeaningful(one) && !isBrief(type, one.path))
  if (changes.length === 0) return <p className={styles.about}>{t.noDifference}</p>
  const table = <DiffTable changes={changes} getName={(path) => nameField(path, names)} />
  if (!STRATEGY_EVENTS.test(type)) return table
  return (
    <details className={styles.fields}>
      <summary>{t.allFields}</summary>
      {table}
    </details>
  )
}

function Actions({ event }: { event: Event }) {
  const { flagThen, thenOf } = useCatalogue(HISTORY_TEXTS)
  const { time } = useFormat()
  const undo = useUndo(event)
  const { id, type, project, featureName, createdAt } = event
  const isOfFlag = featureName !== null && project !== null && STATE_EVENTS.test(type)
  return (
    <Group gap="xs">
      {isOfFlag && (
        <Button
          variant="default"
          aria-label={thenOf(featureName, time(createdAt))}
          renderRoot={(props: object) => (
            <Link
              {...props}
              {...linkOptions({
                to: '/projects/$project/features/$feature',
                params: { project, feature: featureName },
                search: { tab: 'history', event: id },
              })}
            />
          )}
        >
          {flagThen}
        </Button>
      )}
      {undo !== undefined && (
        <Button variant="default" aria-label={undo.label} onClick={() => void undo.act()}>
          {undo.text}
        </Button>
      )}
    </Group>
  )
}
