import styles from './flags.module.css'

const LONGEST_WHOLE = 24
const END = 12

/** A name that is cut in the middle where there is no room for all of it: its end often tells it from others. */
export function CutName({ name }: { name: string }) {
  if (name.length <= LONGEST_WHOLE) return name
  return (
    <>
      <span className={styles.cutStart}>{name.slice(0, -END)}</span>
      <span>{name.slice(-END)}</span>
    </>
  )
}
