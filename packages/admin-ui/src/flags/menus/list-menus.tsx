import { ChevronDown } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useTexts } from '../../text/texts.tsx'
import { LightButton } from '../../ui/form/light-button.tsx'
import { lazyDialog } from '../../ui/loading/lazy-part.tsx'
import { useIsNarrow } from '../flag-columns.ts'

interface MenuProps {
  readonly target: ReactNode
  readonly close: () => void
}

const ColumnsMenu = lazyDialog<MenuProps>('ColumnsMenu', async () => (await import('./columns-menu.tsx')).ColumnsMenu)

/** Menu of columns, loaded when first opened. Narrow layouts have no columns. */
export function ListMenus() {
  const t = useTexts()
  const [isOpen, setOpen] = useState(false)
  if (useIsNarrow()) return null
  const button = (
    <LightButton look="plain" aria-haspopup="menu" onClick={() => setOpen(true)}>
      {t.list.columns}&nbsp;
      <ChevronDown size={14} aria-hidden="true" />
    </LightButton>
  )
  if (!isOpen) return button
  return <ColumnsMenu target={button} close={() => setOpen(false)} fallback={button} />
}
