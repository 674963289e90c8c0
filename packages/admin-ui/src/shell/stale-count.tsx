import { useQuery } from '@tanstack/react-query'
import { fetchStaleCount } from '../api/bulk.ts'
import { useFormat } from '../text/texts.tsx'
import { useIdleOnce } from '../ui/loading/use-idle-once.ts'
import styles from './frame.module.css'

/** Number of the project's flags that can be removed. Renders nothing if zero or unknown. */
export function StaleCount({ project }: { project: string }) {
  const { number } = useFormat()
  const { data } = useQuery({
    queryKey: ['stale', 'count', project],
    queryFn: () => fetchStaleCount(project),
    staleTime: 60_000,
    retry: false,
    enabled: useIdleOnce(),
  })
  if (data === undefined || data.total === 0) return null
  return <span className={styles.count}> {number(data.total)}</span>
}
