import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTexts } from '../text/texts.tsx'
import { CodeBlock } from './code-block.tsx'
import { messageOf } from './problem.tsx'

interface DialogProps {
  readonly title: string
  readonly opened: boolean
  readonly close: () => void
  /** Only its buttons close it: for what is shown once. */
  readonly isSticky?: boolean
  readonly children: ReactNode
}

/** A dialog; what is in it begins anew each time it opens. */
export function Dialog({ title, opened, close, isSticky = false, children }: DialogProps) {
  const t = useTexts()
  return (
    <Modal
      opened={opened}
      onClose={close}
      size="lg"
      title={title}
      closeOnClickOutside={!isSticky}
      closeButtonProps={{ 'aria-label': t.common.close }}
    >
      {children}
    </Modal>
  )
}

interface FormProps {
  /** What saves; a mutation of TanStack Query is one. */
  readonly save: { readonly error: Error | null; readonly isPending: boolean }
  readonly submit: () => void
  readonly isReady?: boolean
  /** What the button says; "Save" where it is left out. */
  readonly action?: string
  readonly close?: () => void
  readonly children: ReactNode
}

/** Fields with what was refused, and the buttons below. */
export function Form({ save, submit, isReady = true, action, close, children }: FormProps) {
  const t = useTexts()
  const onSubmit = (event: React.FormEvent): void => {
    event.preventDefault()
    if (isReady) submit()
  }
  return (
    <Stack component="form" onSubmit={onSubmit}>
      {children}
      {save.error !== null && (
        <Alert color="red" role="alert">
          {messageOf(save.error, t.errors.offline)}
        </Alert>
      )}
      <Group justify="flex-end">
        {close !== undefined && (
          <Button variant="default" onClick={close}>
            {t.common.cancel}
          </Button>
        )}
        <Button type="submit" loading={save.isPending} disabled={!isReady}>
          {action ?? t.common.save}
        </Button>
      </Group>
    </Stack>
  )
}

interface OnceProps {
  readonly text: string
  readonly label: string
  readonly secret: string
  readonly done: string
  readonly close: () => void
}

/** A secret that is shown this once, to copy. */
export function Once({ text, label, secret, done, close }: OnceProps) {
  return (
    <Stack>
      <Text>{text}</Text>
      <CodeBlock code={secret} label={label} />
      <Group justify="flex-end">
        <Button onClick={close}>{done}</Button>
      </Group>
    </Stack>
  )
}
