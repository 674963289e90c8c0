import type { Event } from '@burgee/protocol/event'
import { Link } from '@tanstack/react-router'
import { differences, isTelling } from '../difference/difference.ts'
import { DifferenceTable } from '../difference/difference-table.tsx'
import { DIFFERENCE_TEXTS } from '../difference/texts.ts'
import { PAST_TEXTS } from '../past/texts.ts'
import { EnvironmentChip } from '../shell/environment/environment-chip.tsx'
import { useCatalogue, useFormat, useTexts } from '../text/texts.tsx'
import { LinkButton } from '../ui/page/link-button.tsx'
import ui from '../ui/ui.module.css'
import { CommentLine } from './comment-line.tsx'
import { subjectOf } from './event-subject.ts'
import styles from './events.module.css'
import { StrategyLines } from './strategy-lines.tsx'
import { EVENT_TEXTS } from './texts.ts'
import { UndoButton } from './undo-button.tsx'

/** Events that change what a flag is. */
const OF_STATE = /^(feature-(?!(un)?favorited|(un)?completed|potentially|comment-)|strategy-order-changed)/

/** Events with what they changed, newest first, and the way back. */
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
  const t = useTexts(EVENT_TEXTS)
  const log = useCatalogue(EVENT_TEXTS).log
  const { time, ago } = useFormat()
  const { type, environment, createdBy, createdAt } = event
  return (
    <div className={styles.line}>
      <strong className={styles.type}>{log.types[type] ?? type}</strong>
      {withFlag && <Subject event={event} />}
      {environment !== null && <EnvironmentChip name={environment} />}
      <span>{t.events.by(createdBy)}</span>
      <code className={styles.code}>{type}</code>
      <span className={styles.end}>
        <time dateTime={createdAt} title={time(createdAt)} className={styles.when}>
          {ago(createdAt)}
        </time>
        <ThenLink event={event} />
        <UndoButton event={event} />
      </span>
    </div>
  )
}

/** Leads to the flag as it was right after an event of it. */
function ThenLink({ event: { id, type, project, featureName, createdAt } }: { event: Event }) {
  const t = useCatalogue(PAST_TEXTS)
  const { time } = useFormat()
  if (featureName === null || project === null || !OF_STATE.test(type)) return null
  return (
    <LinkButton
      size="compact-xs"
      to="/projects/$project/features/$feature"
      params={{ project, feature: featureName }}
      search={{ tab: 'history', event: id }}
      aria-label={t.thenOf(featureName, time(createdAt))}
    >
      {t.flagThen}
    </LinkButton>
  )
}

function Subject({ event }: { event: Event }) {
  const { featureName, project } = event
  if (featureName === null || project === null) {
    const name = subjectOf(event)
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

/** What changed and, for administrators, from which address. */
function Details({ event: { preData, data, ip } }: { event: Event }) {
  const { changes: changesLabel } = useCatalogue(DIFFERENCE_TEXTS)
  const log = useCatalogue(EVENT_TEXTS).log
  const changes = differences(preData, data).filter(isTelling)
  if (changes.length === 0) return null
  return (
    <details className={styles.details}>
      <summary>{changesLabel}</summary>
      {ip && <p className={styles.address}>{log.address(ip)}</p>}
      <DifferenceTable changes={changes} />
    </details>
  )
}
