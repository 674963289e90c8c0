import { listEnabledStrategies } from '../impact/edit-effect.ts'
import { useCatalogue, useFormat } from '../text/texts.tsx'
import { type EditedSide, getLargestShare } from './flag-edit.ts'
import styles from './go-live.module.css'
import { GO_LIVE_TEXTS } from './texts.ts'

interface Props {
  readonly before: EditedSide
  readonly after: EditedSide
}

/** Bars with the share of users before and after a change. Renders nothing if a strategy has no percentage. */
export function RolloutChange({ before, after }: Props) {
  const t = useCatalogue(GO_LIVE_TEXTS)
  if (getLargestShare(before) === undefined || getLargestShare(after) === undefined) return null
  return (
    <dl className={styles.bars}>
      <Bar term={t.now} side={before} />
      <Bar term={t.after} side={after} isAfter />
    </dl>
  )
}

function Bar({ term, side, isAfter = false }: { term: string; side: EditedSide; isAfter?: boolean }) {
  const t = useCatalogue(GO_LIVE_TEXTS)
  const { number } = useFormat()
  const share = getLargestShare(side) ?? 0
  const serving = listEnabledStrategies(side)
  const isUpperBound =
    serving.length > 1 || serving.some(({ constraints, segments }) => constraints.length > 0 || segments.length > 0)
  const text = t.share(number(share))
  const shown = isUpperBound && share > 0 ? t.upTo(text) : text
  return (
    <>
      <dt>{term}</dt>
      <dd>
        <span className={styles.track} aria-hidden="true">
          <span className={styles.fill} data-after={isAfter || undefined} style={{ inlineSize: `${share}%` }} />
        </span>
        <span className={styles.share}>{side.isOn ? shown : t.off}</span>
      </dd>
    </>
  )
}
