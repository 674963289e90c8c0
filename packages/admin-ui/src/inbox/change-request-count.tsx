import styles from '../shell/frame.module.css'
import { useFormat, useTexts } from '../text/texts.tsx'
import { useIdleOnce } from '../ui/loading/use-idle-once.ts'
import { useInbox } from './use-inbox.ts'

/** Number of change requests in all projects that await the user. Renders nothing if the number is zero or unknown. */
export function ChangeRequestCount() {
  const t = useTexts()
  const { number } = useFormat()
  const count = useInbox(useIdleOnce()).data?.requests.length ?? 0
  if (count === 0) return null
  return (
    <span className={styles.count} title={t.bell.waiting(count)}>
      {number(count)}
    </span>
  )
}
