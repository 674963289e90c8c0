import { Badge, Button, Group, Select, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { type Members as AllMembers, type Member, members, setMemberRoles } from '../api/members.ts'
import { useMay } from '../shell/session/session.tsx'
import { PEOPLE_TEXTS } from '../text/people.ts'
import { useCatalogue, useTexts } from '../text/texts.tsx'
import { useAct } from '../ui/messages/use-act.ts'
import { Loaded } from '../ui/page/list-page.tsx'
import { Notice } from '../ui/page/problem.tsx'
import { RowButton } from '../ui/page/row-button.tsx'
import { Table } from '../ui/page/table.tsx'
import { AddMembersDialog } from './add-members.tsx'
import { PROJECT_SETTING_TEXTS } from './texts.ts'

const route = getRouteApi('/app/projects/$project/settings')
const CHANGES = ['members', 'projects', 'project', 'me']

/** Who has a role in a project. */
export function Members({ project }: { project: string }) {
  const { members: own } = useCatalogue(PROJECT_SETTING_TEXTS)
  const { edit } = route.useSearch()
  const navigate = useNavigate()
  const mayChange = useMay()('UPDATE_PROJECT', { project })
  const answer = useQuery({ queryKey: ['members', project], queryFn: () => members(project) })
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
            <MemberTable project={project} access={access} />
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

function MemberTable({ project, access }: { project: string; access: AllMembers }) {
  const t = useTexts()
  const { members: own } = useCatalogue(PROJECT_SETTING_TEXTS)
  const { person } = useCatalogue(PEOPLE_TEXTS)
  return (
    <Table label={own.title} columns={[person.user, person.email, own.role, t.common.actions]}>
      {access.members.map((member) => (
        <MemberRow key={`${member.kind}-${member.id}`} project={project} member={member} known={access.roles} />
      ))}
    </Table>
  )
}

interface RowProps {
  readonly project: string
  readonly member: Member
  /** Roles there are to have. */
  readonly known: AllMembers['roles']
}

function MemberRow({ project, member, known }: RowProps) {
  const t = useTexts()
  const { members: own } = useCatalogue(PROJECT_SETTING_TEXTS)
  const act = useAct()
  const { name } = member
  const nameOf = (role: number): string => known.find(({ id }) => id === role)?.name ?? String(role)
  const give = (role: number) =>
    act({
      what: own.roleOf(name),
      run: () => setMemberRoles(project, member, [role]),
      done: own.changed(name, nameOf(role)),
      undo: { run: () => setMemberRoles(project, member, member.roles), done: own.changedBack(name) },
      changes: CHANGES,
    })
  const remove = () =>
    act({
      what: own.remove(name),
      ask: { title: own.removeTitle(name), text: own.removeText, action: t.common.remove, isDanger: true },
      run: () => setMemberRoles(project, member, []),
      done: own.removed(name),
      undo: { run: () => setMemberRoles(project, member, member.roles), done: own.restored(name) },
      changes: CHANGES,
    })
  return (
    <tr>
      <th scope="row">
        <Group gap="xs">
          {name}
          {member.kind === 'group' && (
            <Badge variant="default" tt="none">
              {own.group}
            </Badge>
          )}
        </Group>
      </th>
      <td>{member.email || '–'}</td>
      <td>
        <Select
          aria-label={own.roleOf(name)}
          data={[...new Set([...known.map(({ id }) => id), ...member.roles])].map((role) => ({
            value: String(role),
            label: nameOf(role),
          }))}
          value={String(member.roles[0])}
          w={180}
          allowDeselect={false}
          onChange={(role) => role !== null && role !== String(member.roles[0]) && void give(Number(role))}
        />
      </td>
      <td>
        <RowButton label={own.remove(name)} text={t.common.remove} isDanger act={remove} />
      </td>
    </tr>
  )
}
