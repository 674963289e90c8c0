import type { InboxFlag } from '@burgee/protocol/administration/inbox'
import { Link } from '@tanstack/react-router'
import { useCatalogue, useFormat } from '../text/texts.tsx'
import ui from '../ui/ui.module.css'
import styles from './notifications.module.css'
import { NOTIFICATION_TEXTS } from './texts.ts'

interface Props {
  readonly flag: InboxFlag
  /** Called when the user follows the link. */
  readonly leave: () => void
}

/** Proposal to archive a flag that nothing uses anymore, with a link to the flag's references in the code. */
export function UnusedFlagItem({ flag: { project, feature, lastSeenAt }, leave }: Props) {
  const t = useCatalogue(NOTIFICATION_TEXTS)
  const { ago } = useFormat()
  return (
    <li className={styles.group}>
      <div className={styles.about}>
        <Link
          to="/projects/$project/features/$feature"
          params={{ project, feature }}
          search={{ tab: 'code' }}
          className={`${ui.link} ${styles.name}`}
          onClick={leave}
        >
          {feature}
        </Link>
        <span className={styles.reason}>{t.toArchive}</span>
      </div>
      <div className={styles.entry} data-new>
        <span className={styles.hidden}>{t.isNew} </span>
        {lastSeenAt === null ? t.neverEvaluated : t.lastEvaluated(ago(lastSeenAt))}
      </div>
    </li>
  )
}
