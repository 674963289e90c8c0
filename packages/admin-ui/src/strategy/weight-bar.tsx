import { useTexts } from '../text/texts.tsx'
import styles from './strategy.module.css'
import { STRATEGY_TEXTS } from './texts.ts'

const TONES = 6

interface WeightShare {
  readonly name: string
  readonly weight: number
}

/**
 * Bar with the weights of variants, above a list of names and percentages. The list is readable even if a part of the
 * bar is small.
 */
export function WeightBar({ variants }: { variants: readonly WeightShare[] }) {
  const t = useTexts(STRATEGY_TEXTS)
  // Parts are identified by position, because names can be equal while the user types.
  const parts = variants.map((variant, index) => ({ ...variant, id: index, tone: index % TONES }))
  return (
    <div className={styles.weights}>
      <div className={styles.weightBar} aria-hidden="true">
        {parts.map(({ id, tone, weight }) => (
          <span key={id} className={styles.weightPart} data-tone={tone} style={{ flexGrow: weight }} />
        ))}
      </div>
      <ul className={styles.weightList} aria-label={t.strategy.weights}>
        {parts.map(({ id, tone, name, weight }) => (
          <li key={id} data-tone={tone}>
            {name} <strong>{t.sentence.share(weight / 10)}</strong>
          </li>
        ))}
      </ul>
    </div>
  )
}
