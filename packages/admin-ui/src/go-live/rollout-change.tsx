import { listEnabledStrategies } from '../impact/edit-effect.ts'
import { RolloutBar } from '../strategy/rollout-bar.tsx'
import { useCatalogue, useFormat } from '../text/texts.tsx'
import { type EditedSide, getLargestShare } from './flag-edit.ts'
import styles from './go-live.module.css'
import { GO_LIVE_TEXTS } from './texts.ts'

interface Props {
  readonly before: EditedSide
  readonly after: EditedSide
  /** True if the change was made, so that the state before it is no longer current. */
  readonly isPast?: boolean
}

/** Bars that show the rollout before and after a change. Renders nothing if a strategy has no percentage. */
export function RolloutChange({ before, after, isPast = false }: Props) {
  const t = useCatalogue(GO_LIVE_TEXTS)
  if (getLargestShare(before) === undefined || getLargestShare(after) === undefined) return null
  return (
    <dl className={styles.bars}>
      <Bar term={isPast ? t.before : t.now} side={before} />
      <Bar term={t.after} side={after} from={before} />
    </dl>
  )
}

interface BarProps {
  readonly term: string
  readonly side: EditedSide
  /**
   * State with which the displayed state is compared. Buckets that have been added or removed compared with it are
   * marked.
   */
  readonly from?: EditedSide
}

function Bar({ term, side, from = side }: BarProps) {
  const t = useCatalogue(GO_LIVE_TEXTS)
  const { number } = useFormat()
  const share = getDisplayedShare(side)
  const serving = listEnabledStrategies(side)
  const isUpperBound =
    serving.length > 1 || serving.some(({ constraints, segments }) => constraints.length > 0 || segments.length > 0)
  const text = t.share(number(share))
  const shown = isUpperBound && share > 0 ? t.upTo(text) : text
  return (
    <>
      <dt>{term}</dt>
      <dd>
        <span className={styles.picture} aria-hidden="true">
          <RolloutBar percent={share} before={getDisplayedShare(from)} />
        </span>
        <span className={styles.share}>{side.isOn ? shown : t.off}</span>
      </dd>
    </>
  )
}

const getDisplayedShare = (side: EditedSide): number => (side.isOn ? (getLargestShare(side) ?? 0) : 0)
