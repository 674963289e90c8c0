import { Skeleton } from '@mantine/core'
import { useTexts } from '../text/texts.tsx'
import styles from './page-skeleton.module.css'

/** Skeleton of the whole UI that appears on slow connections until the logged-in user's data is loaded. */
export function AppSkeleton() {
  const t = useTexts()
  return (
    <div role="status" aria-label={t.common.loading}>
      <div className={styles.head}>
        <Skeleton height={24} width={120} />
      </div>
      <div className={styles.content}>
        <Skeleton height={28} width={180} />
        <Skeleton height={36} mt="lg" />
        <Skeleton height={320} mt="sm" />
      </div>
    </div>
  )
}

/** Page skeleton within the frame, shown while the code of a page is loading. */
export function PageSkeleton() {
  const t = useTexts()
  return (
    <div className={styles.content} role="status" aria-label={t.common.loading}>
      <Skeleton height={28} width={180} />
      <Skeleton height={320} mt="lg" />
    </div>
  )
}
