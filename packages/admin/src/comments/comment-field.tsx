import { MOST_COMMENT_CHARACTERS } from '@burgee/protocol/administration/comment-length'
import { Textarea } from '@mantine/core'
import { useCatalogue } from '../text/texts.tsx'
import { useTried } from '../ui/form/tried.ts'
import { COMMENT_TEXTS } from './texts.ts'

/** From so many on it is said how many are left. */
const NEAR = 0.9 * MOST_COMMENT_CHARACTERS

/** Whether something was said, and not too much. */
export function isComment(text: string): boolean {
  const { length } = text.trim()
  return length > 0 && length <= MOST_COMMENT_CHARACTERS
}

interface Props {
  readonly text: string
  readonly put: (text: string) => void
  /** It gets the focus as soon as it is there. */
  readonly isFirst: boolean
}

/** Where a comment is written; Ctrl+Enter and ⌘+Enter send the form that it is in. */
export function CommentField({ text, put, isFirst }: Props) {
  const t = useCatalogue(COMMENT_TEXTS)
  const hasTried = useTried()
  const { length } = text.trim()
  const problem =
    length > MOST_COMMENT_CHARACTERS
      ? t.tooLong(length - MOST_COMMENT_CHARACTERS)
      : hasTried && length === 0
        ? t.missing
        : undefined
  return (
    <Textarea
      label={t.comment}
      description={
        length < NEAR || length > MOST_COMMENT_CHARACTERS ? t.keys : t.left(MOST_COMMENT_CHARACTERS - length)
      }
      error={problem}
      value={text}
      autosize
      minRows={2}
      maxRows={14}
      {...(isFirst ? { 'data-autofocus': true } : {})}
      onChange={(event) => put(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
        event.preventDefault()
        event.currentTarget.form?.requestSubmit()
      }}
    />
  )
}
