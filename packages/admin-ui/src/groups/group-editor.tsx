import type { Group, GroupInput } from '@burgee/protocol/administration/group'
import { MultiSelect, Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { createGroup, fetchGroup as readGroup, updateGroup } from '../api/access/groups.ts'
import { isRootRole, ROLES_QUERY } from '../api/access/roles.ts'
import { findLastEvent } from '../api/events.ts'
import type { WithEtag } from '../api/http.ts'
import { fetchUsers, getDisplayName } from '../api/users.ts'
import { ConflictNotice } from '../edit-conflict/conflict-notice.tsx'
import { EditorLoader } from '../edit-conflict/editor-loader.tsx'
import { replaceIfUnchanged, withoutEtag } from '../edit-conflict/replace-if-unchanged.ts'
import { useConditionalSave } from '../edit-conflict/use-conditional-save.ts'
import { useCatalogue, useTexts } from '../text/texts.tsx'
import { Dialog } from '../ui/dialog/dialog.tsx'
import { DescriptionField, NameField } from '../ui/form/fields.tsx'
import { Form } from '../ui/form/form.tsx'
import { ListInput } from '../ui/form/list-input.tsx'
import { showSuccess } from '../ui/messages/feedback.ts'
import { GROUP_TEXTS } from './texts.ts'

interface Props {
  /** Id of the edited group; undefined for a new group. */
  readonly id: number | undefined
  readonly close: () => void
}

/** Dialog that creates or edits a group with its members and roles, and reports concurrent changes. */
export function GroupEditor({ id, close }: Props) {
  const t = useCatalogue(GROUP_TEXTS)
  return (
    <Dialog title={id === undefined ? t.create : t.edit} close={close}>
      <EditorLoader of={id === undefined ? undefined : ['group', id]} read={() => withoutEtag(readGroup(id ?? 0))}>
        {(opened) => <GroupForm opened={opened} close={close} />}
      </EditorLoader>
    </Dialog>
  )
}

const NONE = ''

interface FormProps {
  readonly opened: WithEtag<Group> | undefined
  readonly close: () => void
}

function GroupForm({ opened, close }: FormProps) {
  const t = useCatalogue(GROUP_TEXTS)
  const { data: people = [] } = useQuery({ queryKey: ['users'], queryFn: fetchUsers })
  const { data: roles = [] } = useQuery(ROLES_QUERY)
  const [draft, setDraft] = useState(() => toDraft(opened?.value))
  const put = (change: Partial<Draft>): void => setDraft({ ...draft, ...change })
  const { save, conflict, take } = useSave(opened, close, (theirs) => setDraft(toDraft(theirs)))
  const { name, description, members, role, mappings } = draft
  const shown = useDraftFormatter(opened?.value, conflict?.theirs)
  const over = conflict && {
    notice: (
      <ConflictNotice
        kind="group"
        event={conflict.event}
        theirs={{ body: shown(toDraft(conflict.theirs)) }}
        mine={{ body: shown(draft) }}
      />
    ),
    take,
  }
  return (
    <Form
      save={save}
      close={close}
      draft={draft}
      conflict={over}
      isReady={name.trim() !== ''}
      submit={() => save.mutate(toInput(draft))}
      {...(opened === undefined ? { action: t.create } : {})}
    >
      <NameField value={name} maxLength={100} isFirst put={(next) => put({ name: next })} />
      <DescriptionField value={description} maxLength={1000} put={(next) => put({ description: next })} />
      <MultiSelect
        label={t.members}
        placeholder={members.length === 0 ? t.choose : ''}
        data={people.map((one) => ({ value: String(one.id), label: getDisplayName(one) }))}
        value={[...members]}
        searchable
        openOnFocus={false}
        onChange={(next) => put({ members: next })}
      />
      <Select
        label={t.role}
        description={t.roleHint}
        data={[
          { value: NONE, label: t.noRole },
          ...roles.filter(isRootRole).map((one) => ({ value: String(one.id), label: one.name })),
        ]}
        value={role}
        onChange={(value) => put({ role: value ?? NONE })}
      />
      <ListInput label={t.sso} description={t.ssoHint} value={[...mappings]} put={(next) => put({ mappings: next })} />
    </Form>
  )
}

interface Draft {
  readonly name: string
  readonly description: string
  /** Ids of users and of a role, as form values. */
  readonly members: readonly string[]
  readonly role: string
  readonly mappings: readonly string[]
}

const toDraft = (group: Group | undefined): Draft => ({
  name: group?.name ?? '',
  description: group?.description ?? '',
  mappings: group?.mappingsSSO ?? [],
  members: (group?.users ?? []).map(({ user }) => user.id).map(String),
  role: String(group?.rootRole ?? NONE),
})

const toInput = ({ name, description, members, role, mappings }: Draft): GroupInput => ({
  name: name.trim(),
  description: description.trim(),
  mappingsSSO: [...mappings],
  rootRole: role === NONE ? null : Number(role),
  users: members
    .map(Number)
    .sort((a, b) => a - b)
    .map((id) => ({ user: { id } })),
})

/** Returns a function that formats a draft for display, with names instead of ids. */
function useDraftFormatter(
  ...known: readonly (Group | undefined)[]
): (draft: Draft) => Readonly<Record<string, unknown>> {
  const t = useCatalogue(GROUP_TEXTS)
  const { name: nameWord, description: descriptionWord } = useTexts().common
  const { data: people = [] } = useQuery({ queryKey: ['users'], queryFn: fetchUsers })
  const { data: roles = [] } = useQuery(ROLES_QUERY)
  const all = [...people, ...known.flatMap((group) => (group?.users ?? []).map(({ user }) => user))]
  const names = new Map(all.map((one) => [String(one.id), getDisplayName(one)]))
  return ({ name, description, members, role, mappings }) => ({
    [nameWord]: name.trim(),
    [descriptionWord]: description.trim(),
    [t.members]: members
      .map((id) => names.get(id) ?? `#${id}`)
      .sort()
      .join(', '),
    [t.role]: roles.find(({ id }) => String(id) === role)?.name ?? '',
    [t.sso]: mappings.join(', '),
  })
}

function useSave(opened: WithEtag<Group> | undefined, close: () => void, begin: (theirs: Group) => void) {
  const t = useCatalogue(GROUP_TEXTS)
  const bodyOf = (group: Group) => toInput(toDraft(group))
  return useConditionalSave<Group, GroupInput>({
    opened,
    begin,
    bodyOf,
    create: createGroup,
    replace: (from, body) =>
      replaceIfUnchanged(from, { read: () => readGroup(from.id), bodyOf }, () => updateGroup(from.id, body)),
    read: ({ id }) => withoutEtag(readGroup(id)),
    // Membership changes have separate events.
    lastChange: ({ id }) => findLastEvent({ q: 'group-u' }, (state) => (state.groupId ?? state.id) === id),
    changes: [['groups'], ['people'], ['members'], ['me']],
    done: ({ name }) => {
      close()
      showSuccess(opened === undefined ? t.created(name) : t.saved(name))
    },
  })
}
