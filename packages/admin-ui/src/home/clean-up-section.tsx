import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { fetchStaleFlags } from '../api/bulk.ts'
import { INBOX_TEXTS } from '../inbox/texts.ts'
import { ProjectName } from '../shell/project/project-name.tsx'
import { useCatalogue, useFormat } from '../text/texts.tsx'
import { Loaded } from '../ui/page/list-page.tsx'
import { Section } from '../ui/page/section.tsx'
import ui from '../ui/ui.module.css'
import { FlagItem } from './flag-item.tsx'
import styles from './home.module.css'

const LIMIT = 6
const ALL = '*'

/** Flags in all projects that can probably be removed. */
export function CleanUpSection() {
  const t = useCatalogue(INBOX_TEXTS)
  const { number } = useFormat()
  const answer = useQuery({
    queryKey: ['stale', 'home'],
    queryFn: () => fetchStaleFlags({ project: undefined, reason: undefined, snoozed: false, limit: LIMIT }),
  })
  const total = answer.data?.total ?? 0
  return (
    <Section
      title={t.cleanUp}
      actions={
        total > 0 && (
          <Link to="/stale" search={{ project: ALL }} className={ui.link ?? ''}>
            {t.allOfThem(number(total))}
          </Link>
        )
      }
    >
      <Loaded answer={answer}>
        {({ flags }) =>
          flags.length === 0 ? (
            <p className={ui.hint}>{t.noCleanUp}</p>
          ) : (
            <ul className={styles.list}>
              {flags.map(({ feature: { name, project } }) => (
                <FlagItem key={name} project={project} name={name}>
                  <ProjectName id={project} />
                </FlagItem>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Section>
  )
}
