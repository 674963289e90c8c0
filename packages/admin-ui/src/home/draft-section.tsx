import { FilePen } from 'lucide-react'
import { INBOX_TEXTS } from '../inbox/texts.ts'
import { useInbox } from '../inbox/use-inbox.ts'
import { EnvironmentChip } from '../shell/environment/environment-chip.tsx'
import { ProjectName } from '../shell/project/project-name.tsx'
import { useCatalogue } from '../text/texts.tsx'
import { LinkButton } from '../ui/page/link-button.tsx'
import { RelativeTime } from '../ui/page/relative-time.tsx'
import { Section } from '../ui/page/section.tsx'
import styles from './home.module.css'
import { HomeRow } from './home-row.tsx'

/** Unsent change requests of the user. Renders nothing if the user has no unsent change requests. */
export function DraftSection() {
  const t = useCatalogue(INBOX_TEXTS)
  const drafts = useInbox().data?.drafts ?? []
  if (drafts.length === 0) return null
  return (
    <Section title={t.drafts}>
      <ul className={styles.list} aria-label={t.drafts}>
        {drafts.map(({ id, title, project, environment, createdAt, features, segments }) => (
          <HomeRow
            key={id}
            icon={<FilePen size={17} aria-hidden="true" />}
            name={[...features, ...segments].join(', ') || title}
            about={
              <>
                <EnvironmentChip name={environment} />
                <ProjectName id={project} />
                <RelativeTime at={createdAt} />
              </>
            }
            action={
              <LinkButton
                to="/projects/$project/change-requests/$request"
                params={{ project, request: String(id) }}
                aria-label={t.actionOf(t.continueDraft, title)}
              >
                {t.continueDraft}
              </LinkButton>
            }
          />
        ))}
      </ul>
    </Section>
  )
}
