import styles from './flags.module.css'

const MAX_WHOLE_LENGTH = 24
const END_LENGTH = 12

/** Name truncated in the middle if there is not enough room, because the end often distinguishes names. */
export function TruncatedName({ name }: { name: string }) {
  if (name.length <= MAX_WHOLE_LENGTH) return name
  return (
    <>
      <span className={styles.cutStart}>{name.slice(0, -END_LENGTH)}</span>
      <span className={styles.cutEnd}>{name.slice(-END_LENGTH)}</span>
    </>
  )
}
