import { Menu } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTexts } from '../../text/texts.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { NameField } from '../../ui/form/fields.tsx'
import { Form } from '../../ui/form/form.tsx'
import { showSuccess } from '../../ui/messages/feedback.ts'
import { type FlagSearch, isFiltered } from '../search-params.ts'
import { MENU_TEXTS } from './menu-texts.ts'
import { isSame, readSavedFilters, removeFilter, saveFilter } from './saved-filters.ts'

interface Props {
  readonly search: FlagSearch
  readonly go: (next: FlagSearch) => void
  readonly target: ReactNode
  readonly close: () => void
}

/** Menu of saved filters, which can also save the current ones. Opens immediately. */
export function SavedFiltersMenu({ search, go, target, close }: Props) {
  const t = useTexts(MENU_TEXTS)
  const [isSaving, setSaving] = useState(false)
  const all = readSavedFilters()
  const same = all.find((one) => isSame(one.search, search))
  if (isSaving) {
    return (
      <>
        {target}
        <SaveDialog search={search} close={close} />
      </>
    )
  }
  return (
    <Menu position="bottom-end" width={280} shadow="md" defaultOpened onClose={close}>
      <Menu.Target>{target}</Menu.Target>
      <Menu.Dropdown>
        {all.length === 0 && (
          <Menu.Item disabled c="dimmed">
            {t.menus.none}
          </Menu.Item>
        )}
        {all.map((one) => (
          <Menu.Item key={one.name} aria-current={one === same || undefined} onClick={() => go(one.search)}>
            {one.name}
          </Menu.Item>
        ))}
        {isFiltered(search) && same === undefined && (
          <Menu.Item closeMenuOnClick={false} onClick={() => setSaving(true)}>
            {t.menus.save}
          </Menu.Item>
        )}
        {same !== undefined && (
          <Menu.Item c="var(--bad)" onClick={() => removeFilter(same.name)}>
            {t.menus.remove(same.name)}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}

function SaveDialog({ search, close }: Pick<Props, 'search' | 'close'>) {
  const t = useTexts(MENU_TEXTS)
  const [name, setName] = useState('')
  const save = useMutation({
    mutationFn: async () => saveFilter({ name: name.trim(), search }),
    onSuccess: () => {
      showSuccess(t.menus.saved(name.trim()))
      close()
    },
  })
  return (
    <Dialog title={t.menus.saveTitle} close={close} size="md">
      <Form save={save} close={close} draft={name} isReady={name.trim() !== ''} submit={() => save.mutate()}>
        <NameField value={name} maxLength={60} isFirst hint={t.menus.saveHint} put={setName} />
      </Form>
    </Dialog>
  )
}
