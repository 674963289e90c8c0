import type { User } from '@burgee/protocol/access'
import { Badge, Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { ROLES_QUERY } from '../api/access/roles.ts'
import { endAllSessions, endUserSessions, fetchUsers, getDisplayName, removeUser } from '../api/users.ts'
import { Person } from '../people/person.tsx'
import type { EditSearch } from '../shell/edit-search-params.ts'
import { useMe, usePermissionCheck } from '../shell/session/session.tsx'
import { PEOPLE_TEXTS } from '../text/people.ts'
import { useCatalogue, useFormat, useTexts } from '../text/texts.tsx'
import { useAction } from '../ui/messages/use-action.ts'
import { ListPage } from '../ui/page/list-page.tsx'
import { RowButton } from '../ui/page/row-button.tsx'
import { type RowAction, RowMenu } from '../ui/page/row-menu.tsx'
import { Table } from '../ui/page/table.tsx'
import ui from '../ui/ui.module.css'
import { CredentialDialog, type OneTimeCredential, ResetPasswordDialog } from './one-time-credential.tsx'
import { USER_TEXTS } from './texts.ts'
import { UserEditor } from './user-editor.tsx'

const route = getRouteApi('/app/users')

/** Page of all users, who can be created, edited and removed. */
export function UsersPage() {
  const t = useCatalogue(USER_TEXTS)
  const { edit } = route.useSearch()
  const navigate = useNavigate()
  const may = usePermissionCheck()
  const [made, setMade] = useState<OneTimeCredential>()
  const [renewed, setRenewed] = useState<User>()
  const answer = useQuery({ queryKey: ['users'], queryFn: fetchUsers })
  const { title, intro, empty, emptyText, create } = t.users
  const go = (search: EditSearch): void => void navigate({ to: '/users', search })
  const edited = answer.data?.find(({ id }) => String(id) === edit)
  const isOpen = may('ADMIN') && (edit === 'new' || edited !== undefined)
  return (
    <>
      <ListPage
        title={title}
        intro={intro}
        answer={answer}
        wanted={{ name: edit, isThere: edited !== undefined, forget: () => go({}) }}
        create={
          may('ADMIN') && (
            <Group gap="xs">
              <EndAllButton />
              <Button onClick={() => go({ edit: 'new' })}>{create}</Button>
            </Group>
          )
        }
        empty={{ title: empty, text: emptyText }}
      >
        {(items) => <UserTable users={items} edit={(id) => go({ edit: String(id) })} renew={setRenewed} />}
      </ListPage>
      <UserEditor opened={isOpen} user={edited} close={() => go({})} made={setMade} />
      <ResetPasswordDialog user={renewed} close={() => setRenewed(undefined)} made={setMade} />
      <CredentialDialog pass={made} close={() => setMade(undefined)} />
    </>
  )
}

function EndAllButton() {
  const { users: own } = useCatalogue(USER_TEXTS)
  const act = useAction()
  const end = () =>
    act({
      what: own.endAll,
      ask: { title: own.endAllTitle, text: own.endAllText, action: own.endAll, isDanger: true },
      run: endAllSessions,
      done: own.endedAll,
      changes: ['sessions'],
    })
  return (
    <Button variant="default" onClick={() => void end()}>
      {own.endAll}
    </Button>
  )
}

interface TableProps {
  readonly users: readonly User[]
  readonly edit: (id: number) => void
  readonly renew: (user: User) => void
}

function UserTable({ users, edit, renew }: TableProps) {
  const t = useTexts()
  const { users: own } = useCatalogue(USER_TEXTS)
  const { roles } = useCatalogue(PEOPLE_TEXTS)
  const { ago, date } = useFormat()
  const { data: known = [] } = useQuery(ROLES_QUERY)
  const me = useMe()
  const myId = (me?.user as Partial<User> | undefined)?.id
  return (
    <Table label={own.title} columns={[own.user, own.role, own.lastLogin, t.common.created, t.common.actions]}>
      {users.map((user) => (
        <tr key={user.id}>
          <th scope="row">
            <Group gap="xs" wrap="nowrap">
              <Person name={getDisplayName(user)} about={listOtherNames(user)} />
              {user.id === myId && (
                <Badge variant="default" tt="none">
                  {own.you}
                </Badge>
              )}
              {!user.active && (
                <Badge variant="light" color="gray" tt="none">
                  {own.deactivated}
                </Badge>
              )}
            </Group>
          </th>
          <td>{known.find(({ id }) => id === user.rootRole)?.name ?? roles[user.rootRole]?.name ?? user.rootRole}</td>
          <td>
            {user.seenAt === null ? t.common.never : ago(user.seenAt)}
            {user.mustChangePassword && (
              <Text size="sm" c="dimmed">
                {own.mustChange}
              </Text>
            )}
          </td>
          <td className={ui.short}>{date(user.createdAt)}</td>
          <td>
            <RowActions user={user} isMe={user.id === myId} edit={edit} renew={renew} />
          </td>
        </tr>
      ))}
    </Table>
  )
}

/** Returns the login names of a user, except the one that is the display name. */
const listOtherNames = (user: User): string[] =>
  [user.username, user.email].flatMap((name) => (name === undefined || name === getDisplayName(user) ? [] : [name]))

interface ActionProps extends Omit<TableProps, 'users'> {
  readonly user: User
  readonly isMe: boolean
}

/** Actions on a user. The logged-in user's own row only offers editing. */
function RowActions({ user, isMe, edit, renew }: ActionProps) {
  const t = useTexts()
  const { users: own } = useCatalogue(USER_TEXTS)
  const act = useAction()
  const name = getDisplayName(user)
  const remove = () =>
    act({
      what: own.remove(name),
      ask: { title: own.removeTitle(name), text: own.removeText, action: t.common.delete, isDanger: true },
      run: () => removeUser(user.id),
      done: own.removed(name),
      changes: ['users', 'members', 'people'],
    })
  const end = () =>
    act({
      what: own.endSessionsLabel(name),
      ask: { title: own.endSessionsTitle(name), text: own.endSessionsText, action: own.endSessions, isDanger: true },
      run: () => endUserSessions(user.id),
      done: own.endedSessions(name),
      changes: ['users'],
    })
  const acts: readonly RowAction[] = [
    { label: own.endSessionsLabel(name), text: own.endSessions, act: end },
    { label: own.remove(name), text: t.common.delete, isDanger: true, act: remove },
  ]
  return (
    <Group gap="xs" wrap="nowrap">
      <RowButton label={own.editLabel(name)} text={t.common.edit} act={() => edit(user.id)} />
      {!isMe && <RowButton label={own.passwordLabel(name)} text={own.password} act={() => renew(user)} />}
      {!isMe && <RowMenu label={`${t.common.more}: ${name}`} acts={acts} />}
    </Group>
  )
}
