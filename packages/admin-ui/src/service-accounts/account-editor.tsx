import type { ServiceAccount } from '@burgee/protocol/administration/service-account'
import { Select, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { isRootRole, ROLES_QUERY } from '../api/access/roles.ts'
import { createServiceAccount, updateServiceAccount } from '../api/access/service-accounts.ts'
import { useRefetch } from '../api/use-refetch.ts'
import { getDisplayName } from '../api/users.ts'
import { useCatalogue } from '../text/texts.tsx'
import { Dialog } from '../ui/dialog/dialog.tsx'
import { Form } from '../ui/form/form.tsx'
import { showSuccess } from '../ui/messages/feedback.ts'
import { SERVICE_ACCOUNT_TEXTS } from './texts.ts'

const VIEWER = '3'

interface Props {
  readonly opened: boolean
  /** Edited account; undefined for a new account. */
  readonly account: ServiceAccount | undefined
  readonly close: () => void
}

/** Dialog that creates a service account or changes its name and role. */
export function AccountEditor({ opened, ...props }: Props) {
  const t = useCatalogue(SERVICE_ACCOUNT_TEXTS)
  return (
    <Dialog title={props.account === undefined ? t.create : t.edit} opened={opened} close={props.close}>
      <AccountForm {...props} />
    </Dialog>
  )
}

function AccountForm({ account, close }: Omit<Props, 'opened'>) {
  const t = useCatalogue(SERVICE_ACCOUNT_TEXTS)
  const { data: roles = [] } = useQuery(ROLES_QUERY)
  const [username, setUsername] = useState(account?.username ?? '')
  const [name, setName] = useState(account?.name ?? '')
  const [role, setRole] = useState(String(account?.rootRole ?? VIEWER))
  const refetch = useRefetch()
  const save = useMutation({
    mutationFn: () => {
      const common = { name: name.trim(), rootRole: Number(role) }
      return account === undefined
        ? createServiceAccount({ ...common, username: username.trim() })
        : updateServiceAccount(account.id, common)
    },
    onSuccess: async (saved) => {
      await refetch(['service-accounts'], ['people'], ['events'])
      close()
      showSuccess(account === undefined ? t.created(getDisplayName(saved)) : t.saved(getDisplayName(saved)))
    },
  })
  return (
    <Form
      save={save}
      close={close}
      isReady={username.trim() !== ''}
      draft={[username, name, role]}
      submit={() => save.mutate()}
      {...(account === undefined ? { action: t.create } : {})}
    >
      <TextInput
        label={t.username}
        value={username}
        maxLength={100}
        required
        readOnly={account !== undefined}
        data-autofocus={account === undefined || undefined}
        onChange={(event) => setUsername(event.currentTarget.value)}
      />
      <TextInput
        label={t.fullName}
        value={name}
        maxLength={200}
        data-autofocus={account !== undefined || undefined}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Select
        label={t.role}
        data={roles.filter(isRootRole).map((one) => ({ value: String(one.id), label: one.name }))}
        value={role}
        allowDeselect={false}
        onChange={(value) => setRole(value ?? VIEWER)}
      />
    </Form>
  )
}
