import { Kbd } from '@mantine/core'
import { Link, Outlet, useLocation } from '@tanstack/react-router'
import { Menu, PanelLeft, Search } from 'lucide-react'
import { useEffect, useState } from 'react'
import { NotificationBell } from '../notifications/notification-bell.tsx'
import { useTexts } from '../text/texts.tsx'
import { LightButton, LightIconButton } from '../ui/form/light-button.tsx'
import { lazyPart } from '../ui/loading/lazy-part.tsx'
import { POPOVER_CONTAINER_ID } from '../ui/style/theme.ts'
import { ConnectionBar } from './connection/connection-bar.tsx'
import styles from './frame.module.css'
import { MainNav } from './main-nav.tsx'
import { MaintenanceBanner } from './maintenance/maintenance-banner.tsx'
import { SETTINGS_PATHS } from './nav.ts'
import { PALETTE } from './overlays.ts'
import { AccountButton } from './session/account-button.tsx'
import { usePageFocus } from './use-page-focus.ts'

const SettingsNav = lazyPart('SettingsNav', async () => (await import('./settings/settings-nav.tsx')).SettingsNav)

/** Frame of every page with logo, project, search, account and navigation. */
export function Frame() {
  const t = useTexts()
  const [isOpen, setOpen] = useState(false)
  const [isCollapsed, collapse] = useCollapsed()
  const { pathname } = useLocation()
  usePageFocus(pathname)
  // biome-ignore lint/correctness/useExhaustiveDependencies: navigation closes the overlays of the previous page
  useEffect(() => {
    setOpen(false)
    if (PALETTE.isOpen()) PALETTE.show(false)
  }, [pathname])
  return (
    <div className={styles.frame} data-collapsed={isCollapsed || undefined}>
      <a className={styles.skip} href={`${pathname}#content`} onClick={focusContent}>
        {t.common.skipToContent}
      </a>
      <header className={styles.head}>
        <LightIconButton
          className={styles.menuButton}
          aria-label={t.nav.menu}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          <Menu size={18} aria-hidden="true" />
        </LightIconButton>
        <Link to="/" className={styles.brand ?? ''} aria-label="Burgee">
          <Logo />
          <span className={styles.brandText}>Burgee</span>
        </Link>
        <span className={styles.grow} />
        <SearchButton />
        <NotificationBell />
        <AccountButton />
      </header>
      <nav className={styles.nav} aria-label={t.nav.label} data-open={isOpen || undefined}>
        {SETTINGS_PATHS.test(pathname) ? (
          <SettingsNav isCollapsed={isCollapsed} />
        ) : (
          <MainNav isCollapsed={isCollapsed} />
        )}
        <FoldButton isCollapsed={isCollapsed} collapse={collapse} />
      </nav>
      <main className={styles.main} id="content" tabIndex={-1}>
        <ConnectionBar />
        <MaintenanceBanner />
        <Outlet />
        <div id={POPOVER_CONTAINER_ID} />
      </main>
    </div>
  )
}

function SearchButton() {
  const t = useTexts()
  return (
    <LightButton
      className={styles.search}
      left={<Search size={16} aria-hidden="true" />}
      onClick={() => PALETTE.show(true)}
      right={
        <span className={`${Kbd.classes.root} ${styles.hint}`} aria-hidden="true">
          Ctrl K
        </span>
      }
    >
      <span className={styles.searchText}>{t.nav.search}</span>
    </LightButton>
  )
}

function FoldButton({ isCollapsed, collapse }: { isCollapsed: boolean; collapse: (is: boolean) => void }) {
  const t = useTexts()
  return (
    <button
      type="button"
      className={styles.fold}
      aria-pressed={isCollapsed}
      aria-label={t.nav.fold}
      title={t.nav.fold}
      onClick={() => collapse(!isCollapsed)}
    >
      <PanelLeft size={17} strokeWidth={1.9} aria-hidden="true" />
    </button>
  )
}

const STORAGE_KEY = 'burgee-folded'

/** Returns whether the menu is collapsed to icons, and a function that changes this. The browser stores the setting. */
function useCollapsed(): [boolean, (is: boolean) => void] {
  const [is, set] = useState(() => localStorage.getItem(STORAGE_KEY) === 'yes')
  const collapse = (next: boolean): void => {
    localStorage.setItem(STORAGE_KEY, next ? 'yes' : 'no')
    set(next)
  }
  return [is, collapse]
}

function focusContent(event: { preventDefault(): void }): void {
  event.preventDefault()
  document.getElementById('content')?.focus()
}

/** Logo: a flag on a pole. */
export function Logo() {
  return (
    <svg width="24" height="24" viewBox="0 0 32 32" aria-hidden="true">
      <path d="M6 3v27" stroke="currentColor" strokeWidth="3" strokeLinecap="round" />
      <path d="M7.5 5h19l-6 6.5 6 6.5h-19z" fill="#0f8f78" />
    </svg>
  )
}
