import { ActionIcon } from '@mantine/core'
import { Link, Outlet, useLocation } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTexts } from '../text/texts.tsx'
import { AccountMenu } from './account-menu.tsx'
import styles from './frame.module.css'
import { ProjectPicker } from './project-picker.tsx'
import { useProject } from './use-project.ts'

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
        <Link to="/" className={styles.brand ?? ''}>
          <Logo />
          <span className={styles.brandText}>Burgee</span>
        </Link>
        <ProjectPicker />
        <span className={styles.grow} />
        <AccountMenu />
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
  const project = useProject()
  const item = styles.item ?? ''
  return (
    <ul>
      <li>
        <Link to="/projects/$project" params={{ project }} className={item}>
          {t.nav.flags}
        </Link>
      </li>
    </ul>
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
