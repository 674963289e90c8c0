import { InitialsAvatar } from '../ui/page/initials-avatar.tsx'
import styles from './person.module.css'
import { type Author, usePersonName } from './person-names.ts'

interface Props {
  readonly name: string
  /** Text instead of the name, such as the name with a note. */
  readonly text?: string | undefined
  /** Login name, shown on hover if it differs from the name. */
  readonly login?: string | undefined
  /** Lines below the name, such as login names. */
  readonly about?: readonly string[]
  readonly isPending?: boolean
}

/** Person with initials and name. */
export function Person({ name, text = name, login = name, about = [], isPending = false }: Props) {
  return (
    <span className={styles.person} data-pending={isPending || undefined} title={login === name ? undefined : login}>
      <InitialsAvatar name={name} />
      <span>
        {text}
        {about.map((line) => (
          <span key={line} className={styles.about}>
            {line}
          </span>
        ))}
      </span>
    </span>
  )
}

/**
 * Author of an object with initials and display name. Hidden until the display name is known, so that the visible name
 * does not change.
 */
export function AuthorName({ author }: { author: Author }) {
  const { name, isPending } = usePersonName(author)
  return <Person name={name} login={author.username} isPending={isPending} />
}
