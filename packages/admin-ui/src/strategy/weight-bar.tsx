import { useTexts } from '../text/texts.tsx'
import styles from './strategy.module.css'
import { STRATEGY_TEXTS } from './texts.ts'

const TONES = 6

interface WeightShare {
  readonly name: string
  readonly weight: number
}

/**
 * Bar that shows the weights of variants, above a list of their names and percentages. The list is readable even if a
 * segment of the bar is very small.
 */
export function WeightBar({ variants }: { variants: readonly WeightShare[] }) {
  const t = useTexts(STRATEGY_TEXTS)
  // Segments are identified by position, because names can be equal while the user is typing.
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
