import { Skeleton } from '@mantine/core'
import { useTexts } from '../text/texts.tsx'
import { useIsNarrow } from './flag-columns.ts'
import styles from './flags.module.css'
import { useRowHeight } from './row-height.ts'

/** Widths of the placeholders for names. */
const NAME_WIDTHS = ['34%', '26%', '40%', '30%', '37%', '24%', '32%', '28%']

/** Placeholder for the list, with a heading and rows that are as high as those of the table. */
export function TableSkeleton() {
  const t = useTexts()
  const height = useRowHeight()
  const isNarrow = useIsNarrow()
  return (
    <div className={styles.skeleton} role="status" aria-label={t.common.loading}>
      {!isNarrow && <div className={styles.skeletonHead} />}
      {NAME_WIDTHS.map((width) => (
        <div key={width} className={styles.skeletonRow} style={{ height }}>
          <Skeleton height={14} width={width} />
        </div>
      ))}
    </div>
  )
}
