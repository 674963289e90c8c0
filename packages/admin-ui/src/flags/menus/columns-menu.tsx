import { Menu } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ENVIRONMENTS } from '../../api/queries.ts'
import { isLive } from '../../shell/environment/production.ts'
import { useTexts } from '../../text/texts.tsx'
import { getColumnNames, PLAIN_COLUMNS, useHiddenColumns } from '../flag-columns.ts'
import { TWO_LINES, UNSORTED_FAVORITES } from '../hidden-columns.ts'
import { MENU_TEXTS } from './menu-texts.ts'

/** Menu of the optional columns. Opens as soon as it is loaded: loading starts when the user wants to open it. */
export function ColumnsMenu({ target, close }: { target: ReactNode; close: () => void }) {
  const t = useTexts(MENU_TEXTS)
  const { hidden, hide } = useHiddenColumns()
  const { data = [] } = useQuery(ENVIRONMENTS)
  const labels = getColumnNames(t)
  const item = (name: string, label: string, isAlways = false) => (
    <Menu.CheckboxItem
      key={name}
      checked={isAlways || !hidden.has(name)}
      disabled={isAlways}
      closeMenuOnClick={false}
      onChange={(is) => hide(name, !is)}
    >
      {label}
    </Menu.CheckboxItem>
  )
  return (
    <Menu position="bottom-end" width={250} shadow="md" defaultOpened onClose={close}>
      <Menu.Target>{target}</Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t.list.columns}</Menu.Label>
        {PLAIN_COLUMNS.map((name) => item(name, labels[name]))}
        {data.map((one) => item(`environment:${one.name}`, one.name, isLive(one)))}
        <Menu.Divider />
        {item(UNSORTED_FAVORITES, t.menus.favoritesFirst)}
        {item(TWO_LINES, t.menus.twoLines)}
      </Menu.Dropdown>
    </Menu>
  )
}
