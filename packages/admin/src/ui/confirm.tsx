import { Button, Group, Modal, Text } from '@mantine/core'
import { createContext, type ReactNode, use, useCallback, useState } from 'react'
import { useTexts } from '../text/texts.tsx'

/** A question before something that cannot be taken back lightly. */
export interface Question {
  readonly title: string
  readonly text: string
  readonly action: string
  readonly isDanger?: boolean
}

type Ask = (question: Question) => Promise<boolean>
const Context = createContext<Ask>(async () => false)

/** Asks a question in a dialog; true when the person confirms. */
export const useConfirm = (): Ask => use(Context)

/** Shows the questions of everything below. */
export function ConfirmProvider({ children }: { children: ReactNode }) {
  const t = useTexts()
  const [open, setOpen] = useState<{ question: Question; answer: (yes: boolean) => void }>()
  const [isShown, setShown] = useState(false)
  const ask = useCallback<Ask>((question) => {
    setShown(true)
    return new Promise((resolve) => setOpen({ question, answer: resolve }))
  }, [])
  const finish = (yes: boolean): void => {
    open?.answer(yes)
    setShown(false)
  }
  return (
    <Context value={ask}>
      {children}
      <Modal
        opened={isShown}
        onClose={() => finish(false)}
        title={open?.question.title}
        lockScroll={false}
        closeButtonProps={{ 'aria-label': t.common.close }}
      >
        <Text>{open?.question.text}</Text>
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={() => finish(false)}>
            {t.common.cancel}
          </Button>
          <Button color={open?.question.isDanger ? 'red' : 'teal'} onClick={() => finish(true)} data-autofocus>
            {open?.question.action}
          </Button>
        </Group>
      </Modal>
    </Context>
  )
}
