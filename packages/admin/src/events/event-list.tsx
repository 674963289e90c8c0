import type { Event } from '@burgee/protocol/event'
import { Link } from '@tanstack/react-router'
import { useFormat, useTexts } from '../text/texts.tsx'
import ui from '../ui/ui.module.css'
import { differences, isTelling, shown } from './diff.ts'
import styles from './events.module.css'

/** Events with what they changed, newest first. */
export function EventList({ events, withFlag }: { events: readonly Event[]; withFlag: boolean }) {
  const t = useTexts()
  return (
    <ol className={styles.list} aria-label={t.events.list}>
      {events.map((event) => (
        <li key={event.id} className={styles.event}>
          <EventLine event={event} withFlag={withFlag} />
        </li>
      ))}
    </ol>
  )
}

function EventLine({ event, withFlag }: { event: Event; withFlag: boolean }) {
  const t = useTexts()
  const { time, ago } = useFormat()
  const { type, featureName, project, environment, createdBy, createdAt } = event
  const changes = differences(event.preData, event.data).filter(isTelling)
  return (
    <>
      <div className={styles.line}>
        <strong className={styles.type}>{type}</strong>
        {withFlag && featureName !== null && project !== null && (
          <Link
            to="/projects/$project/features/$feature"
            params={{ project, feature: featureName }}
            className={ui.link ?? ''}
          >
            {featureName}
          </Link>
        )}
        {environment !== null && <span>{t.events.inEnvironment(environment)}</span>}
        <span>{t.events.by(createdBy)}</span>
        <time dateTime={createdAt} title={time(createdAt)} className={styles.when}>
          {ago(createdAt)}
        </time>
      </div>
      {changes.length > 0 && (
        <details className={styles.details}>
          <summary>{t.events.changes}</summary>
          <div className={ui.scroller}>
            <table className={styles.diff}>
              <thead>
                <tr>
                  <th scope="col">{t.common.name}</th>
                  <th scope="col">{t.events.before}</th>
                  <th scope="col">{t.events.after}</th>
                </tr>
              </thead>
              <tbody>
                {changes.map(({ path, before, after }) => (
                  <tr key={path}>
                    <th scope="row">{path}</th>
                    <td className={before === undefined || before === null ? undefined : styles.removed}>
                      {shown(before)}
                    </td>
                    <td className={after === undefined || after === null ? undefined : styles.added}>{shown(after)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </details>
      )}
    </>
  )
}
