import type { ListedRole } from '@burgee/protocol/administration/role'
import type { Role } from '@burgee/protocol/user'
import { Badge, Button, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { isCustomRole, isRootRole, ROLES_QUERY, removeRole } from '../api/access/roles.ts'
import type { EditSearch } from '../shell/edit-search-params.ts'
import { usePermissionCheck } from '../shell/session/session.tsx'
import { PEOPLE_TEXTS } from '../text/people.ts'
import { useCatalogue, useTexts } from '../text/texts.tsx'
import { useAction } from '../ui/messages/use-action.ts'
import { ListPage } from '../ui/page/list-page.tsx'
import { RowButton } from '../ui/page/row-button.tsx'
import { Table } from '../ui/page/table.tsx'
import { RoleEditor } from './role-editor.tsx'
import { RoleView } from './role-view.tsx'
import { ROLE_TEXTS } from './texts.ts'

const route = getRouteApi('/app/roles')

/** Page of built-in and custom roles. */
export function RolesPage() {
  const t = useCatalogue(ROLE_TEXTS)
  const { edit } = route.useSearch()
  const navigate = useNavigate()
  const mayChange = usePermissionCheck()('ADMIN')
  const answer = useQuery(ROLES_QUERY)
  const go = (search: EditSearch): void => void navigate({ to: '/roles', search })
  const edited = answer.data?.find((one) => String(one.id) === edit)
  const isViewed = edited !== undefined && !isCustomRole(edited)
  const { title, intro } = t
  return (
    <>
      <ListPage
        title={title}
        intro={intro}
        answer={answer}
        wanted={{ name: edit, isThere: edited !== undefined, forget: () => go({}) }}
        create={mayChange && <Button onClick={() => go({ edit: 'new' })}>{t.create}</Button>}
        empty={{ title: t.empty, text: t.emptyText }}
      >
        {(items) => <RoleTable roles={items} mayChange={mayChange} edit={(id) => go({ edit: String(id) })} />}
      </ListPage>
      {mayChange && isViewed && <RoleView key={edit} role={edited} close={() => go({})} />}
      {mayChange && !isViewed && (edited !== undefined || edit === 'new') && (
        <RoleEditor key={edit} id={edited?.id} implicit={edited?.implicitEnvironments ?? []} close={() => go({})} />
      )}
    </>
  )
}

interface TableProps {
  readonly roles: readonly ListedRole[]
  readonly mayChange: boolean
  readonly edit: (id: number) => void
}

function RoleTable({ roles, mayChange, edit }: TableProps) {
  const t = useTexts()
  const own = useCatalogue(ROLE_TEXTS)
  const { roles: builtIn } = useCatalogue(PEOPLE_TEXTS)
  return (
    <Table
      label={own.title}
      columns={[t.common.name, own.where, t.common.description, ...(mayChange ? [t.common.actions] : [])]}
    >
      {roles.map((role) => (
        <tr key={role.id}>
          <th scope="row">
            <Group gap="xs">
              {role.name}
              {!isCustomRole(role) && (
                <Badge variant="default" tt="none">
                  {own.builtIn}
                </Badge>
              )}
              {role.implicitEnvironments !== undefined && (
                <Badge color="yellow" variant="light" tt="none">
                  {own.implicitBadge}
                </Badge>
              )}
            </Group>
          </th>
          <td>{isRootRole(role) ? own.everywhere : own.inProjects}</td>
          <td>{(isCustomRole(role) ? role.description : builtIn[role.id]?.text) || '–'}</td>
          {mayChange && (
            <td>
              {isCustomRole(role) ? (
                <RowActions role={role} edit={edit} />
              ) : (
                <RowButton label={own.viewLabel(role.name)} text={own.view} act={() => edit(role.id)} />
              )}
            </td>
          )}
        </tr>
      ))}
    </Table>
  )
}

function RowActions({ role: { id, name }, edit }: { role: Role; edit: (id: number) => void }) {
  const t = useTexts()
  const own = useCatalogue(ROLE_TEXTS)
  const act = useAction()
  const remove = () =>
    act({
      what: own.remove(name),
      ask: { title: own.removeTitle(name), text: own.removeText, action: t.common.delete, isDanger: true },
      run: () => removeRole(id),
      done: own.removed(name),
      changes: ['roles'],
    })
  return (
    <Group gap="xs" wrap="nowrap" justify="flex-end">
      <RowButton label={own.editLabel(name)} text={t.common.edit} act={() => edit(id)} />
      <RowButton label={own.remove(name)} text={t.common.delete} isDanger act={remove} />
    </Group>
  )
}
