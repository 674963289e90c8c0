import { EVENT_TEXTS } from '../events/texts.ts'
import { INBOX_TEXTS } from '../inbox/texts.ts'
import { useNotifications } from '../notifications/use-notifications.ts'
import { useCatalogue } from '../text/texts.tsx'
import { Loaded } from '../ui/page/list-page.tsx'
import { RelativeTime } from '../ui/page/relative-time.tsx'
import { Section } from '../ui/page/section.tsx'
import ui from '../ui/ui.module.css'
import { FlagItem } from './flag-item.tsx'
import styles from './home.module.css'

const SEARCHED = 50
const MAX_FLAGS = 6

/** Followed flags that other users changed, with the last change of each flag. */
export function FollowedSection() {
  const t = useCatalogue(INBOX_TEXTS)
  const { log } = useCatalogue(EVENT_TEXTS)
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
                  <FlagItem key={event.id} project={event.project ?? ''} name={event.featureName ?? ''}>
                    {log.types[event.type] ?? event.type} · <RelativeTime at={event.createdAt} />
                  </FlagItem>
                ),
              )}
            </ul>
          )
        }}
      </Loaded>
    </Section>
  )
}
