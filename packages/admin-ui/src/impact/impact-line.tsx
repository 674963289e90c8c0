import type { FlagEdit, Impact } from '@burgee/protocol/administration/impact'
import { Link } from '@tanstack/react-router'
import type { FlagEnvironment } from '../api/flags.ts'
import { usePermissionCheck } from '../shell/session/session.tsx'
import { useCatalogue, useFormat } from '../text/texts.tsx'
import ui from '../ui/ui.module.css'
import styles from './impact.module.css'
import { IMPACT_TEXTS } from './texts.ts'
import { useImpact } from './use-impact.ts'

interface Props {
  readonly place: FlagEnvironment
  /** Edit that would be saved. */
  readonly edit: FlagEdit
  /** True if the edit is valid and can be saved. */
  readonly isReady: boolean
  /** Effect that is known without traffic samples; undefined until the flag is loaded. */
  readonly sentence: string | undefined
}

/** Permission for traffic sampling. */
const SAMPLING_PERMISSION = 'ADMIN'

/**
 * Line next to the Save button with the effect of an edit: in general and, with traffic sampling, for recent traffic.
 */
export function ImpactLine({ place, edit, isReady, sentence }: Props) {
  const t = useCatalogue(IMPACT_TEXTS)
  const impact = useImpact(place, edit, isReady)
  const maySample = usePermissionCheck()(SAMPLING_PERMISSION)
  const isSampled = impact?.sampling === true
  return (
    <section className={styles.line} aria-label={t.label}>
      <div role="status" className={styles.said}>
        {isSampled && <ImpactFigure impact={impact} />}
        {isReady && sentence !== undefined && <p>{sentence}</p>}
        {isSampled && <Source impact={impact} />}
      </div>
      {impact?.sampling === false && maySample && (
        <Link
          to="/environments"
          search={{ edit: place.environment }}
          target="_blank"
          className={`${ui.link ?? ''} ${styles.more ?? ''}`}
        >
          {t.sample}
        </Link>
      )}
    </section>
  )
}

/** Number of recent evaluations that an edit would change. */
export function ImpactFigure({ impact }: { impact: Impact }) {
  const t = useCatalogue(IMPACT_TEXTS)
  const { number } = useFormat()
  return (
    <p className={styles.figure} data-tone={getTone(impact)}>
      {t.figure(impact, number)}
    </p>
  )
}

/** Source and limits of the figures. */
function Source({ impact }: { impact: Impact }) {
  const t = useCatalogue(IMPACT_TEXTS)
  const { time } = useFormat()
  const { offToOn, onToOff, otherVariant, from } = impact
  if (from === null) return null
  const isFew = [offToOn, onToOff, otherVariant].includes(null)
  return <p className={styles.more}>{[...(isFew ? [t.few] : []), t.seen(time(from))].join(' ')}</p>
}

/** Returns whether users are added, removed, or both. */
function getTone({ offToOn, onToOff }: Impact): 'added' | 'removed' | 'both' | undefined {
  if (offToOn !== 0) return onToOff === 0 ? 'added' : 'both'
  return onToOff === 0 ? undefined : 'removed'
}
