import type { Notification } from '@burgee/protocol/administration/notification'
import { isTaskReason } from '@burgee/protocol/administration/notification-reason'
import { Link } from '@tanstack/react-router'
import { EVENT_TEXTS } from '../events/texts.ts'
import { AuthorName } from '../people/person.tsx'
import { EnvironmentChip } from '../shell/environment/environment-chip.tsx'
import { ProjectName } from '../shell/project/project-name.tsx'
import { useCatalogue } from '../text/texts.tsx'
import { RelativeTime } from '../ui/page/relative-time.tsx'
import ui from '../ui/ui.module.css'
import type { NotificationGroup } from './entry-groups.ts'
import styles from './notifications.module.css'
import { NOTIFICATION_TEXTS } from './texts.ts'

interface Props {
  readonly group: NotificationGroup
  readonly readUpTo: number
  /** Called when the user follows a link. */
  readonly leave: () => void
}

/** Group of notifications about one subject, with the reason why the user is notified. */
export function EntryGroupItem({ group, readUpTo, leave }: Props) {
  const t = useCatalogue(NOTIFICATION_TEXTS)
  const { name, projectId, link, reason, entries } = group
  return (
    <li className={styles.group}>
      <div className={styles.about}>
        {link === undefined ? (
          <span className={styles.name}>{name}</span>
        ) : (
          <Link {...link} className={`${ui.link} ${styles.name}`} onClick={leave}>
            {projectId === undefined ? name : <ProjectName id={projectId} />}
          </Link>
        )}
        <span className={styles.reason}>{t.reasons[reason]}</span>
      </div>
      <ul className={styles.entries}>
        {entries.map((entry) => (
          <Entry key={entry.id} entry={entry} isNew={entry.id > readUpTo || isTaskReason(entry.reason)} />
        ))}
      </ul>
    </li>
  )
}

function Entry({ entry, isNew }: { entry: Notification; isNew: boolean }) {
  const t = useCatalogue(NOTIFICATION_TEXTS)
  const { log } = useCatalogue(EVENT_TEXTS)
  const { type, environment, createdBy, createdAt } = entry
  return (
    <li className={styles.entry} data-new={isNew || undefined}>
      {isNew && <span className={styles.hidden}>{t.isNew} </span>}
      <span className={styles.what}>{log.types[type] ?? type}</span>{' '}
      {environment !== null && <EnvironmentChip name={environment} />}{' '}
      <AuthorName author={{ id: entry.createdByUserId, username: createdBy }} />{' '}
      <RelativeTime at={createdAt} className={styles.when} />
    </li>
  )
}
