import { Button, Group, Stack, Text } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'
import { useTexts } from '../../text/texts.tsx'
import { useUnsavedChanges } from '../dialog/unsaved-changes.ts'
import { CodeBlock } from '../page/code-block.tsx'
import styles from '../ui.module.css'
import { ProblemAlert } from './problem-alert.tsx'
import { SubmitAttemptedProvider, useSubmitAttempts } from './submit-attempted.ts'
import { useDirty } from './use-dirty.ts'
import { type Save, useSubmitOnce } from './use-submit-once.ts'

interface FormProps {
  /** Save operation, such as a TanStack Query mutation. */
  readonly save: Save
  readonly submit: () => void
  /** Asks for confirmation before submitting. Resolves to true if the form may be submitted. */
  readonly confirm?: (() => Promise<boolean>) | undefined
  /**
   * Current input as a JSON string. If it differs from the initial input, leaving the form needs confirmation.
   * Undefined for forms that only contain choices.
   */
  readonly draft: unknown
  readonly isReady?: boolean
  /** Label of the submit button; defaults to "Save". */
  readonly action?: string
  readonly isDanger?: boolean
  readonly close?: () => void
  /**
   * Concurrent change by another user: the notice about it, and a function that restarts the form with the changed
   * resource.
   */
  readonly conflict?: { readonly notice: ReactNode; readonly take: () => void } | undefined
  /** Text that describes the error of the last save; undefined for the general description. */
  readonly problem?: string | undefined
  /** Text next to the buttons. */
  readonly note?: ReactNode
  /** True if the buttons stay visible while the fields scroll. */
  readonly isLong?: boolean
  readonly children: ReactNode
}

/**
 * Form with fields, buttons and the error of the last save. Asks before discarding input. The submit button is never
 * disabled. If values are missing, pressing the submit button reports each missing value at its field.
 */
export function Form({ isLong = false, ...props }: FormProps) {
  const { save, submit, confirm, draft, isReady = true, close, conflict, problem, note, children } = props
  const t = useTexts()
  const form = useRef<HTMLFormElement>(null)
  useFirstFocus(form)
  const tries = useSubmitAttempts(form)
  const isRefused = tries.hasTried && !isReady
  useRefusedFocus(form, save.error)
  const once = useSubmitOnce(save)
  const dirty = useDirty(draft, save, conflict === undefined)
  const { leaveTitle: title, leaveText: text, leaveAction: action, stay: refusal } = t.common
  const question = { title, text, action, refusal, isDanger: true }
  const leave = useUnsavedChanges({ hasUnsaved: dirty.isDirty, question, isSending: save.isPending })
  const onSubmit = async (event: React.FormEvent): Promise<void> => {
    event.preventDefault()
    if (!isReady) tries.note()
    else if (confirm === undefined || (await confirm())) {
      once(() => {
        dirty.send()
        submit()
      })
    }
  }
  return (
    <Stack
      component="form"
      // The type declarations assume the element that is used without `component`.
      ref={form as unknown as React.RefObject<HTMLDivElement>}
      onSubmit={(event) => void onSubmit(event)}
      onFocus={dirty.onFocus}
    >
      <SubmitAttemptedProvider value={isRefused}>{children}</SubmitAttemptedProvider>
      <div className={isLong ? styles.foot : undefined}>
        {conflict?.notice}
        {note}
        {save.error !== null && <ProblemAlert error={save.error} text={problem} />}
        {isRefused && (
          <Text role="alert" c="var(--bad)" size="sm" mb="xs">
            {t.common.notReady}
          </Text>
        )}
        <FormButtons {...props} close={close && (() => leave(close))} />
      </div>
    </Stack>
  )
}

/** Focuses fields that are mounted only after the dialog has looked for its first field. */
function useFirstFocus(form: React.RefObject<HTMLFormElement | null>): void {
  useEffect(() => {
    const isHere = form.current?.contains(document.activeElement)
    if (!isHere) form.current?.querySelector<HTMLElement>('[data-autofocus]')?.focus()
  }, [form])
}

/** Focuses the field that the server rejected, which may be far above the buttons. */
function useRefusedFocus(form: React.RefObject<HTMLFormElement | null>, error: Error | null): void {
  useEffect(() => {
    if (error !== null) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [error, form])
}

type FormButtonsProps = Pick<FormProps, 'save' | 'action' | 'isDanger' | 'conflict'> & {
  readonly close: (() => void) | undefined
}

function FormButtons({ save, action, isDanger = false, close, conflict }: FormButtonsProps) {
  const t = useTexts()
  const isOver = conflict !== undefined
  return (
    <Group justify="flex-end">
      {close !== undefined && (
        <Button variant="default" onClick={close}>
          {t.common.cancel}
        </Button>
      )}
      {isOver && (
        <Button variant="default" onClick={conflict.take}>
          {t.common.takeTheirs}
        </Button>
      )}
      <Button type="submit" loading={save.isPending} {...(isOver || isDanger ? { color: 'red' } : {})}>
        {isOver ? t.common.keepMine : (action ?? t.common.save)}
      </Button>
    </Group>
  )
}

interface OneTimeSecretProps {
  readonly text: string
  readonly label: string
  readonly secret: string
  readonly done: string
  readonly close: () => void
}

/** Secret that is shown only once, for copying. Only the form's own button closes the dialog without a question. */
export function OneTimeSecret({ text, label, secret, done, close }: OneTimeSecretProps) {
  const { onceTitle: title, onceText, onceAction: action, onceStay: refusal } = useTexts().common
  const question = { title, text: onceText, action, refusal, isDanger: true }
  const leave = useUnsavedChanges({ hasUnsaved: () => true, question })
  return (
    <Stack>
      <Text>{text}</Text>
      <CodeBlock code={secret} label={label} isWhole />
      <Group justify="flex-end">
        <Button onClick={() => leave(close, true)}>{done}</Button>
      </Group>
    </Stack>
  )
}
