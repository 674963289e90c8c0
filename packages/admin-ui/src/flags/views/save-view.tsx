import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTexts } from '../../text/texts.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { NameField } from '../../ui/form/fields.tsx'
import { Form } from '../../ui/form/form.tsx'
import { showSuccess } from '../../ui/messages/feedback.ts'
import { MENU_TEXTS } from '../menus/menu-texts.ts'
import type { FlagSearch } from '../search-params.ts'
import { saveView } from './saved-views.ts'

/** Dialog that saves the current filters and sort order of the list as a view. */
export function SaveView({ search, close }: { search: FlagSearch; close: () => void }) {
  const t = useTexts(MENU_TEXTS)
  const [name, setName] = useState('')
  const save = useMutation({
    mutationFn: async () => saveView({ name: name.trim(), search }),
    onSuccess: () => {
      showSuccess(t.menus.saved(name.trim()))
      close()
    },
  })
  return (
    <Dialog title={t.list.saveView} close={close} size="md">
      <Form save={save} close={close} draft={name} isReady={name.trim() !== ''} submit={() => save.mutate()}>
        <NameField value={name} maxLength={60} isFirst hint={t.menus.saveHint} put={setName} />
      </Form>
    </Dialog>
  )
}
