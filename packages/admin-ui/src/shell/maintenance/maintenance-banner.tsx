import { useQuery } from '@tanstack/react-query'
import { useCatalogue } from '../../text/texts.tsx'
import { useIdleOnce } from '../../ui/loading/use-idle-once.ts'
import styles from './maintenance.module.css'
import { MAINTENANCE } from './maintenance-query.ts'
import { MAINTENANCE_TEXTS } from './texts.ts'

/** Banner on every page during maintenance mode. */
export function MaintenanceBanner() {
  const t = useCatalogue(MAINTENANCE_TEXTS)
  const { data = false } = useQuery({ ...MAINTENANCE, enabled: useIdleOnce() })
  return (
    data && (
      <p className={styles.banner} role="status">
        {t.banner}
      </p>
    )
  )
}
