import { Link } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { useTexts } from '../../text/texts.tsx'
import styles from '../frame.module.css'
import { getPageLink } from '../nav.ts'
import { PageList } from '../page-list.tsx'
import { useProject } from '../project/use-project.ts'
import { usePermissionCheck } from '../session/session.tsx'
import { SETTINGS_GROUPS } from './settings-pages.ts'

/** Menu for the settings of the installation, with a link back to the project. */
export function SettingsNav({ isCollapsed }: { isCollapsed: boolean }) {
  const t = useTexts()
  const project = useProject()
  const may = usePermissionCheck()
  const groups = SETTINGS_GROUPS.filter(({ pages }) => pages.some((page) => getPageLink(page, may, project)))
  return (
    <>
      <Link
        to="/projects/$project"
        params={{ project }}
        activeOptions={{ exact: true }}
        className={styles.item ?? ''}
        title={isCollapsed ? t.nav.backToFlags : undefined}
      >
        <ArrowLeft size={17} strokeWidth={1.9} aria-hidden="true" className={styles.icon} />
        <span className={styles.label}>{t.nav.backToFlags}</span>
      </Link>
      {groups.map(({ id, pages }) => (
        <div key={id} className={styles.dense ?? ''}>
          <h2 className={styles.group} id={`settings-${id}`}>
            {t.nav[id]}
          </h2>
          <PageList pages={pages} isCollapsed={isCollapsed} labelledBy={`settings-${id}`} />
        </div>
      ))}
    </>
  )
}
