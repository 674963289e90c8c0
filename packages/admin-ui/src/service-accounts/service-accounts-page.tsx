import type { ServiceAccount } from '@burgee/protocol/administration/service-account'
import { Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { ROLES_QUERY } from '../api/access/roles.ts'
import { fetchServiceAccounts, removeServiceAccount } from '../api/access/service-accounts.ts'
import { getDisplayName } from '../api/users.ts'
import type { EditSearch } from '../shell/edit-search-params.ts'
import { usePermissionCheck } from '../shell/session/session.tsx'
import { useCatalogue, useFormat, useTexts } from '../text/texts.tsx'
import { useAction } from '../ui/messages/use-action.ts'
import { ListPage } from '../ui/page/list-page.tsx'
import { RowButton } from '../ui/page/row-button.tsx'
import { Table } from '../ui/page/table.tsx'
import ui from '../ui/ui.module.css'
import { AccountEditor } from './account-editor.tsx'
import { AccountTokens } from './account-tokens.tsx'
import { SERVICE_ACCOUNT_TEXTS } from './texts.ts'

const route = getRouteApi('/app/service-accounts')

/** Page of service accounts and their tokens. */
export function ServiceAccountsPage() {
  const t = useCatalogue(SERVICE_ACCOUNT_TEXTS)
  const { edit, uses } = route.useSearch()
  const navigate = useNavigate()
  const isAdmin = usePermissionCheck()('ADMIN')
  const answer = useQuery({ queryKey: ['service-accounts'], queryFn: fetchServiceAccounts })
  const go = (search: EditSearch): void => void navigate({ to: '/service-accounts', search })
  const named = (id: string | undefined) => answer.data?.find((one) => String(one.id) === id)
  const [edited, shown] = [named(edit), named(uses)]
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
        {(items) => <AccountTable accounts={items} go={go} />}
      </ListPage>
      <AccountEditor
        opened={isAdmin && (edited !== undefined || edit === 'new')}
        account={edited}
        close={() => go({})}
      />
      {shown !== undefined && <AccountTokens account={shown} close={() => go({})} />}
    </>
  )
}

interface TableProps {
  readonly accounts: readonly ServiceAccount[]
  readonly go: (search: EditSearch) => void
}

function AccountTable({ accounts, go }: TableProps) {
  const t = useTexts()
  const own = useCatalogue(SERVICE_ACCOUNT_TEXTS)
  const { date, number } = useFormat()
  const { data: roles = [] } = useQuery(ROLES_QUERY)
  return (
    <Table
      label={own.title}
      columns={[t.common.name, own.role, { number: own.tokens }, t.common.created, t.common.actions]}
    >
      {accounts.map((account) => (
        <tr key={account.id}>
          <th scope="row">
            {getDisplayName(account)}
            {account.username !== getDisplayName(account) && (
              <Text size="sm" c="dimmed">
                {account.username}
              </Text>
            )}
          </th>
          <td>{roles.find(({ id }) => id === account.rootRole)?.name ?? '–'}</td>
          <td className={ui.number}>{number(account.tokens.length)}</td>
          <td className={ui.short}>{date(account.createdAt)}</td>
          <td>
            <RowActions account={account} go={go} />
          </td>
        </tr>
      ))}
    </Table>
  )
}

function RowActions({ account, go }: { account: ServiceAccount; go: TableProps['go'] }) {
  const t = useTexts()
  const own = useCatalogue(SERVICE_ACCOUNT_TEXTS)
  const act = useAction()
  const name = getDisplayName(account)
  const id = String(account.id)
  const remove = () =>
    act({
      what: own.remove(name),
      ask: { title: own.removeTitle(name), text: own.removeText, action: t.common.delete, isDanger: true },
      run: () => removeServiceAccount(account.id),
      done: own.removed(name),
      changes: ['service-accounts', 'members', 'people'],
    })
  return (
    <Group gap="xs" wrap="nowrap">
      <RowButton label={own.tokensOf(name)} text={own.tokens} act={() => go({ uses: id })} />
      <RowButton label={own.editLabel(name)} text={t.common.edit} act={() => go({ edit: id })} />
      <RowButton label={own.remove(name)} text={t.common.delete} isDanger act={remove} />
    </Group>
  )
}
