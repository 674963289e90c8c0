import { useFormat, useTexts } from '../../text/texts.tsx'
import styles from '../maintenance/maintenance.module.css'
import { useConnectionLoss } from './use-connection-loss.ts'

/**
 * Bar on every page that is shown while the server does not answer, with the time at which the displayed data was
 * fetched.
 */
export function ConnectionBar() {
  const t = useTexts()
  const { clock } = useFormat()
  const lostSince = useConnectionLoss()
  if (lostSince === undefined) return null
  return (
    <p className={styles.banner} role="status">
      {t.errors.reconnecting(clock(lostSince.toISOString()))}
    </p>
  )
}
