import styles from './person-mark.module.css'

const TONES = 6

/** Initials on a color derived from the name, to spot people in a list. */
export function PersonMark({ name }: { name: string }) {
  return (
    <span className={styles.mark} data-tone={toneOf(name)} aria-hidden="true">
      {lettersOf(name)}
    </span>
  )
}

/** Returns the initials of the first two words: `Ina Berg` is IB, `maria` is M. */
function lettersOf(name: string): string {
  const words = name.split(/[\s._@-]+/u).filter((word) => /^[\p{L}\p{N}]/u.test(word))
  return words
    .slice(0, 2)
    .map((word) => [...word][0]?.toUpperCase() ?? '')
    .join('')
}

const toneOf = (name: string): number =>
  [...name].reduce((sum, one) => (sum * 31 + (one.codePointAt(0) ?? 0)) % 9973, 7) % TONES
