import type { SignalEndpoint } from '@burgee/protocol/administration/signal-endpoint'
import { Button, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { removeSignalEndpoint, SIGNAL_ENDPOINTS } from '../api/signal-endpoints.ts'
import type { EditSearch } from '../shell/edit-search-params.ts'
import { usePermissionCheck } from '../shell/session/session.tsx'
import { useCatalogue, useTexts } from '../text/texts.tsx'
import { useAction } from '../ui/messages/use-action.ts'
import { ListPage } from '../ui/page/list-page.tsx'
import { RelativeTime } from '../ui/page/relative-time.tsx'
import { RowButton } from '../ui/page/row-button.tsx'
import { Table } from '../ui/page/table.tsx'
import { CreateEndpoint } from './create-endpoint.tsx'
import { SIGNAL_TEXTS } from './texts.ts'

const route = getRouteApi('/app/signal-endpoints')
const REQUIRED_PERMISSION = 'ADMIN'

/** Page about the endpoints to which other systems report alerts. */
export function SignalsPage() {
  const t = useCatalogue(SIGNAL_TEXTS)
  const { common } = useTexts()
  const { edit } = route.useSearch()
  const navigate = useNavigate()
  const mayChange = usePermissionCheck()(REQUIRED_PERMISSION)
  const answer = useQuery(SIGNAL_ENDPOINTS)
  const go = (search: EditSearch): void => void navigate({ to: '/signal-endpoints', search })
  return (
    <>
      <ListPage
        title={t.title}
        intro={t.intro}
        answer={answer}
        create={mayChange && <Button onClick={() => go({ edit: 'new' })}>{t.create}</Button>}
        empty={{ title: t.empty, text: t.emptyText }}
      >
        {(endpoints) => (
          <Table label={t.title} columns={[common.name, t.trusts, common.created, t.lastUsed, common.actions]}>
            {endpoints.map((one) => (
              <Row key={one.name} endpoint={one} />
            ))}
          </Table>
        )}
      </ListPage>
      {edit === 'new' && mayChange && <CreateEndpoint close={() => go({})} />}
    </>
  )
}

function Row({ endpoint: { name, createdAt, lastUsedAt } }: { endpoint: SignalEndpoint }) {
  const t = useCatalogue(SIGNAL_TEXTS)
  const { common } = useTexts()
  const act = useAction()
  const remove = () =>
    act({
      what: t.remove(name),
      ask: { title: t.removeTitle(name), text: t.removeText, action: common.delete, isDanger: true },
      run: () => removeSignalEndpoint(name),
      done: t.removed(name),
      changes: ['signal-endpoints'],
    })
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>
        <Text size="sm" maw="44ch">
          {t.mayTrip}
        </Text>
      </td>
      <td>
        <RelativeTime at={createdAt} />
      </td>
      <td>{lastUsedAt === null ? common.never : <RelativeTime at={lastUsedAt} />}</td>
      <td>
        <RowButton label={t.remove(name)} text={common.delete} isDanger act={remove} />
      </td>
    </tr>
  )
}
