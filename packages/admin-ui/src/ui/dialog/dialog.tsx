import { Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTexts } from '../../text/texts.tsx'
import { CloseGuardProvider, useGuardedClose } from './unsaved-changes.ts'
import { useEscape } from './use-escape.ts'
import { useReturnFocus } from './use-return-focus.ts'

interface Props {
  readonly title: string
  readonly opened?: boolean
  readonly close: () => void
  /** True if only the dialog's buttons can close it, for content that is shown only once. */
  readonly isSticky?: boolean
  readonly size?: 'md' | 'lg'
  readonly children: ReactNode
}

/** Dialog whose content is mounted each time it opens. Asks before discarding unsaved input. */
export function Dialog({ title, opened = true, close, isSticky = false, size = 'lg', children }: Props) {
  const t = useTexts()
  useReturnFocus()
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
