import { useLocation } from '@tanstack/react-router'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { NOTIFICATION_PANEL } from '../shell/overlays.ts'
import { lazyDialog } from '../ui/loading/lazy-part.tsx'
import { BellButton } from './bell-button.tsx'

const NotificationPanel = lazyDialog<{ isOpen: boolean; close: () => void }>(
  'NotificationPanel',
  async () => (await import('./notification-panel.tsx')).NotificationPanel,
)

const close = (): void => NOTIFICATION_PANEL.show(false)

/** Bell in the page header with the number of unread notifications. The panel of the bell is loaded on first use. */
export function NotificationBell() {
  const isOpen = useSyncExternalStore(NOTIFICATION_PANEL.subscribe, NOTIFICATION_PANEL.isOpen)
  const [isWanted, setWanted] = useState(isOpen)
  const { pathname } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: navigation closes the overlays of the previous page
  useEffect(close, [pathname])
  if (isOpen && !isWanted) setWanted(true)
  const button = (
    <BellButton aria-haspopup="dialog" aria-expanded={false} onClick={() => NOTIFICATION_PANEL.show(true)} />
  )
  return isWanted ? <NotificationPanel fallback={button} isOpen={isOpen} close={close} /> : button
}
