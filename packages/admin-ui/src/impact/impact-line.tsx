import type { FlagEdit, Impact } from '@burgee/protocol/administration/impact'
import type { FlagEnvironment } from '../api/flags.ts'
import { useCatalogue, useFormat } from '../text/texts.tsx'
import styles from './impact.module.css'
import { RecentImpact } from './recent-impact.tsx'
import { IMPACT_TEXTS } from './texts.ts'
import { useImpact } from './use-impact.ts'

interface Props {
  readonly place: FlagEnvironment
  /** Edit whose effect is shown. */
  readonly edit: FlagEdit
  /** True if the edit is valid and can be saved. */
  readonly isReady: boolean
  /** Effect that can be determined without traffic samples; undefined until the flag is loaded. */
  readonly sentence: string | undefined
}

/**
 * Line next to the Save button that describes the effect of an edit: in general and, with traffic sampling, on recent
 * traffic.
 */
export function ImpactLine({ place, edit, isReady, sentence }: Props) {
  const t = useCatalogue(IMPACT_TEXTS)
  const impact = useImpact(place, edit, isReady)
  const isSampled = impact?.sampling === true
  return (
    <section className={styles.line} aria-label={t.label}>
      <div role="status" className={styles.said}>
        {isSampled && <RecentImpact environment={place.environment} impact={impact} />}
        {isReady && sentence !== undefined && <p>{sentence}</p>}
        {isSampled && <Source impact={impact} />}
      </div>
      {!isSampled && <RecentImpact environment={place.environment} impact={impact} />}
    </section>
  )
}

/** Explanation of the origin and the limits of the figures. */
function Source({ impact }: { impact: Impact }) {
  const t = useCatalogue(IMPACT_TEXTS)
  const { time } = useFormat()
  const { offToOn, onToOff, otherVariant, from } = impact
  if (from === null) return null
  const isFew = [offToOn, onToOff, otherVariant].includes(null)
  return <p className={styles.more}>{[...(isFew ? [t.few] : []), t.seen(time(from))].join(' ')}</p>
}
