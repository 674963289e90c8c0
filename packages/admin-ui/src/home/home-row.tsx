import type { ReactNode } from 'react'
import styles from './home.module.css'

interface Props {
  readonly icon: ReactNode
  readonly tone?: 'good' | 'warn' | 'bad'
  readonly name: ReactNode
  /** Facts shown below the name. */
  readonly about: ReactNode
  readonly action: ReactNode
}

/** Row with an icon, a name, its facts and one action. */
export function HomeRow({ icon, tone = 'good', name, about, action }: Props) {
  return (
    <li className={styles.row}>
      <span className={styles.icon} data-tone={tone}>
        {icon}
      </span>
      <div className={styles.text}>
        <div className={styles.name}>{name}</div>
        <div className={styles.about}>{about}</div>
      </div>
      {action}
    </li>
  )
}
