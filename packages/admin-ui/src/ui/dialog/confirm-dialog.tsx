import { Button, Group, Modal, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTexts } from '../../text/texts.tsx'
import type { Question } from './question.ts'
import { useEscape } from './use-escape.ts'
import { useReturnFocus } from './use-return-focus.ts'

interface Props {
  readonly question: Question
  readonly finish: (yes: boolean) => void
}

/** Dialog with a question and two answers. For some questions, the user must type a word to confirm. */
export function ConfirmDialog({ question, finish }: Props) {
  const t = useTexts()
  useReturnFocus()
  useEscape(() => finish(false))
  return (
    <Modal
      opened
      onClose={() => finish(false)}
      title={question.title}
      lockScroll={false}
      closeOnEscape={false}
      closeButtonProps={{ 'aria-label': t.common.close }}
    >
      <Body question={question} finish={finish} />
    </Modal>
  )
}

function Body({ question: { text, action, refusal, isDanger, typed, other }, finish }: Props) {
  const t = useTexts()
  const [word, setWord] = useState('')
  const isReady = typed === undefined || word.trim() === typed
  const submit = (event: React.FormEvent): void => {
    event.preventDefault()
    if (isReady) finish(true)
  }
  return (
    <form onSubmit={submit}>
      <Text component="div">{text}</Text>
      {typed !== undefined && (
        <TextInput
          mt="md"
          label={t.common.typeToConfirm(typed)}
          value={word}
          autoComplete="off"
          data-autofocus
          onChange={(event) => setWord(event.currentTarget.value)}
        />
      )}
      <Group justify="flex-end" mt="lg">
        <Button variant="default" data-autofocus={refusal !== undefined || undefined} onClick={() => finish(false)}>
          {refusal ?? t.common.cancel}
        </Button>
        {other !== undefined && (
          <Button
            variant="default"
            onClick={() => {
              finish(false)
              other.run()
            }}
          >
            {other.label}
          </Button>
        )}
        <Button
          type="submit"
          color={isDanger ? 'red' : 'teal'}
          disabled={!isReady}
          data-autofocus={(typed === undefined && refusal === undefined) || undefined}
        >
          {action}
        </Button>
      </Group>
    </form>
  )
}
