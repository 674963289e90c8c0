import { useCatalogue, useTexts } from '../text/texts.tsx'
import ui from '../ui/ui.module.css'
import styles from './diff.module.css'
import { type Difference, formatValue } from './diff.ts'
import { DIFF_TEXTS } from './texts.ts'

interface Props {
  readonly changes: readonly Difference[]
  /** Headings of the two columns; defaults to "Before" and "After". */
  readonly before?: string
  readonly after?: string
  /** Returns a human-readable name for a path. Defaults to the path itself. */
  readonly getName?: (path: string) => string
}

/** Table that shows two states side by side where they differ. */
export function DiffTable({ changes, before, after, getName = (path) => path }: Props) {
  const t = useTexts()
  const words = useCatalogue(DIFF_TEXTS)
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
              <th scope="row">{getName(change.path)}</th>
              <td className={isNullish(change.before) ? undefined : styles.removed}>{formatValue(change.before)}</td>
              <td className={isNullish(change.after) ? undefined : styles.added}>{formatValue(change.after)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const isNullish = (value: unknown): boolean => value === undefined || value === null
