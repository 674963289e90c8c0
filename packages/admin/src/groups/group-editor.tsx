import type { Group, GroupInput } from '@burgee/protocol/administration/group'
import { MultiSelect, Select } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { createGroup, updateGroup } from '../api/access/groups.ts'
import { isOfEverywhere, ROLES_QUERY } from '../api/access/roles.ts'
import { useRefetch } from '../api/use-refetch.ts'
import { callName, users } from '../api/users.ts'
import { useCatalogue } from '../text/texts.tsx'
import { Dialog } from '../ui/dialog/dialog.tsx'
import { DescriptionField, NameField } from '../ui/form/fields.tsx'
import { Form } from '../ui/form/form.tsx'
import { ListInput } from '../ui/form/list-input.tsx'
import { tellDone } from '../ui/messages/feedback.ts'
import { GROUP_TEXTS } from './texts.ts'

interface Props {
  readonly opened: boolean
  /** Which one is changed; undefined for a new one. */
  readonly group: Group | undefined
  readonly close: () => void
}

/** Makes a group, or changes who is in it and what it gives. */
export function GroupEditor({ opened, ...props }: Props) {
  const t = useCatalogue(GROUP_TEXTS)
  return (
    <Dialog title={props.group === undefined ? t.create : t.edit} opened={opened} close={props.close}>
      <GroupForm {...props} />
    </Dialog>
  )
}

const NONE = ''

function GroupForm({ group, close }: Omit<Props, 'opened'>) {
  const t = useCatalogue(GROUP_TEXTS)
  const { data: people = [] } = useQuery({ queryKey: ['users'], queryFn: users })
  const { data: roles = [] } = useQuery(ROLES_QUERY)
  const [name, setName] = useState(group?.name ?? '')
  const [description, setDescription] = useState(group?.description ?? '')
  const [members, setMembers] = useState(() => (group?.users ?? []).map(({ user }) => String(user.id)))
  const [role, setRole] = useState(String(group?.rootRole ?? NONE))
  const [mappings, setMappings] = useState(group?.mappingsSSO ?? [])
  const body: GroupInput = {
    ...{ name: name.trim(), description: description.trim(), mappingsSSO: mappings },
    rootRole: role === NONE ? null : Number(role),
    users: members.map((id) => ({ user: { id: Number(id) } })),
  }
  const save = useSave(group, close)
  return (
    <Form
      {...{ save, close, isReady: body.name !== '' }}
      draft={body}
      submit={() => save.mutate(body)}
      {...(group === undefined ? { action: t.create } : {})}
    >
      <NameField value={name} maxLength={100} isFirst put={setName} />
      <DescriptionField value={description} maxLength={1000} put={setDescription} />
      <MultiSelect
        label={t.members}
        placeholder={members.length === 0 ? t.choose : ''}
        data={people.map((one) => ({ value: String(one.id), label: callName(one) }))}
        value={members}
        searchable
        openOnFocus={false}
        onChange={setMembers}
      />
      <Select
        label={t.role}
        description={t.roleHint}
        data={[
          { value: NONE, label: t.noRole },
          ...roles.filter(isOfEverywhere).map((one) => ({ value: String(one.id), label: one.name })),
        ]}
        value={role}
        onChange={(value) => setRole(value ?? NONE)}
      />
      <ListInput label={t.sso} description={t.ssoHint} value={[...mappings]} put={setMappings} />
    </Form>
  )
}

function useSave(group: Group | undefined, close: () => void) {
  const t = useCatalogue(GROUP_TEXTS)
  const refetch = useRefetch()
  return useMutation({
    mutationFn: (body: GroupInput) => (group === undefined ? createGroup(body) : updateGroup(group.id, body)),
    onSuccess: async ({ name }) => {
      await refetch(['groups'], ['people'], ['members'], ['me'], ['events'])
      close()
      tellDone(group === undefined ? t.created(name) : t.saved(name))
    },
  })
}
