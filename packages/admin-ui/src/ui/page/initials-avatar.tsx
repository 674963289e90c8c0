import styles from './initials-avatar.module.css'

const TONE_COUNT = 6

/** Initials on a background color that is derived from the name, so that people are easy to spot in a list. */
export function InitialsAvatar({ name }: { name: string }) {
  return (
    <span className={styles.mark} data-tone={getTone(name)} aria-hidden="true">
      {getInitials(name)}
    </span>
  )
}

/** Returns the initials of the first two words: `Ina Berg` is IB, `maria` is M. */
function getInitials(name: string): string {
  const words = name.split(/[\s._@-]+/u).filter((word) => /^[\p{L}\p{N}]/u.test(word))
  return words
    .slice(0, 2)
    .map((word) => [...word][0]?.toUpperCase() ?? '')
    .join('')
}

const getTone = (name: string): number =>
  [...name].reduce((sum, one) => (sum * 31 + (one.codePointAt(0) ?? 0)) % 9973, 7) % TONE_COUNT
