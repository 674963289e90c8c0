import { MAX_COMMENT_LENGTH } from '@burgee/protocol/administration/comment-length'
import { Textarea } from '@mantine/core'
import { useCatalogue } from '../text/texts.tsx'
import { useSubmitAttempted } from '../ui/form/submit-attempted.ts'
import { COMMENT_TEXTS } from './texts.ts'

/** Length of the text from which on the number of remaining characters is shown. */
const COUNTER_THRESHOLD = 0.9 * MAX_COMMENT_LENGTH

/** Returns true if the text is neither blank nor too long. */
export function isValidComment(text: string): boolean {
  const { length } = text.trim()
  return length > 0 && length <= MAX_COMMENT_LENGTH
}

interface Props {
  readonly text: string
  readonly put: (text: string) => void
  /** True if the field gets the focus when it is mounted. */
  readonly isFirst: boolean
}

/** Input for a comment. Ctrl+Enter and ⌘+Enter submit the surrounding form. */
export function CommentField({ text, put, isFirst }: Props) {
  const t = useCatalogue(COMMENT_TEXTS)
  const hasTried = useSubmitAttempted()
  const { length } = text.trim()
  const problem =
    length > MAX_COMMENT_LENGTH
      ? t.tooLong(length - MAX_COMMENT_LENGTH)
      : hasTried && length === 0
        ? t.missing
        : undefined
  return (
    <Textarea
      label={t.comment}
      description={
        length < COUNTER_THRESHOLD || length > MAX_COMMENT_LENGTH ? t.keys : t.left(MAX_COMMENT_LENGTH - length)
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
