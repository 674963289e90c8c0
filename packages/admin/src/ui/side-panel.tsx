import { Drawer } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTexts } from '../text/texts.tsx'
import { useFocusBack } from './use-focus-back.ts'

interface Props {
  readonly title: string
  readonly isWide?: boolean
  readonly close: () => void
  readonly children: ReactNode
}

/** A dialog at the side, for what needs its height; it is there only while it is open. */
export function SidePanel({ title, isWide = false, close, children }: Props) {
  const t = useTexts()
  useFocusBack()
  return (
    <Drawer
      opened
      onClose={close}
      position="right"
      size={isWide ? 'xl' : 'lg'}
      lockScroll={false}
      title={title}
      closeButtonProps={{ 'aria-label': t.common.close }}
    >
      {children}
    </Drawer>
  )
}
