import styles from './switch.module.css'

interface Props {
  /** What it switches, for who does not see where it stands. */
  readonly label: string
  readonly isOn: boolean
  readonly change: () => void
  readonly size?: 'md' | 'lg'
}

/** A switch of one element, for places that have many; its label is only said. */
export function LightSwitch({ label, isOn, change, size = 'md' }: Props) {
  return (
    <input
      type="checkbox"
      // biome-ignore lint/a11y/useAriaPropsForRole: a checkbox says by itself whether it is checked
      role="switch"
      aria-label={label}
      checked={isOn}
      onChange={change}
      className={styles.switch}
      data-size={size}
    />
  )
}
