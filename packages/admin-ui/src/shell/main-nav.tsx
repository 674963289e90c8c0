import { Link } from '@tanstack/react-router'
import { Settings2 } from 'lucide-react'
import { useTexts } from '../text/texts.tsx'
import styles from './frame.module.css'
import { GENERAL_PAGES, PROJECT_PAGES } from './nav.ts'
import { PageList } from './page-list.tsx'
import { ProjectPicker } from './project/project-picker.tsx'

/** Menu with the selected project and its pages, the pages for all projects, and a link to the settings. */
export function MainNav({ isCollapsed }: { isCollapsed: boolean }) {
  const t = useTexts()
  return (
    <>
      <div className={styles.project}>
        <ProjectPicker />
      </div>
      <PageList pages={PROJECT_PAGES} isCollapsed={isCollapsed} />
      <h2 className={styles.group} id="all-projects">
        {t.nav.allProjects}
      </h2>
      <PageList pages={GENERAL_PAGES} isCollapsed={isCollapsed} labelledBy="all-projects" />
      <div className={styles.grow} />
      <Link
        to="/projects"
        activeOptions={{ exact: true }}
        className={styles.item ?? ''}
        title={isCollapsed ? t.nav.administration : undefined}
      >
        <Settings2 size={17} strokeWidth={1.9} aria-hidden="true" className={styles.icon} />
        <span className={styles.label}>{t.nav.administration}</span>
      </Link>
    </>
  )
}
