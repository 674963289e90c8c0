import { ComboboxChevron, Input } from '@mantine/core'
import styles from './light-field.module.css'

const WRAPPER = `${Input.classes.wrapper} ${styles.field} ${styles.select}`

interface Choice {
  readonly value: string
  readonly label: string
}

interface Props {
  /** Accessible label of the field. */
  readonly label: string
  readonly choices: readonly Choice[]
  readonly value: string
  readonly choose: (value: string) => void
}

/**
 * Select without a visible label that looks like the component library's select but has fewer elements, for the first
 * view of a page.
 */
export function LightSelect({ label, choices, value, choose }: Props) {
  return (
    <div className={WRAPPER} data-variant="default" data-with-right-section data-pointer>
      <select
        className={Input.classes.input}
        aria-label={label}
        data-variant="default"
        value={value}
        onChange={(event) => choose(event.currentTarget.value)}
      >
        {choices.map((one) => (
          <option key={one.value} value={one.value}>
            {one.label}
          </option>
        ))}
      </select>
      <div className={Input.classes.section} data-position="right">
        <svg className={ComboboxChevron.classes.chevron} viewBox="0 0 15 15" aria-hidden="true">
          <path className={styles.arrows} d="M5.25 5.75 7.5 3.5l2.25 2.25m-4.5 3.5 2.25 2.25 2.25-2.25" />
        </svg>
      </div>
    </div>
  )
}
