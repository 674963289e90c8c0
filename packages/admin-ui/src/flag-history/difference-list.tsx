import type { FlagDifference, SegmentSnapshot } from '@burgee/protocol/administration/flag-history'
import { findDifferences, isMeaningful } from '../diff/diff.ts'
import { DiffTable } from '../diff/diff-table.tsx'
import { FLAG_TEXTS } from '../flag/texts.ts'
import { EnvironmentChip } from '../shell/environment/environment-chip.tsx'
import { STRATEGY_TEXTS } from '../strategy/texts.ts'
import { useCatalogue, useTexts } from '../text/texts.tsx'
import { describeDifference } from './difference-text.ts'
import styles from './flag-history.module.css'
import { HISTORY_TEXTS } from './texts.ts'

interface Props {
  readonly changes: readonly FlagDifference[]
  /** Segments that existed at one of the two points in time, for looking up names by segment id. */
  readonly segments: readonly SegmentSnapshot[]
}

/** Differences between the states of a flag at two points in time, in sentences, grouped by environment. */
export function Differences({ changes, segments }: Props) {
  const t = useCatalogue(HISTORY_TEXTS)
  if (changes.length === 0) return <p className={styles.quiet}>{t.nothing}</p>
  const groups = Map.groupBy(changes, ({ environment }) => environment ?? '')
  return (
    <ul className={styles.groups} aria-label={t.changed}>
      {[...groups].map(([environment, own]) => (
        <li key={environment}>
          {environment === '' ? <strong>{t.whole}</strong> : <EnvironmentChip name={environment} />}
          <ul className={styles.differences}>
            {own.map((change, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the list is never reordered
              <DifferenceItem key={index} change={change} segments={segments} />
            ))}
          </ul>
        </li>
      ))}
    </ul>
  )
}

function DifferenceItem({ change, segments }: { change: FlagDifference; segments: Props['segments'] }) {
  const t = useTexts(FLAG_TEXTS)
  const own = useCatalogue(HISTORY_TEXTS)
  const words = useCatalogue(STRATEGY_TEXTS)
  const segmentName = (id: number): string => segments.find((one) => one.id === id)?.name ?? `#${id}`
  const telling = { own, words, parents: t.dependencies, types: t.types, segmentName }
  const { what, before, after } = describeDifference(change, telling)
  const isSaid =
    before.length + after.length > 0 || typeof change.after === 'boolean' || change.part === 'strategyOrder'
  return (
    <li>
      <span className={styles.what}>{what}</span>
      {before.map((line) => (
        <del key={line} className={styles.was}>
          {line}
        </del>
      ))}
      {after.map((line) => (
        <ins key={line} className={styles.is}>
          {line}
        </ins>
      ))}
      {!isSaid && <FullDifferences change={change} />}
    </li>
  )
}

/** Complete differences by path, including differences that no sentence mentions. */
function FullDifferences({ change: { before, after } }: { change: FlagDifference }) {
  const t = useCatalogue(HISTORY_TEXTS)
  return (
    <details className={styles.details}>
      <summary>{t.everything}</summary>
      <DiffTable changes={findDifferences(before, after).filter(isMeaningful)} />
    </details>
  )
}
