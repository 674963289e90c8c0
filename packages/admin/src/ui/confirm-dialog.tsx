import { Button, Group, Modal, Text } from '@mantine/core'
import { useTexts } from '../text/texts.tsx'
import type { Question } from './question.ts'

interface Props {
  readonly question: Question
  readonly isShown: boolean
  readonly finish: (yes: boolean) => void
}

/** A question with its two answers. */
export function ConfirmDialog({ question, isShown, finish }: Props) {
  const t = useTexts()
  return (
    <Modal
      opened={isShown}
      onClose={() => finish(false)}
      title={question.title}
      lockScroll={false}
      closeButtonProps={{ 'aria-label': t.common.close }}
    >
      <Text component="div">{question.text}</Text>
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={() => finish(false)}>
          {t.common.cancel}
        </Button>
        <Button color={question.isDanger ? 'red' : 'teal'} onClick={() => finish(true)} data-autofocus>
          {question.action}
        </Button>
      </Group>
    </Modal>
  )
}
