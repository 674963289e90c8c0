import { Menu } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTexts } from '../../text/texts.tsx'
import { type FilterField, getFilterLabel } from './filter-fields.ts'

interface Props {
  readonly target: ReactNode
  /** Filters that are not in the bar yet. */
  readonly fields: readonly FilterField[]
  readonly add: (field: FilterField) => void
  readonly close: () => void
}

/** Menu of filters to add. Opens as soon as it is loaded: loading starts when the user wants to open it. */
export function FilterMenu({ target, fields, add, close }: Props) {
  const t = useTexts()
  return (
    // A newly added filter gets the focus.
    <Menu position="bottom-start" width={220} shadow="md" defaultOpened onClose={close} returnFocus={false}>
      <Menu.Target>{target}</Menu.Target>
      <Menu.Dropdown>
        {fields.map((field) => (
          <Menu.Item key={field} onClick={() => add(field)}>
            {getFilterLabel(t, field)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
