import { useFormat, useTexts } from '../../text/texts.tsx'
import styles from '../maintenance/maintenance.module.css'
import { useConnectionLoss } from './use-connection-loss.ts'

/** Bar on every page while the server does not answer, with the time of the data that the page shows. */
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
