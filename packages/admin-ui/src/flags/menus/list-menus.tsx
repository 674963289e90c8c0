import { type ComponentProps, type ReactNode, useState } from 'react'
import { useTexts } from '../../text/texts.tsx'
import { LightButton } from '../../ui/form/light-button.tsx'
import { lazyDialog } from '../../ui/loading/lazy-part.tsx'
import type { FlagSearch } from '../search-params.ts'

interface MenuProps {
  readonly target: ReactNode
  readonly close: () => void
}

const ColumnsMenu = lazyDialog<MenuProps>('ColumnsMenu', async () => (await import('./columns-menu.tsx')).ColumnsMenu)
const SavedFiltersMenu = lazyDialog<MenuProps & Props>(
  'SavedFiltersMenu',
  async () => (await import('./saved-filters-menu.tsx')).SavedFiltersMenu,
)

interface Props {
  readonly search: FlagSearch
  readonly go: (next: FlagSearch) => void
}

/** Menus of columns and of saved filters, loaded when first opened. */
export function ListMenus(props: Props) {
  const t = useTexts()
  const [wanted, setWanted] = useState<'filters' | 'columns'>()
  const close = (): void => setWanted(undefined)
  const filters = <Opener label={t.list.savedFilters} onClick={() => setWanted('filters')} />
  const columns = <Opener label={t.list.columns} onClick={() => setWanted('columns')} />
  return (
    <>
      {wanted === 'filters' ? (
        <SavedFiltersMenu {...props} target={filters} fallback={filters} close={close} />
      ) : (
        filters
      )}
      {wanted === 'columns' ? <ColumnsMenu target={columns} fallback={columns} close={close} /> : columns}
    </>
  )
}

function Opener({ label, ...rest }: { label: string } & ComponentProps<'button'>) {
  return (
    <LightButton look="plain" aria-haspopup="menu" {...rest}>
      {label}&nbsp;<span aria-hidden="true">▾</span>
    </LightButton>
  )
}
