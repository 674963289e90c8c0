import type { FlagState, PromotedPart } from '@burgee/protocol/administration/promotion'
import { STRATEGY_TEXTS } from '../strategy/texts.ts'
import { useSegmentName } from '../strategy/use-segment-name.ts'
import { useCatalogue } from '../text/texts.tsx'
import styles from './promotion.module.css'
import { describeParts, type Line } from './state-text.ts'
import { PROMOTION_TEXTS } from './texts.ts'

interface Props {
  readonly feature: string
  readonly left: FlagState
  readonly right: FlagState
  readonly parts: readonly PromotedPart[]
  /** Names of the two sides. */
  readonly terms: readonly [left: string, right: string]
  /** True if the left side is the state before a change, and the right side is the state after it. */
  readonly isChange?: boolean
}

/** Parts of a flag on both sides, described in sentences. */
export function PartComparison({ feature, left, right, parts, terms, isChange = false }: Props) {
  const own = useCatalogue(PROMOTION_TEXTS)
  const words = useCatalogue(STRATEGY_TEXTS)
  const segmentName = useSegmentName()
  return (
    <dl className={styles.parts}>
      {describeParts(left, right, parts, { own, words, segmentName, feature }).map((one) => (
        <div key={one.part} className={styles.part}>
          <dt>{own.parts[one.part]}</dt>
          <PartSide term={terms[0]} lines={one.left} tone={isChange ? 'removed' : 'other'} />
          <PartSide term={terms[1]} lines={one.right} tone={isChange ? 'added' : 'other'} />
        </div>
      ))}
    </dl>
  )
}

function PartSide({ term, lines, tone }: { term: string; lines: readonly Line[]; tone: string }) {
  const t = useCatalogue(PROMOTION_TEXTS)
  const shown = lines.length > 0 ? lines : [{ text: t.none, isSame: false }]
  return (
    <dd className={styles.side}>
      <span className={styles.term}>{term}</span>
      {shown.map(({ text, isSame }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: sentences have no id and can be equal
        <div key={index} className={styles.line} data-tone={isSame ? undefined : tone}>
          {text}
        </div>
      ))}
    </dd>
  )
}
