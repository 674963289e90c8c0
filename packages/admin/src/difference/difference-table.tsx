import { useCatalogue, useTexts } from '../text/texts.tsx'
import ui from '../ui/ui.module.css'
import styles from './difference.module.css'
import { type Difference, shown } from './difference.ts'
import { DIFFERENCE_TEXTS } from './texts.ts'

interface Props {
  readonly changes: readonly Difference[]
  /** Headings of the two columns; "Before" and "After" by default. */
  readonly before?: string
  readonly after?: string
}

/** Table of differences between two states, side by side. */
export function DifferenceTable({ changes, before, after }: Props) {
  const t = useTexts()
  const words = useCatalogue(DIFFERENCE_TEXTS)
  return (
    // biome-ignore lint/a11y/useSemanticElements: a scrolling table is not a fieldset
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to focus a scrolling region
    <div className={ui.scroller} tabIndex={0} role="group" aria-label={words.changes}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{t.common.name}</th>
            <th scope="col">{before ?? words.before}</th>
            <th scope="col">{after ?? words.after}</th>
          </tr>
        </thead>
        <tbody>
          {changes.map((change) => (
            <tr key={change.path}>
              <th scope="row">{change.path}</th>
              <td className={isNothing(change.before) ? undefined : styles.removed}>{shown(change.before)}</td>
              <td className={isNothing(change.after) ? undefined : styles.added}>{shown(change.after)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const isNothing = (value: unknown): boolean => value === undefined || value === null
