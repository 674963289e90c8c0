import { useQuery } from '@tanstack/react-query'
import { searchFlags } from '../api/flags.ts'
import { useCatalogue, useFormat } from '../text/texts.tsx'
import { FlagLink } from '../ui/page/flag-link.tsx'
import { LinkButton } from '../ui/page/link-button.tsx'
import styles from './insights.module.css'
import { INSIGHT_TEXTS } from './texts.ts'

const SHOWN = 5
const STATES = ['stale', 'potentially-stale'] as const

/**
 * List of the oldest flags that lower a project's health, stale flags first. Each flag has an action to clean it up.
 */
export function FixFirst({ project, count }: { project: string; count: number }) {
  const t = useCatalogue(INSIGHT_TEXTS)
  const { number, date } = useFormat()
  const { data = [] } = useQuery({
    queryKey: ['flags', project, 'fix-first'],
    queryFn: async () => {
      const pages = await Promise.all(
        STATES.map((state) => searchFlags({ project, state, sort: 'createdAt', order: 'asc' }, 0, SHOWN)),
      )
      return pages.flatMap(({ features }, index) => features.map((flag) => ({ flag, state: STATES[index] })))
    },
  })
  const shown = data.slice(0, SHOWN)
  return (
    <section aria-label={t.fixFirst}>
      <h3 className={styles.subheading}>{t.fixFirst}</h3>
      <ul className={styles.fixes}>
        {shown.map(({ flag: { name, createdAt }, state }) => (
          <li key={name}>
            <FlagLink project={project} feature={name} />
            <span className={styles.reason}>
              {state === 'stale' ? t.markedStale : t.pastLifetime}, {t.createdAt(date(createdAt))}
            </span>
            <LinkButton to="/stale" search={{ project }} aria-label={t.cleanUp(name)}>
              {t.cleanUpShort}
            </LinkButton>
          </li>
        ))}
      </ul>
      {count > shown.length && shown.length > 0 && (
        <p className={styles.hint}>{t.andMore(number(count - shown.length))}</p>
      )}
    </section>
  )
}
