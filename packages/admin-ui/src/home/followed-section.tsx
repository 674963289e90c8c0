import { EVENT_TEXTS } from '../events/texts.ts'
import { INBOX_TEXTS } from '../inbox/texts.ts'
import { useNotifications } from '../notifications/use-notifications.ts'
import { useCatalogue, useFormat } from '../text/texts.tsx'
import { FlagLink } from '../ui/page/flag-link.tsx'
import { Loaded } from '../ui/page/list-page.tsx'
import { Section } from '../ui/page/section.tsx'
import ui from '../ui/ui.module.css'
import styles from './home.module.css'

const SEARCHED = 50
const MAX_FLAGS = 6

/** Followed flags that others changed, with the last change of each. */
export function FollowedSection() {
  const t = useCatalogue(INBOX_TEXTS)
  const { log } = useCatalogue(EVENT_TEXTS)
  const { ago, time } = useFormat()
  return (
    <Section title={t.changed}>
      <Loaded answer={useNotifications(SEARCHED)}>
        {({ notifications }) => {
          const own = notifications.filter(
            ({ reason, featureName, project }) =>
              (reason === 'maker' || reason === 'favorite') && featureName !== null && project !== null,
          )
          const last = [...Map.groupBy(own, ({ featureName }) => featureName).values()].slice(0, MAX_FLAGS)
          if (last.length === 0) return <p className={ui.hint}>{t.noChanges}</p>
          return (
            <ul className={styles.list}>
              {last.map(([event]) =>
                event === undefined ? null : (
                  <li key={event.id} className={styles.short}>
                    <FlagLink project={event.project ?? ''} feature={event.featureName ?? ''} />
                    <span className={styles.side} title={time(event.createdAt)}>
                      {log.types[event.type] ?? event.type} · {ago(event.createdAt)}
                    </span>
                  </li>
                ),
              )}
            </ul>
          )
        }}
      </Loaded>
    </Section>
  )
}
