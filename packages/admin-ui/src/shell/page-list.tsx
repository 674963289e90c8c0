import { Link, useLocation } from '@tanstack/react-router'
import { ChangeRequestCount } from '../inbox/change-request-count.tsx'
import { useTexts } from '../text/texts.tsx'
import styles from './frame.module.css'
import { getPageLink, type NavPage } from './nav.ts'
import { useProject } from './project/use-project.ts'
import { usePermissionCheck } from './session/session.tsx'

interface Props {
  readonly pages: readonly NavPage[]
  /** True if only icons are visible. */
  readonly isCollapsed: boolean
  readonly labelledBy?: string
}

/** Links to the pages that the user may see; the current page is highlighted. */
export function PageList({ pages, isCollapsed, labelledBy }: Props) {
  const t = useTexts()
  const project = useProject()
  const may = usePermissionCheck()
  const { pathname } = useLocation()
  return (
    <ul aria-labelledby={labelledBy}>
      {pages
        .flatMap((page) => {
          const link = getPageLink(page, may, project)
          return link === undefined ? [] : [{ ...page, link }]
        })
        .map(({ id, icon: Icon, link, isAt }) => (
          <li key={id}>
            <Link
              {...link}
              activeOptions={{ exact: isAt !== undefined, includeSearch: false }}
              className={styles.item ?? ''}
              title={isCollapsed ? t.nav[id] : undefined}
              data-here={isAt?.test(pathname) || undefined}
              {...(isAt?.test(pathname) ? { 'aria-current': 'page' } : {})}
            >
              <Icon size={17} strokeWidth={1.9} aria-hidden="true" className={styles.icon} />
              <span className={styles.label}>{t.nav[id]}</span>
              {id === 'changeRequests' && <ChangeRequestCount />}
            </Link>
          </li>
        ))}
    </ul>
  )
}
