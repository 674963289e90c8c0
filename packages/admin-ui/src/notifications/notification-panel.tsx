import { Popover } from '@mantine/core'
import { type RefObject, useCallback, useEffect, useId, useRef } from 'react'
import { NOTIFICATION_PANEL } from '../shell/overlays.ts'
import { BellButton } from './bell-button.tsx'
import { NotificationList } from './notification-list.tsx'
import styles from './notifications.module.css'

/** Bell with a panel of other users' changes that concern the current user. */
export function NotificationPanel({ isOpen, close }: { isOpen: boolean; close: () => void }) {
  const titleId = useId()
  const bell = useRef<HTMLButtonElement>(null)
  const giveBack = useFocusReturn(isOpen, bell)
  return (
    <Popover
      opened={isOpen}
      onChange={(open) => NOTIFICATION_PANEL.show(open)}
      position="bottom-end"
      width="calc(min(440px, 100vw - 16px))"
      shadow="md"
      trapFocus
      transitionProps={{ duration: 120 }}
      // if the focus is inside the panel, the focused element disappears together with the panel
      onExitTransitionEnd={giveBack}
    >
      <Popover.Target>
        <BellButton ref={bell} onClick={() => NOTIFICATION_PANEL.show(!isOpen)} />
      </Popover.Target>
      <Popover.Dropdown className={styles.panel ?? ''} aria-labelledby={titleId}>
        <NotificationList titleId={titleId} close={close} />
      </Popover.Dropdown>
    </Popover>
  )
}

/**
 * Moves the focus back to the bell when the panel closes. Returns a function that does the same. By then, the bell may
 * be a different element than when the panel was opened. Leaves the focus unchanged if the user has moved the focus out
 * of the panel.
 */
function useFocusReturn(isOpen: boolean, bell: RefObject<HTMLButtonElement | null>): () => void {
  const wasOpen = useRef(isOpen)
  const giveBack = useCallback(() => {
    const active = document.activeElement
    if (active === null || active === document.body || active.closest('[role="dialog"]') !== null) bell.current?.focus()
  }, [bell])
  useEffect(() => {
    if (wasOpen.current && !isOpen) giveBack()
    wasOpen.current = isOpen
  }, [isOpen, giveBack])
  return giveBack
}
