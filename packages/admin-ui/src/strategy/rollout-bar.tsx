import { useTexts } from '../text/texts.tsx'
import { AUDIENCE_TEXTS } from './audience-texts.ts'
import styles from './rollout-bar.module.css'
import { getBucketRanges } from './rollout-buckets.ts'
import { STRATEGY_TEXTS } from './texts.ts'

interface Props {
  /** Rollout percentage, which determines the included buckets. */
  readonly percent: number
  /** Percentage before the edit, so that changed buckets can be marked. */
  readonly before?: number | undefined
  readonly size?: 'sm' | 'lg'
}

/** Bar of 100 buckets. Shows which buckets are included, and which ones an edit adds or removes. */
export function RolloutBar({ percent, before = percent, size = 'sm' }: Props) {
  const { rollout: words } = useTexts(STRATEGY_TEXTS)
  const label = before === percent ? words.inFrom(percent) : words.change(before, percent)
  return (
    <div className={styles.bar} data-size={size} role="img" aria-label={label}>
      {getBucketRanges(before, percent).map(
        ({ kind, first, last }) =>
          kind !== 'out' && (
            <span key={kind} className={styles.part} data-kind={kind} style={{ width: `${last - first + 1}%` }} />
          ),
      )}
    </div>
  )
}

/** Bar of buckets, with the ranges described in words. */
export function RolloutPicture({ percent, before }: Pick<Props, 'percent' | 'before'>) {
  const { rollout: words } = useTexts(STRATEGY_TEXTS)
  const what = { in: words.stay, added: words.added, removed: words.removed, out: words.out }
  return (
    <figure className={styles.figure}>
      <RolloutBar percent={percent} before={before} size="lg" />
      <figcaption className={styles.legend}>
        {getBucketRanges(before ?? percent, percent).map(({ kind, first, last }) => (
          <span key={kind} className={styles.key} data-kind={kind}>
            {words.buckets(first, last)} {what[kind]}
          </span>
        ))}
      </figcaption>
    </figure>
  )
}

/** Bar that shows a strategy's percentage. */
export function RolloutRow({ percent }: { readonly percent: number }) {
  const { audience } = useTexts(AUDIENCE_TEXTS)
  return (
    <div className={styles.row}>
      <RolloutBar percent={percent} />
      <span aria-hidden="true">{audience.share(percent)}</span>
    </div>
  )
}
