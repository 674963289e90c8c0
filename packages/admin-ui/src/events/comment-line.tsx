import type { Event } from '@burgee/protocol/event'
import { useCatalogue } from '../text/texts.tsx'
import { COMMENT_EVENT_TEXTS } from './comment-texts.ts'
import styles from './events.module.css'

interface CommentData {
  readonly text?: string
  /** Author of the comment. */
  readonly createdBy?: string
}

/** Sentence about a comment event. Renders nothing for other events. */
export function CommentLine({ event: { type, createdBy: by, data, preData } }: { event: Event }) {
  const t = useCatalogue(COMMENT_EVENT_TEXTS)
  const told = type === 'feature-comment-deleted' ? preData : data
  const { text = '', createdBy = by } = (told ?? {}) as CommentData
  switch (type) {
    case 'feature-comment-added':
      return <p className={styles.said}>{t.commented(by, text)}</p>
    case 'feature-comment-edited':
      return <p className={styles.said}>{t.edited(by, text)}</p>
    case 'feature-comment-deleted':
      return <p className={styles.said}>{createdBy === by ? t.deleted(by, text) : t.deletedOf(by, createdBy, text)}</p>
    default:
      return null
  }
}
