import { Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTexts } from '../../text/texts.tsx'
import { CloseGuardProvider, useGuardedClose } from './unsaved-changes.ts'
import { useEscape } from './use-escape.ts'
import { useFocusBack } from './use-focus-back.ts'

interface Props {
  readonly title: string
  readonly opened?: boolean
  readonly close: () => void
  /** Only its buttons close it: for what is shown once. */
  readonly isSticky?: boolean
  readonly size?: 'md' | 'lg'
  readonly children: ReactNode
}

/** A dialog; what is in it begins anew each time it opens. Asks before it throws away what was typed. */
export function Dialog({ title, opened = true, close, isSticky = false, size = 'lg', children }: Props) {
  const t = useTexts()
  useFocusBack()
  const { keeper, leave } = useGuardedClose(close)
  const dismiss = (): void => {
    if (!isSticky) leave()
  }
  useEscape(dismiss, opened)
  return (
    <Modal
      opened={opened}
      onClose={dismiss}
      size={size}
      title={title}
      closeOnEscape={false}
      closeOnClickOutside={!isSticky}
      withCloseButton={!isSticky}
      closeButtonProps={{ 'aria-label': t.common.close }}
    >
      <CloseGuardProvider value={keeper}>{children}</CloseGuardProvider>
    </Modal>
  )
}
