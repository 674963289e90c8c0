import { Group } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { INBOX_TEXTS } from '../inbox/texts.ts'
import { ProjectName } from '../shell/project/project-name.tsx'
import { useProject } from '../shell/project/use-project.ts'
import { readRecentFlags } from '../shell/recent-flags.ts'
import { usePermissionCheck } from '../shell/session/session.tsx'
import { useCatalogue } from '../text/texts.tsx'
import { Section } from '../ui/page/section.tsx'
import ui from '../ui/ui.module.css'
import { FlagItem } from './flag-item.tsx'
import styles from './home.module.css'

/** Flags that were most recently opened in this browser or, if there are none, links to begin with. */
export function RecentSection() {
  const t = useCatalogue(INBOX_TEXTS)
  const may = usePermissionCheck()
  const project = useProject()
  const flags = readRecentFlags()
  return (
    <Section title={t.recent}>
      {flags.length === 0 && (
        <>
          <p className={ui.hint}>{t.noRecent}</p>
          <Group gap="md">
            {may('CREATE_FEATURE', { project }) && (
              <Link to="/projects/$project" params={{ project }} search={{ create: true }} className={ui.link ?? ''}>
                {t.createFlag}
              </Link>
            )}
            <Link to="/connect" search={{ project }} className={ui.link ?? ''}>
              {t.connect}
            </Link>
            <Link to="/help" className={ui.link ?? ''}>
              {t.firstSteps}
            </Link>
          </Group>
        </>
      )}
      <ul className={styles.list}>
        {flags.map(({ project, feature }) => (
          <FlagItem key={feature} project={project} name={feature}>
            <ProjectName id={project} />
          </FlagItem>
        ))}
      </ul>
    </Section>
  )
}
