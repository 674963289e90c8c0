import type { FeatureListItem } from '@burgee/protocol/admin-feature'
import { Badge } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { FEATURE_TYPES } from '../api/queries.ts'
import { useFormat, useTexts } from '../text/texts.tsx'
import { useIdleOnce } from '../ui/loading/use-idle-once.ts'
import styles from './flags.module.css'

type Aging = Pick<FeatureListItem, 'type' | 'stale' | 'potentiallyStale'>

/** Returns true if a flag has exceeded its type's lifetime and is not marked as stale. */
export const isOverdue = ({ stale, potentiallyStale }: Aging): boolean => potentiallyStale && !stale

/** Badge of a stale or potentially stale flag. Renders nothing for other flags. */
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

/** Badge that looks like the library's badge but has fewer elements, because many rows contain this badge. */
function YellowBadge({ size, title, children }: BadgeProps) {
  return (
    <div className={BADGE} data-size={size} title={title}>
      <span className={Badge.classes.label}>{children}</span>
    </div>
  )
}

/** Describes what a flag type means for the age of its flags; undefined until the types are loaded. */
export function useTypeMeaning(type: string): string | undefined {
  const t = useTexts()
  const lifetime = useLifetime(type)
  const { data } = useQuery(FEATURE_TYPES)
  const known = data?.find(({ id }) => id === type)
  return lifetime ?? (known && t.list.forever(t.types[type] ?? type))
}

/**
 * Describes how long flags of a type are expected to live; undefined if the lifetime is unlimited or not loaded yet.
 */
export function useLifetime(type: string): string | undefined {
  const t = useTexts()
  const { number } = useFormat()
  const { data } = useQuery({ ...FEATURE_TYPES, enabled: useIdleOnce() })
  const days = data?.find(({ id }) => id === type)?.lifetimeDays ?? null
  return days === null ? undefined : t.list.lifetime(t.types[type] ?? type, days, number(days))
}
