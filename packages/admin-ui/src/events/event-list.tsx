import type { Event } from '@burgee/protocol/event'
import { Link } from '@tanstack/react-router'
import { findDifferences, isMeaningful } from '../diff/diff.ts'
import { DiffTable } from '../diff/diff-table.tsx'
import { DIFF_TEXTS } from '../diff/texts.ts'
import { AuthorName } from '../people/person.tsx'
import { EnvironmentChip } from '../shell/environment/environment-chip.tsx'
import { useCatalogue, useFormat, useTexts } from '../text/texts.tsx'
import ui from '../ui/ui.module.css'
import { CommentLine } from './comment-line.tsx'
import { EventMenu } from './event-menu.tsx'
import { getEventSubject } from './event-subject.ts'
import styles from './events.module.css'
import { StrategyLines } from './strategy-lines.tsx'
import { EVENT_TEXTS } from './texts.ts'

/** List of events with their changes, newest first, with undo actions. */
export function EventList({ events, withFlag }: { events: readonly Event[]; withFlag: boolean }) {
  const t = useTexts(EVENT_TEXTS)
  return (
    <ol className={styles.list} aria-label={t.events.list}>
      {events.map((event) => (
        <li key={event.id} className={styles.event}>
          <EventLine event={event} withFlag={withFlag} />
          <StrategyLines event={event} />
          <CommentLine event={event} />
          <Details event={event} />
        </li>
      ))}
    </ol>
  )
}

function EventLine({ event, withFlag }: { event: Event; withFlag: boolean }) {
  const log = useCatalogue(EVENT_TEXTS).log
  const { time, ago } = useFormat()
  const { type, environment, createdBy, createdAt } = event
  return (
    <div className={styles.line}>
      <strong className={styles.type}>{log.types[type] ?? type}</strong>
      {withFlag && <EventSubject event={event} />}
      {environment !== null && <EnvironmentChip name={environment} />}
      <AuthorName author={{ id: event.createdByUserId, username: createdBy }} />
      <span className={styles.end}>
        <time dateTime={createdAt} title={time(createdAt)} className={styles.when}>
          {ago(createdAt)}
        </time>
        <EventMenu event={event} />
      </span>
    </div>
  )
}

function EventSubject({ event }: { event: Event }) {
  const { featureName, project } = event
  if (featureName === null || project === null) {
    const name = getEventSubject(event)
    return name !== '' && <span className={styles.subject}>{name}</span>
  }
  return (
    <Link
      to="/projects/$project/features/$feature"
      params={{ project, feature: featureName }}
      className={ui.link ?? ''}
    >
      {featureName}
    </Link>
  )
}

/** Changes, technical event type and, for administrators, the IP address of an event. */
function Details({ event: { type, preData, data, ip } }: { event: Event }) {
  const { changes: changesLabel } = useCatalogue(DIFF_TEXTS)
  const log = useCatalogue(EVENT_TEXTS).log
  const changes = findDifferences(preData, data).filter(isMeaningful)
  return (
    <details className={styles.details}>
      <summary>{changes.length > 0 ? changesLabel : log.details}</summary>
      <p className={styles.raw}>
        <code>{type}</code>
        {ip && <span>{log.address(ip)}</span>}
      </p>
      {changes.length > 0 && <DiffTable changes={changes} />}
    </details>
  )
}
