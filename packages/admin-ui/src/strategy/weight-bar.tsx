import { useTexts } from '../text/texts.tsx'
import styles from './strategy.module.css'
import { STRATEGY_TEXTS } from './texts.ts'

interface WeightShare {
  readonly name: string
  readonly weight: number
}

/** Bar with the weights of variants, each with its name and percentage. */
export function WeightBar({ variants }: { variants: readonly WeightShare[] }) {
  const t = useTexts(STRATEGY_TEXTS)
  const total = Math.max(
    1,
    variants.reduce((sum, { weight }) => sum + weight, 0),
  )
  return (
    <ul className={styles.weights} aria-label={t.strategy.weights}>
      {variants.map(({ name, weight }, index) => (
        <li
          // biome-ignore lint/suspicious/noArrayIndexKey: names can be equal while the user types
          key={index}
          className={styles.weight}
          data-tone={index % 6}
          style={{ flexGrow: weight / total, flexBasis: 0 }}
        >
          {name} {t.sentence.share(weight / 10)}
        </li>
      ))}
    </ul>
  )
}
