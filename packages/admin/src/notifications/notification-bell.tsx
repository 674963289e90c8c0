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

/** The bell in the frame: how much is new; its panel comes when it is first asked for. */
export function NotificationBell() {
  const isOpen = useSyncExternalStore(NOTIFICATION_PANEL.subscribe, NOTIFICATION_PANEL.isOpen)
  const [isWanted, setWanted] = useState(isOpen)
  const { pathname } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new page closes what lies over the old one
  useEffect(close, [pathname])
  if (isOpen && !isWanted) setWanted(true)
  const button = (
    <BellButton aria-haspopup="dialog" aria-expanded={false} onClick={() => NOTIFICATION_PANEL.show(true)} />
  )
  return isWanted ? <NotificationPanel fallback={button} isOpen={isOpen} close={close} /> : button
}
