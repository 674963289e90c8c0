import { InitialsAvatar } from './initials-avatar.tsx'
import styles from './person.module.css'

/** Person with their initials. `login` is the username or e-mail address. */
export function Person({ login }: { login: string }) {
  return (
    <span className={styles.person}>
      <InitialsAvatar name={login} />
      <span>{login}</span>
    </span>
  )
}
