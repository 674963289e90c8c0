import { type QueryKey, useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useRefetch } from '../api/use-refetch.ts'
import { useCatalogue, useTexts } from '../text/texts.tsx'
import { Dialog } from '../ui/dialog/dialog.tsx'
import { Form } from '../ui/form/form.tsx'
import { showSuccess } from '../ui/messages/feedback.ts'
import { CommentField, isValidComment } from './comment-field.tsx'
import { COMMENT_TEXTS } from './texts.ts'

interface Props {
  /** Sends the trimmed text. */
  readonly send: (text: string) => Promise<unknown>
  /** Key prefix of the queries that show the comments. */
  readonly shownBy: QueryKey
}

/** Form for a new comment. Clears its input after sending. */
export function NewComment(props: Props) {
  const t = useCatalogue(COMMENT_TEXTS)
  const [count, setCount] = useState(0)
  const done = (): void => {
    showSuccess(t.said)
    setCount(count + 1)
  }
  return <Fields key={count} {...props} first="" action={t.say} isFirst={count > 0} done={done} />
}

/** Form that edits an existing comment. */
export function EditedComment({ text, close, ...props }: Props & { text: string; close: () => void }) {
  const t = useCatalogue(COMMENT_TEXTS)
  const { common } = useTexts()
  const done = (): void => {
    close()
    showSuccess(t.changed)
  }
  return (
    <Dialog close={close} title={t.editTitle}>
      <Fields {...props} first={text} action={common.save} isFirst done={done} close={close} />
    </Dialog>
  )
}

interface FieldsProps extends Props {
  readonly first: string
  readonly action: string
  readonly isFirst: boolean
  readonly done: () => void
  readonly close?: () => void
}

function Fields({ send, shownBy, first, action, isFirst, done, close }: FieldsProps) {
  const refetch = useRefetch()
  const [text, setText] = useState(first)
  const save = useMutation({
    mutationFn: () => send(text.trim()),
    onSuccess: async () => {
      await refetch(shownBy, ['events'])
      done()
    },
  })
  const form = { save, draft: text, isReady: isValidComment(text), action, ...(close === undefined ? {} : { close }) }
  return (
    <Form {...form} submit={() => save.mutate()}>
      <CommentField text={text} put={setText} isFirst={isFirst} />
    </Form>
  )
}
