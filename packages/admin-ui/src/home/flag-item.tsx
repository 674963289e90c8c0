import type { ReactNode } from 'react'
import { FlagLink } from '../ui/page/flag-link.tsx'
import styles from './home.module.css'

interface Props {
  readonly project: string
  readonly name: string
  /** Content that is shown after the name. */
  readonly children: ReactNode
}

/** Flag in a list of the home page. */
export function FlagItem({ project, name, children }: Props) {
  return (
    <li className={styles.short}>
      <FlagLink project={project} feature={name} />
      <span className={styles.side}>{children}</span>
    </li>
  )
}
