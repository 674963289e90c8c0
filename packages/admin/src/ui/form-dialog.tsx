import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'
import { useCollisionTexts } from '../text/collision.ts'
import { useTexts } from '../text/texts.tsx'
import { CodeBlock } from './code-block.tsx'
import { messageOf } from './problem.tsx'
import styles from './ui.module.css'
import { useFocusBack } from './use-focus-back.ts'

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
  useFocusBack()
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
  /** Somebody else's change, which came between: what is said of it, and what begins anew from it. */
  readonly collision?: { readonly notice: ReactNode; readonly take: () => void } | undefined
  /** Its buttons stay in sight while the fields scroll. */
  readonly isLong?: boolean
  readonly children: ReactNode
}

/** Fields with what was refused, and the buttons below. */
export function Form({ isLong = false, ...props }: FormProps) {
  const { save, submit, isReady = true, collision, children } = props
  const t = useTexts()
  const form = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // fields that came after the dialog, which has looked for its first one by then
    const isHere = form.current?.contains(document.activeElement)
    if (!isHere) form.current?.querySelector<HTMLElement>('[data-autofocus]')?.focus()
  }, [])
  const onSubmit = (event: React.FormEvent): void => {
    event.preventDefault()
    if (isReady) submit()
  }
  return (
    <Stack component="form" ref={form} onSubmit={onSubmit}>
      {children}
      <div className={isLong ? styles.foot : undefined}>
        {collision?.notice}
        {save.error !== null && (
          <Alert color="red" role="alert" mb="sm">
            {messageOf(save.error, t.errors.offline)}
          </Alert>
        )}
        <Answers {...props} />
      </div>
    </Stack>
  )
}

function Answers({ save, isReady = true, action, close, collision }: FormProps) {
  const t = useTexts()
  const words = useCollisionTexts()
  const isOver = collision !== undefined
  return (
    <Group justify="flex-end">
      {close !== undefined && (
        <Button variant="default" onClick={close}>
          {t.common.cancel}
        </Button>
      )}
      {isOver && (
        <Button variant="default" onClick={collision.take}>
          {words.take}
        </Button>
      )}
      <Button type="submit" loading={save.isPending} disabled={!isReady} {...(isOver ? { color: 'red' } : {})}>
        {isOver ? words.keep : (action ?? t.common.save)}
      </Button>
    </Group>
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
