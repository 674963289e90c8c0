import type { FeatureComment } from '@burgee/protocol/administration/comment'
import { Person } from '../people/person.tsx'
import { usePersonName } from '../people/person-names.ts'
import { useCatalogue, useFormat } from '../text/texts.tsx'
import { RelativeTime } from '../ui/page/relative-time.tsx'
import { type RowAction, RowMenu } from '../ui/page/row-menu.tsx'
import ui from '../ui/ui.module.css'
import styles from './comments.module.css'
import { splitLinks } from './linked-text.ts'
import { COMMENT_TEXTS } from './texts.ts'

interface Props {
  /** Comments, in the order in which they are displayed. */
  readonly comments: readonly FeatureComment[]
  /** Accessible name of the list. */
  readonly label: string
  /** Actions that can be taken on a comment; none by default. */
  readonly actsOf?: (comment: FeatureComment) => readonly RowAction[]
}

/** Comments with author and time; web addresses in their text are links. */
export function CommentList({ comments, label, actsOf = () => [] }: Props) {
  return (
    <ul className={styles.comments} aria-label={label}>
      {comments.map((one) => (
        <li key={one.id} className={styles.comment}>
          <Head comment={one} acts={actsOf(one)} />
          <div className={styles.text}>
            <CommentText text={one.text} />
          </div>
        </li>
      ))}
    </ul>
  )
}

function Head({ comment, acts }: { comment: FeatureComment; acts: readonly RowAction[] }) {
  const t = useCatalogue(COMMENT_TEXTS)
  const { time, ago } = useFormat()
  const { createdBy, createdAt, editedAt } = comment
  const { name, isPending } = usePersonName(createdBy)
  return (
    <div className={styles.head}>
      <span className={styles.name}>
        <Person name={name} login={createdBy.username} isPending={isPending} />
      </span>
      <RelativeTime at={createdAt} className={styles.when} />
      {editedAt !== undefined && (
        <span title={t.editedAt(time(editedAt))} className={styles.when}>
          · {t.edited}
        </span>
      )}
      <span className={styles.menu}>
        <RowMenu label={t.actsOf(name, ago(createdAt))} acts={acts} />
      </span>
    </div>
  )
}

function CommentText({ text }: { text: string }) {
  return splitLinks(text).map(({ text: part, url }, index) =>
    url === undefined ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts of a text have no id and never move
      <a key={index} href={url} target="_blank" rel="noopener noreferrer nofollow" className={ui.link ?? ''}>
        {part}
      </a>
    ),
  )
}
