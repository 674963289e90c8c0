import type { ReactNode } from 'react'
import { MovingList } from '../motion/moving-list.tsx'
import styles from '../ui.module.css'

interface Props {
  readonly title: string
  readonly hint?: string
  readonly children: ReactNode
}

/** Group of related form fields, separated by a line. */
export function FieldGroup({ title, hint, children }: Props) {
  return (
    <fieldset className={styles.part}>
      <legend>{title}</legend>
      {hint !== undefined && <p className={styles.hint}>{hint}</p>}
      <MovingList as="div">{children}</MovingList>
    </fieldset>
  )
}
