import type { Environment } from '@burgee/protocol/project'
import { Badge, Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { ENVIRONMENTS } from '../api/queries.ts'
import type { EditSearch } from '../shell/edit-search-params.ts'
import { EnvironmentChip } from '../shell/environment/environment-chip.tsx'
import { usePermissionCheck } from '../shell/session/session.tsx'
import { useCatalogue, useFormat, useTexts } from '../text/texts.tsx'
import { ListPage } from '../ui/page/list-page.tsx'
import { Table } from '../ui/page/table.tsx'
import ui from '../ui/ui.module.css'
import { EnvironmentActions } from './environment-actions.tsx'
import { EnvironmentEditor } from './environment-editor.tsx'
import { ENVIRONMENT_TEXTS } from './texts.ts'

const route = getRouteApi('/app/environments')
/** Only admins may change environments. */
const REQUIRED_PERMISSION = 'ADMIN'

/** Page with all environments, which can be created, sorted, enabled, disabled and removed. */
export function EnvironmentsPage() {
  const { environments: own } = useCatalogue(ENVIRONMENT_TEXTS)
  const { edit } = route.useSearch()
  const navigate = useNavigate()
  const mayChange = usePermissionCheck()(REQUIRED_PERMISSION)
  const answer = useQuery(ENVIRONMENTS)
  const { title, intro, empty, emptyText } = own
  const go = (search: EditSearch): void => void navigate({ to: '/environments', search })
  const edited = answer.data?.find(({ name }) => name === edit)
  return (
    <>
      <ListPage
        title={title}
        intro={intro}
        answer={answer}
        wanted={{ name: edit, isThere: edited !== undefined, forget: () => go({}) }}
        create={mayChange && <Button onClick={() => go({ edit: 'new' })}>{own.create}</Button>}
        empty={{ title: empty, text: emptyText }}
      >
        {(items) => <EnvironmentTable environments={items} mayChange={mayChange} edit={(name) => go({ edit: name })} />}
      </ListPage>
      <EnvironmentEditor
        opened={mayChange && (edited !== undefined || (edit === 'new' && answer.data !== undefined))}
        environment={edited}
        close={() => go({})}
      />
    </>
  )
}

interface TableProps {
  readonly environments: readonly Environment[]
  readonly mayChange: boolean
  readonly edit: (name: string) => void
}

function EnvironmentTable({ environments, mayChange, edit }: TableProps) {
  const t = useTexts()
  const { environments: own } = useCatalogue(ENVIRONMENT_TEXTS)
  const { number } = useFormat()
  const names = environments.map(({ name }) => name)
  return (
    <Table
      label={own.title}
      isDense
      columns={[
        ...[t.common.name, own.type, t.flags.state],
        ...[own.enabledFlags, own.projects, own.tokens].map((heading) => ({ number: heading })),
        ...(mayChange ? [t.common.actions] : []),
      ]}
    >
      {environments.map((one) => (
        <tr key={one.name}>
          <th scope="row">
            <EnvironmentChip name={one.name} />
          </th>
          <td>{own.types[one.type] ?? one.type}</td>
          <td>
            <Badge variant={one.enabled ? 'light' : 'default'} tt="none">
              {one.enabled ? own.active : own.inactive}
            </Badge>
          </td>
          <td className={ui.number}>{number(one.enabledToggleCount)}</td>
          <td className={ui.number}>{number(one.projectCount)}</td>
          <td className={ui.number}>{number(one.apiTokenCount)}</td>
          {mayChange && (
            <td>
              <EnvironmentActions environment={one} names={names} edit={edit} />
            </td>
          )}
        </tr>
      ))}
    </Table>
  )
}
