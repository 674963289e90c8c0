import { Checkbox } from '@mantine/core'
import { useFormat, useTexts } from '../../text/texts.tsx'
import styles from '../flags.module.css'
import type { FlagUsage } from './flag-usage.ts'

const MAX_ROWS = 12

interface Props {
  readonly usages: readonly FlagUsage[]
  readonly includesUsed: boolean
  readonly includeUsed: (isIncluded: boolean) => void
}

/** Flags to be archived, with the time of their last evaluation. Flags that code still evaluates come first, in red. */
export function ArchiveUsage({ usages, includesUsed, includeUsed }: Props) {
  const t = useTexts()
  const { number } = useFormat()
  const used = usages.filter(({ isUsed }) => isUsed).length
  const rest = usages.length - MAX_ROWS
  const isMixed = used > 0 && used < usages.length
  return (
    <div className={styles.summary} role="status">
      <ul>
        {usages.slice(0, MAX_ROWS).map((usage) => (
          <Usage key={usage.flag.name} usage={usage} isKept={isMixed && !includesUsed && usage.isUsed} />
        ))}
        {rest > 0 && <li>{t.bulk.andMore(number(rest))}</li>}
      </ul>
      {isMixed && (
        <Checkbox
          mt="sm"
          label={t.bulk.includeUsed(used, number(used))}
          checked={includesUsed}
          onChange={(event) => includeUsed(event.currentTarget.checked)}
        />
      )}
    </div>
  )
}

interface UsageProps {
  readonly usage: FlagUsage
  /** True if the flag will not be archived. */
  readonly isKept: boolean
}

function Usage({ usage: { flag, evaluations, isUsed }, isKept }: UsageProps) {
  const t = useTexts()
  const { ago, number } = useFormat()
  const seen = flag.lastSeenAt === null ? t.bulk.neverEvaluated : t.bulk.lastEvaluated(ago(flag.lastSeenAt))
  const count = evaluations === undefined || evaluations === 0 ? [] : [t.bulk.evaluations(number(evaluations))]
  return (
    <li data-used={isUsed || undefined}>
      <strong>{flag.name}</strong> {[seen, ...count, ...(isKept ? [t.bulk.kept] : [])].join(', ')}
    </li>
  )
}
