import { Bell } from 'lucide-react'
import type { ComponentPropsWithRef } from 'react'
import { useTexts } from '../text/texts.tsx'
import { LightIconButton } from '../ui/form/light-button.tsx'
import { useIdleOnce } from '../ui/loading/use-idle-once.ts'
import styles from './bell.module.css'
import { useNotifications } from './use-notifications.ts'

/** Maximum displayed number. Larger numbers appear as `9+`. */
const MAX_SHOWN = 9

/** Bell with the number of unread notifications, also in its accessible name. */
export function BellButton(props: ComponentPropsWithRef<'button'>) {
  const t = useTexts()
  const unread = useNotifications(1, useIdleOnce()).data?.unread ?? 0
  const name = t.bell.name(unread)
  return (
    <LightIconButton {...props} className={styles.bell} aria-label={name} title={name}>
      <Bell size={18} aria-hidden="true" />
      {unread > 0 && (
        <span className={styles.count} aria-hidden="true">
          {unread > MAX_SHOWN ? `${MAX_SHOWN}+` : unread}
        </span>
      )}
    </LightIconButton>
  )
}
