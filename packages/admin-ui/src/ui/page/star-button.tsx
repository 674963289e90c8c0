import styles from './star-button.module.css'

interface Props {
  readonly label: string
  readonly isOn: boolean
  readonly toggle: () => void
}

/** Star that is filled for a favorite. */
export function StarButton({ label, isOn, toggle }: Props) {
  return (
    <button type="button" className={styles.star} aria-pressed={isOn} aria-label={label} onClick={toggle}>
      <svg width="16" height="16" viewBox="0 0 24 24" aria-hidden="true" strokeWidth="2" strokeLinejoin="round">
        <path d="M12 3.5l2.6 5.5 6 .8-4.4 4.2 1.1 6-5.3-2.9L6.7 20l1.1-6-4.4-4.2 6-.8z" />
      </svg>
    </button>
  )
}
