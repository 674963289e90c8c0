import { ActionIcon, Button, Kbd } from '@mantine/core'
import { Link, Outlet, useLocation } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTexts } from '../text/texts.tsx'
import styles from './frame.module.css'
import { ADMIN_PAGES, type NavPage, WORK_PAGES } from './nav.ts'
import { PALETTE } from './overlays.ts'
import { ProjectPicker } from './project/project-picker.tsx'
import { useProject } from './project/use-project.ts'
import { AccountButton } from './session/account-button.tsx'
import { useMay } from './session/session.tsx'

/** The frame around every page: brand, project, search, account, and the way to the other pages. */
export function Frame() {
  const t = useTexts()
  const [isOpen, setOpen] = useState(false)
  const { pathname } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new page closes the menu
  useEffect(() => setOpen(false), [pathname])
  return (
    <div className={styles.frame}>
      <a className={styles.skip} href={`${pathname}#content`} onClick={focusContent}>
        {t.common.skipToContent}
      </a>
      <header className={styles.head}>
        <ActionIcon
          className={styles.menuButton}
          variant="default"
          size="lg"
          aria-label={t.nav.menu}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          ☰
        </ActionIcon>
        <Link to="/" className={styles.brand ?? ''} aria-label="Burgee">
          <Logo />
          <span className={styles.brandText}>Burgee</span>
        </Link>
        <ProjectPicker />
        <span className={styles.grow} />
        <Button
          variant="default"
          justify="space-between"
          className={styles.search ?? ''}
          leftSection={<Magnifier />}
          onClick={() => PALETTE.show(true)}
          rightSection={
            <Kbd className={styles.hint ?? ''} aria-hidden="true">
              Ctrl K
            </Kbd>
          }
        >
          <span className={styles.searchText}>{t.nav.search}</span>
        </Button>
        <AccountButton />
      </header>
      <nav className={styles.nav} aria-label={t.nav.label} data-open={isOpen || undefined}>
        <Pages />
      </nav>
      <main className={styles.main} id="content" tabIndex={-1}>
        <Outlet />
      </main>
    </div>
  )
}

function focusContent(event: { preventDefault(): void }): void {
  event.preventDefault()
  document.getElementById('content')?.focus()
}

function Pages() {
  const t = useTexts()
  return (
    <>
      <PageList pages={WORK_PAGES} />
      <h2 className={styles.group} id="administration">
        {t.nav.administration}
      </h2>
      <PageList pages={ADMIN_PAGES} labelledBy="administration" />
    </>
  )
}

function PageList({ pages, labelledBy }: { pages: readonly NavPage[]; labelledBy?: string }) {
  const t = useTexts()
  const project = useProject()
  const may = useMay()
  return (
    <ul aria-labelledby={labelledBy}>
      {pages
        .filter(({ needs }) => needs === undefined || may(needs))
        .map(({ id, link, isExact = false }) => (
          <li key={id}>
            <Link {...link(project)} activeOptions={{ exact: isExact }} className={styles.item ?? ''}>
              {t.nav[id]}
            </Link>
          </li>
        ))}
    </ul>
  )
}

function Magnifier() {
  return (
    <svg
      width="16"
      height="16"
      viewBox="0 0 16 16"
      aria-hidden="true"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
    >
      <circle cx="6.5" cy="6.5" r="4.5" />
      <path d="M10 10l5 5" strokeLinecap="round" />
    </svg>
  )
}

/** The flag on its pole. */
export function Logo() {
  return (
    <svg width="24" height="24" viewBox="0 0 32 32" aria-hidden="true">
      <path d="M6 3v27" stroke="currentColor" strokeWidth="3" strokeLinecap="round" />
      <path d="M7.5 5h19l-6 6.5 6 6.5h-19z" fill="#0f8f78" />
    </svg>
  )
}
