import type { FlagState, PromotedPart } from '@burgee/protocol/administration/promotion'
import { getAudience, summarizeAudience } from '../strategy/audience-summary.ts'
import { AUDIENCE_TEXTS } from '../strategy/audience-texts.ts'
import { useSegmentName } from '../strategy/use-segment-name.ts'
import { useCatalogue } from '../text/texts.tsx'
import styles from './promotion.module.css'
import { PROMOTION_TEXTS } from './texts.ts'

interface Props {
  readonly environment: string
  readonly state: FlagState
  /** Parts that differ between the two environments. Only differing parts are marked. */
  readonly differences: readonly PromotedPart[]
}

/** State of a flag in one environment in a few words: on or off, who gets it, and its variants. */
export function StateCell({ environment, state: { enabled, strategies, variants }, differences }: Props) {
  const t = useCatalogue(PROMOTION_TEXTS)
  const audience = useCatalogue(AUDIENCE_TEXTS)
  const segmentName = useSegmentName()
  const who =
    strategies.length === 0 ? t.noStrategies : summarizeAudience(audience, getAudience(strategies, segmentName))
  const mark = (part: PromotedPart) => (differences.includes(part) ? true : undefined)
  return (
    <div className={styles.state} data-on={enabled || undefined}>
      <span className={styles.term}>{environment}</span>
      <span className={styles.dot} aria-hidden="true" />
      <span data-differs={mark('enabled')}>{enabled ? t.on : t.off}</span>
      <span data-differs={mark('strategies')}>{who}</span>
      {variants.length > 0 && <span data-differs={mark('variants')}>{t.variants(variants.length)}</span>}
    </div>
  )
}
