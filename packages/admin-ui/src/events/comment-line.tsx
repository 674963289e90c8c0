import type { Event } from '@burgee/protocol/event'
import { useCatalogue } from '../text/texts.tsx'
import { COMMENT_EVENT_TEXTS } from './comment-texts.ts'
import styles from './events.module.css'

interface CommentData {
  readonly text?: string
  /** Author of the comment. */
  readonly createdBy?: string
}

const COMMENT_EVENTS: ReadonlySet<string> = new Set([
  'feature-comment-added',
  'feature-comment-edited',
  'feature-comment-deleted',
])

/**
 * Quote of the comment that an event is about, with the comment's author if someone else deleted it. Renders nothing
 * for other events.
 */
export function CommentLine({ event: { type, createdBy: by, data, preData } }: { event: Event }) {
  const t = useCatalogue(COMMENT_EVENT_TEXTS)
  if (!COMMENT_EVENTS.has(type)) return null
  const comment = type === 'feature-comment-deleted' ? preData : data
  const { text = '', createdBy = by } = (comment ?? {}) as CommentData
  return <p className={styles.said}>{createdBy === by ? t.quote(text) : t.quoteOf(createdBy, text)}</p>
}
