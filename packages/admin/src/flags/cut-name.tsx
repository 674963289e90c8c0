import styles from './flags.module.css'

const LONGEST_WHOLE = 24
const END = 12

/** Name truncated in the middle if there is not enough room, because the end often distinguishes names. */
export function CutName({ name }: { name: string }) {
  if (name.length <= LONGEST_WHOLE) return name
  return (
    <>
      <span className={styles.cutStart}>{name.slice(0, -END)}</span>
      <span>{name.slice(-END)}</span>
    </>
  )
}
