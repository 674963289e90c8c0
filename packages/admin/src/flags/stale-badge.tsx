import type { FeatureListItem } from '@burgee/protocol/admin-feature'
import { Badge } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { FEATURE_TYPES } from '../api/queries.ts'
import { useFormat, useTexts } from '../text/texts.tsx'
import { useIdleOnce } from '../ui/loading/use-idle-once.ts'
import styles from './flags.module.css'

type Aging = Pick<FeatureListItem, 'type' | 'stale' | 'potentiallyStale'>

/** Whether a flag has outlived its type, and nobody has marked it as stale since. */
export const isOverdue = ({ stale, potentiallyStale }: Aging): boolean => potentiallyStale && !stale

/** Says of a flag that it is stale, or may be since it has outlived its type; nothing of others. */
export function StaleBadge({ flag, size = 'md' }: { flag: Aging; size?: 'sm' | 'md' }) {
  const t = useTexts()
  if (isOverdue(flag)) return <OverdueBadge type={flag.type} size={size} />
  return flag.stale && <YellowBadge size={size}>{t.flags.stale}</YellowBadge>
}

function OverdueBadge({ type, size }: { type: string; size: 'sm' | 'md' }) {
  const t = useTexts()
  return (
    <YellowBadge size={size} title={useLifetime(type)}>
      {t.list['potentially-stale']}
    </YellowBadge>
  )
}

interface BadgeProps {
  readonly size: 'sm' | 'md'
  readonly title?: string | undefined
  readonly children: string
}

const BADGE = `mantine-Badge-root ${Badge.classes.root} ${styles.badge}`

/** A badge of the library's look, of as few elements: many rows have one. */
function YellowBadge({ size, title, children }: BadgeProps) {
  return (
    <div className={BADGE} data-size={size} title={title}>
      <span className={Badge.classes.label}>{children}</span>
    </div>
  )
}

/** What a type means for the age of its flags, for whoever chooses one; undefined as long as that is not known. */
export function useTypeMeaning(type: string): string | undefined {
  const t = useTexts()
  const lifetime = useLifetime(type)
  const { data } = useQuery(FEATURE_TYPES)
  const known = data?.find(({ id }) => id === type)
  return lifetime ?? (known && t.list.forever(t.types[type] ?? type))
}

/** How long flags of a type are meant to live, for people to read; undefined where that is for ever, or not known yet. */
export function useLifetime(type: string): string | undefined {
  const t = useTexts()
  const { number } = useFormat()
  const { data } = useQuery({ ...FEATURE_TYPES, enabled: useIdleOnce() })
  const days = data?.find(({ id }) => id === type)?.lifetimeDays ?? null
  return days === null ? undefined : t.list.lifetime(t.types[type] ?? type, days, number(days))
}
