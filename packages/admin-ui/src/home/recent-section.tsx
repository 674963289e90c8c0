import { Link } from '@tanstack/react-router'
import { INBOX_TEXTS } from '../inbox/texts.ts'
import { ProjectName } from '../shell/project/project-name.tsx'
import { readRecentFlags } from '../shell/recent-flags.ts'
import { useCatalogue } from '../text/texts.tsx'
import { Section } from '../ui/page/section.tsx'
import ui from '../ui/ui.module.css'
import { FlagItem } from './flag-item.tsx'
import styles from './home.module.css'

/** Flags that were most recently opened in this browser. */
export function RecentSection() {
  const t = useCatalogue(INBOX_TEXTS)
  const flags = readRecentFlags()
  return (
    <Section title={t.recent}>
      {flags.length === 0 && (
        <>
          <p className={ui.hint}>{t.noRecent}</p>
          <Link to="/help" className={ui.link ?? ''}>
            {t.firstSteps}
          </Link>
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
