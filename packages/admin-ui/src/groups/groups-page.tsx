import type { Group as PeopleGroup } from '@burgee/protocol/administration/group'
import { Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { fetchGroups, removeGroup } from '../api/access/groups.ts'
import { ROLES_QUERY } from '../api/access/roles.ts'
import { getDisplayName } from '../api/users.ts'
import { Person } from '../people/person.tsx'
import type { EditSearch } from '../shell/edit-search-params.ts'
import { useProjectName } from '../shell/project/project-name.tsx'
import { usePermissionCheck } from '../shell/session/session.tsx'
import { PEOPLE_TEXTS } from '../text/people.ts'
import { useCatalogue, useTexts } from '../text/texts.tsx'
import { useAction } from '../ui/messages/use-action.ts'
import { ListPage } from '../ui/page/list-page.tsx'
import { RowButton } from '../ui/page/row-button.tsx'
import { Table } from '../ui/page/table.tsx'
import { GroupEditor } from './group-editor.tsx'
import { GROUP_TEXTS } from './texts.ts'

const route = getRouteApi('/app/groups')
const MAX_MEMBERS_SHOWN = 5

/** Page of user groups, which can be created, edited and removed. */
export function GroupsPage() {
  const t = useCatalogue(GROUP_TEXTS)
  const { edit } = route.useSearch()
  const navigate = useNavigate()
  const isAdmin = usePermissionCheck()('ADMIN')
  const answer = useQuery({ queryKey: ['groups'], queryFn: fetchGroups })
  const go = (search: EditSearch): void => void navigate({ to: '/groups', search })
  const edited = answer.data?.find(({ id }) => String(id) === edit)
  const { title, intro } = t
  return (
    <>
      <ListPage
        title={title}
        intro={intro}
        answer={answer}
        wanted={{ name: edit, isThere: edited !== undefined, forget: () => go({}) }}
        create={isAdmin && <Button onClick={() => go({ edit: 'new' })}>{t.create}</Button>}
        empty={{ title: t.empty, text: t.emptyText }}
      >
        {(items) => <GroupTable groups={items} edit={(id) => go({ edit: String(id) })} />}
      </ListPage>
      {isAdmin && (edited !== undefined || edit === 'new') && (
        <GroupEditor key={edit} id={edited?.id} close={() => go({})} />
      )}
    </>
  )
}

interface TableProps {
  readonly groups: readonly PeopleGroup[]
  readonly edit: (id: number) => void
}

function GroupTable({ groups, edit }: TableProps) {
  const t = useTexts()
  const own = useCatalogue(GROUP_TEXTS)
  const { data: roles = [] } = useQuery(ROLES_QUERY)
  const nameOf = useProjectName()
  return (
    <Table label={own.title} columns={[t.common.name, own.members, own.role, own.projects, t.common.actions]}>
      {groups.map((group) => (
        <tr key={group.id}>
          <th scope="row">
            {group.name}
            {group.description && (
              <Text size="sm" c="dimmed">
                {group.description}
              </Text>
            )}
          </th>
          <td>
            <Members group={group} />
          </td>
          <td>{roles.find(({ id }) => id === group.rootRole)?.name ?? '–'}</td>
          <td>{group.projects.map(nameOf).join(', ') || '–'}</td>
          <td>
            <RowActions group={group} edit={edit} />
          </td>
        </tr>
      ))}
    </Table>
  )
}

/** The first few members of a group, and the number of remaining members. */
function Members({ group: { users } }: { group: PeopleGroup }) {
  const { person } = useCatalogue(PEOPLE_TEXTS)
  const rest = users.length - MAX_MEMBERS_SHOWN
  if (users.length === 0) return '–'
  return (
    <Group gap="xs">
      {users.slice(0, MAX_MEMBERS_SHOWN).map(({ user }) => (
        <span key={user.id}>
          <Person name={getDisplayName(user)} />
          {!user.active && ` (${person.deactivated})`}
        </span>
      ))}
      {rest > 0 && <span>+{rest}</span>}
    </Group>
  )
}

function RowActions({ group: { id, name }, edit }: { group: PeopleGroup; edit: (id: number) => void }) {
  const t = useTexts()
  const own = useCatalogue(GROUP_TEXTS)
  const act = useAction()
  const remove = () =>
    act({
      what: own.remove(name),
      ask: { title: own.removeTitle(name), text: own.removeText, action: t.common.delete, isDanger: true },
      run: () => removeGroup(id),
      done: own.removed(name),
      changes: ['groups', 'members', 'people', 'me'],
    })
  return (
    <Group gap="xs" wrap="nowrap">
      <RowButton label={own.editLabel(name)} text={t.common.edit} act={() => edit(id)} />
      <RowButton label={own.remove(name)} text={t.common.delete} isDanger act={remove} />
    </Group>
  )
}
