import styles from './switch.module.css'

interface Props {
  /** Accessible label of the switch. */
  readonly label: string
  readonly isOn: boolean
  readonly change: () => void
  readonly size?: 'md' | 'lg'
}

/** Switch that consists of one element, for pages with many switches. The switch's label is only for screen readers. */
export function LightSwitch({ label, isOn, change, size = 'md' }: Props) {
  return (
    <input
      type="checkbox"
      // biome-ignore lint/a11y/useAriaPropsForRole: a native checkbox exposes its checked state
      role="switch"
      aria-label={label}
      checked={isOn}
      onChange={change}
      className={styles.switch}
      data-size={size}
    />
  )
}
