import { ChevronDown } from 'lucide-react'
import { useTexts } from '../../text/texts.tsx'
import { InitialsAvatar } from '../../ui/page/initials-avatar.tsx'
import styles from './account.module.css'

/** Initials and name of the logged-in user; only the initials in narrow windows. */
export function AccountLabel({ name }: { name: string }) {
  const t = useTexts()
  return (
    <span className={styles.account}>
      <InitialsAvatar name={name} />
      <span className={styles.name}>
        <span className={styles.hidden}>{t.nav.account}: </span>
        {name}
      </span>
      <ChevronDown size={14} aria-hidden="true" className={styles.arrow} />
    </span>
  )
}
