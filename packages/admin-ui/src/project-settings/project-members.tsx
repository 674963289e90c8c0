import { Badge, Button, Group, MultiSelect, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useRef } from 'react'
import {
  type ProjectMembers as AllMembers,
  type ChangedRoles,
  changeMemberRoles,
  fetchMembers,
  type Member,
  removeMember,
} from '../api/members.ts'
import { Person } from '../people/person.tsx'
import { usePermissionCheck } from '../shell/session/session.tsx'
import { PEOPLE_TEXTS } from '../text/people.ts'
import { useCatalogue, useTexts } from '../text/texts.tsx'
import { useAction } from '../ui/messages/use-action.ts'
import { Loaded } from '../ui/page/list-page.tsx'
import { Notice } from '../ui/page/problem.tsx'
import { RowButton } from '../ui/page/row-button.tsx'
import { Table } from '../ui/page/table.tsx'
import { AddMembersDialog } from './add-members.tsx'
import { PROJECT_SETTING_TEXTS } from './texts.ts'

const route = getRouteApi('/app/projects/$project/settings')
const AFFECTED_QUERIES = ['members', 'projects', 'project', 'me']

/** Members of a project with their roles. */
export function ProjectMembersSection({ project }: { project: string }) {
  const { members: own } = useCatalogue(PROJECT_SETTING_TEXTS)
  const { edit } = route.useSearch()
  const navigate = useNavigate()
  const mayChange = usePermissionCheck()('PROJECT_USER_ACCESS_WRITE', { project })
  const answer = useQuery({ queryKey: ['members', project], queryFn: () => fetchMembers(project) })
  const go = (search: { tab: 'members'; edit?: string }): void =>
    void navigate({ to: '/projects/$project/settings', params: { project }, search })
  const add = mayChange && <Button onClick={() => go({ tab: 'members', edit: 'new' })}>{own.add}</Button>
  return (
    <>
      <Group justify="space-between" mb="md">
        <Text c="dimmed">{own.intro}</Text>
        {add}
      </Group>
      <Loaded answer={answer}>
        {(access) =>
          access.members.length === 0 ? (
            <Notice title={own.empty} action={add}>
              {own.emptyText}
            </Notice>
          ) : (
            <MemberTable project={project} access={access} mayChange={mayChange} />
          )
        }
      </Loaded>
      {answer.data !== undefined && mayChange && (
        <AddMembersDialog
          project={project}
          access={answer.data}
          opened={edit === 'new'}
          close={() => go({ tab: 'members' })}
        />
      )}
    </>
  )
}

interface TableProps {
  readonly project: string
  readonly access: AllMembers
  readonly mayChange: boolean
}

function MemberTable({ project, access, mayChange }: TableProps) {
  const t = useTexts()
  const { members: own } = useCatalogue(PROJECT_SETTING_TEXTS)
  const { person } = useCatalogue(PEOPLE_TEXTS)
  const columns = [person.user, person.email, own.roles, ...(mayChange ? [t.common.actions] : [])]
  return (
    <Table label={own.title} columns={columns}>
      {access.members.map((member) => (
        <MemberRow
          key={`${member.kind}-${member.id}`}
          project={project}
          member={member}
          mayChange={mayChange}
          known={access.roles}
        />
      ))}
    </Table>
  )
}

interface RowProps {
  readonly project: string
  readonly member: Member
  /** Available roles. */
  readonly known: AllMembers['roles']
  readonly mayChange: boolean
}

function MemberRow({ project, member, known, mayChange }: RowProps) {
  const t = useTexts()
  const { members: own } = useCatalogue(PROJECT_SETTING_TEXTS)
  const { name } = member
  const nameOf = (role: number): string => known.find(({ id }) => id === role)?.name ?? String(role)
  const { give, remove } = useRoleActions(project, member, nameOf)
  return (
    <tr>
      <th scope="row">
        <MemberName member={member} />
      </th>
      <td>{member.email || '–'}</td>
      <td>
        {mayChange ? (
          <RoleChoice
            member={member}
            known={known}
            nameOf={nameOf}
            put={(roles) => (roles.length > 0 ? give(roles) : void remove())}
          />
        ) : (
          member.roles.map(nameOf).join(', ')
        )}
      </td>
      {mayChange && (
        <td>
          <RowButton label={own.remove(name)} text={t.common.remove} isDanger act={remove} />
        </td>
      )}
    </tr>
  )
}

/**
 * Returns functions that change the roles of a member or remove the member from the project. Preserves concurrent
 * changes by other users.
 */
function useRoleActions(project: string, member: Member, nameOf: (role: number) => string) {
  const t = useTexts()
  const { members: own } = useCatalogue(PROJECT_SETTING_TEXTS)
  const act = useAction()
  const { name } = member
  // Handles clicks one after another: each change waits for the previous one.
  const last = useRef<Promise<unknown>>(Promise.resolve())
  const give = (roles: readonly number[]) => {
    const given = roles.filter((role) => !member.roles.includes(role))
    const taken = member.roles.filter((role) => !roles.includes(role))
    let changed: ChangedRoles = { roles, given, taken }
    const change = {
      what: own.rolesOf(name),
      run: async () => {
        changed = await changeMemberRoles(project, member, { given, taken })
      },
      done: () => own.changed(name, changed.roles.map(nameOf).join(', ')),
      undo: {
        run: () => changeMemberRoles(project, member, { given: changed.taken, taken: changed.given }),
        done: own.changedBack(name),
      },
      changes: AFFECTED_QUERIES,
    }
    last.current = last.current.then(() => act(change))
  }
  const remove = () => {
    let taken = member.roles
    return act({
      what: own.remove(name),
      ask: { title: own.removeTitle(name), text: own.removeText, action: t.common.remove, isDanger: true },
      run: async () => {
        ;({ taken } = await removeMember(project, member))
      },
      done: own.removed(name),
      undo: {
        run: () => changeMemberRoles(project, member, { given: taken, taken: [] }),
        done: own.restored(name),
      },
      changes: AFFECTED_QUERIES,
    })
  }
  return { give, remove }
}

function MemberName({ member: { name, kind, isActive } }: { member: Member }) {
  const { members: own } = useCatalogue(PROJECT_SETTING_TEXTS)
  const { person } = useCatalogue(PEOPLE_TEXTS)
  return (
    <Group gap="xs" wrap="nowrap">
      <Person name={name} />
      {kind === 'group' && (
        <Badge variant="default" tt="none">
          {own.group}
        </Badge>
      )}
      {!isActive && (
        <Badge variant="light" color="gray" tt="none">
          {person.deactivated}
        </Badge>
      )}
    </Group>
  )
}

interface ChoiceProps {
  readonly member: Member
  readonly known: AllMembers['roles']
  readonly nameOf: (role: number) => string
  /** Called with all selected roles. An empty list removes the member from the project. */
  readonly put: (roles: readonly number[]) => void
}

function RoleChoice({ member, known, nameOf, put }: ChoiceProps) {
  const { members: own } = useCatalogue(PROJECT_SETTING_TEXTS)
  return (
    <MultiSelect
      aria-label={own.rolesOf(member.name)}
      data={[...new Set([...known.map(({ id }) => id), ...member.roles])].map((role) => ({
        value: String(role),
        label: nameOf(role),
      }))}
      value={member.roles.map(String)}
      w={280}
      maw="100%"
      searchable
      onChange={(roles) => put(roles.map(Number))}
    />
  )
}
