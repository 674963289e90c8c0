import type { Event } from '@burgee/protocol/event'
import { ActionIcon } from '@mantine/core'
import { ChevronDown, ChevronRight, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { useCatalogue, useFormat, useTexts } from '../text/texts.tsx'
import { InitialsAvatar } from '../ui/page/initials-avatar.tsx'
import { type EventRun, groupEvents, toLocalDay } from './event-days.ts'
import styles from './event-list.module.css'
import { EventPanel } from './event-panel.tsx'
import { joinParts } from './event-sentence.ts'
import { type EventSentences, Sentence, useEventSentences } from './sentence.tsx'
import { SENTENCE_TEXTS } from './sentence-texts.ts'
import { EVENT_TEXTS } from './texts.ts'
import { useUndo } from './use-undo.ts'

const DAY_MS = 86_400_000

/**
 * List of events grouped by day, newest first: one row per event or run of events, with an undo button and a details
 * panel.
 */
export function EventList({ events, withFlag }: { events: readonly Event[]; withFlag: boolean }) {
  const t = useTexts(EVENT_TEXTS)
  const sentences = useEventSentences(events)
  const [shown, setShown] = useState<Event>()
  const common = { sentences, withFlag, show: setShown }
  return (
    <>
      <ol className={styles.days} aria-label={t.events.list}>
        {groupEvents(events).map(({ day, runs }) => (
          <li key={day} className={styles.day}>
            <h2 className={styles.heading}>
              <DayName day={day} />
            </h2>
            <ol className={styles.rows}>
              {runs.map((run) =>
                run.events.length === 1 ? (
                  <EventRow key={run.id} event={run.events[0]} {...common} />
                ) : (
                  <RunRow key={run.id} run={run} {...common} />
                ),
              )}
            </ol>
          </li>
        ))}
      </ol>
      {shown !== undefined && <EventPanel event={shown} close={() => setShown(undefined)} />}
    </>
  )
}

function DayName({ day }: { day: string }) {
  const t = useCatalogue(SENTENCE_TEXTS)
  const { date } = useFormat()
  if (day === toLocalDay(new Date())) return t.today
  if (day === toLocalDay(new Date(Date.now() - DAY_MS))) return t.yesterday
  return date(`${day}T12:00:00`)
}

interface RowProps {
  readonly sentences: EventSentences
  readonly withFlag: boolean
  readonly show: (event: Event) => void
}

function EventRow({ event, sentences, withFlag, show }: RowProps & { event: Event }) {
  const t = useCatalogue(SENTENCE_TEXTS)
  const undo = useUndo(event)
  const parts = sentences.describe(event)
  const author = sentences.nameAuthor(event)
  return (
    <li className={styles.row} data-type={event.type}>
      <button
        type="button"
        className={styles.open}
        aria-label={t.details(`${author} ${joinParts(parts)}`)}
        onClick={() => show(event)}
      />
      <InitialsAvatar name={author} />
      <Sentence author={author} event={event} parts={parts} withFlag={withFlag} />
      {undo !== undefined && (
        <ActionIcon
          variant="default"
          size="md"
          className={styles.undo ?? ''}
          aria-label={undo.label}
          title={undo.text}
          onClick={() => void undo.act()}
        >
          <Undo2 size={16} aria-hidden="true" />
        </ActionIcon>
      )}
      <Time event={event} />
    </li>
  )
}

function RunRow({ run, sentences, withFlag, show }: RowProps & { run: EventRun }) {
  const t = useCatalogue(SENTENCE_TEXTS)
  const [isOpen, setOpen] = useState(false)
  const [first] = run.events
  const parts = sentences.describeRun(run.events)
  const author = sentences.nameAuthor(first)
  const Chevron = isOpen ? ChevronDown : ChevronRight
  return (
    <li data-run={run.events.length}>
      <div className={styles.row}>
        <button
          type="button"
          className={styles.open}
          aria-expanded={isOpen}
          aria-label={`${t.fold(isOpen)}: ${author} ${joinParts(parts)}`}
          onClick={() => setOpen(!isOpen)}
        />
        <InitialsAvatar name={author} />
        <Sentence author={author} event={first} parts={parts} withFlag={withFlag} />
        <Chevron size={16} aria-hidden="true" className={styles.chevron} />
        <Time event={first} />
      </div>
      {isOpen && (
        <ol className={styles.folded}>
          {run.events.map((event) => (
            <EventRow key={event.id} event={event} sentences={sentences} withFlag={withFlag} show={show} />
          ))}
        </ol>
      )}
    </li>
  )
}

function Time({ event: { createdAt } }: { event: Event }) {
  const { time, clock } = useFormat()
  return (
    <time dateTime={createdAt} title={time(createdAt)} className={styles.when}>
      {clock(createdAt)}
    </time>
  )
}
