import { Drawer } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTexts } from '../../text/texts.tsx'
import styles from './side-panel.module.css'
import { CloseGuardProvider, useGuardedClose } from './unsaved-changes.ts'
import { useEscape } from './use-escape.ts'
import { useReturnFocus } from './use-return-focus.ts'

interface Props {
  readonly title: string
  readonly isWide?: boolean
  readonly close: () => void
  readonly children: ReactNode
}

/**
 * Dialog at the side of the page, for tall content. Mounted only while it is open; asks before discarding unsaved
 * input.
 */
export function SidePanel({ title, isWide = false, close, children }: Props) {
  const t = useTexts()
  useReturnFocus()
  const { keeper, leave } = useGuardedClose(close)
  useEscape(leave)
  return (
    <Drawer
      opened
      onClose={leave}
      position="right"
      size={isWide ? 'xl' : 'lg'}
      lockScroll={false}
      title={title}
      closeOnEscape={false}
      classNames={{ content: styles.content ?? '', body: styles.body ?? '' }}
      closeButtonProps={{ 'aria-label': t.common.close }}
    >
      <CloseGuardProvider value={keeper}>{children}</CloseGuardProvider>
    </Drawer>
  )
}
