import type { ApiToken } from '@burgee/protocol/access'
import { Badge, Button, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { fetchTokens, revokeToken } from '../api/tokens.ts'
import { usePermissionCheck } from '../shell/session/session.tsx'
import { useFormat, useTexts } from '../text/texts.tsx'
import { useAction } from '../ui/messages/use-action.ts'
import { LinkButton } from '../ui/page/link-button.tsx'
import { ListPage } from '../ui/page/list-page.tsx'
import { RowButton } from '../ui/page/row-button.tsx'
import { Table } from '../ui/page/table.tsx'
import ui from '../ui/ui.module.css'
import { CreateTokenDialog } from './create-token.tsx'
import { TOKEN_TEXTS } from './texts.ts'

const route = getRouteApi('/app/tokens')

/** Page of API tokens for SDKs and programs, which can be created and revoked. */
export function TokensPage() {
  const t = useTexts(TOKEN_TEXTS)
  const may = usePermissionCheck()
  const { create = false } = route.useSearch()
  const navigate = useNavigate()
  const mayCreate = may('CREATE_CLIENT_API_TOKEN')
  const go = (search: { create?: boolean }): void => void navigate({ to: '/tokens', search })
  const answer = useQuery({ queryKey: ['tokens'], queryFn: fetchTokens })
  const { title, intro, empty, emptyText } = t.tokens
  return (
    <>
      <ListPage
        title={title}
        intro={intro}
        answer={answer}
        create={
          <Group gap="xs">
            <LinkButton to="/connect" size="sm">
              {t.nav.connect}
            </LinkButton>
            {mayCreate && <Button onClick={() => go({ create: true })}>{t.tokens.create}</Button>}
          </Group>
        }
        empty={{ title: empty, text: emptyText }}
      >
        {(items) => <TokenTable tokens={items} />}
      </ListPage>
      <CreateTokenDialog opened={create && mayCreate} close={() => go({})} />
    </>
  )
}

function TokenTable({ tokens }: { tokens: readonly ApiToken[] }) {
  const t = useTexts(TOKEN_TEXTS)
  const { name, environment, lastSeen, actions } = t.common
  const { kind, projects, token: secret, expires } = t.tokens
  return (
    <Table
      label={t.tokens.title}
      columns={[name, kind, environment, projects, secret, lastSeen, expires, actions]}
      isDense
    >
      {tokens.map((token) => (
        <TokenRow key={token.id} token={token} />
      ))}
    </Table>
  )
}

function TokenRow({ token }: { token: ApiToken }) {
  const t = useTexts(TOKEN_TEXTS)
  const may = usePermissionCheck()
  const { ago, date } = useFormat()
  const { tokenName, type, environment, projects, secret, seenAt, expiresAt } = token
  const isExpired = expiresAt !== null && Date.parse(expiresAt) <= Date.now()
  const right = type === 'admin' ? 'ADMIN' : `DELETE_${type.toUpperCase()}_API_TOKEN`
  return (
    <tr>
      <th scope="row">{tokenName}</th>
      <td>{t.tokens.kinds[type] ?? type}</td>
      <td>{environment === '*' ? t.common.all : environment}</td>
      <td>{projects.includes('*') ? t.tokens.allProjects : projects.join(', ')}</td>
      <td className={`${ui.mono} ${ui.short}`}>{secret}</td>
      <td className={ui.short}>{seenAt === null ? t.common.never : ago(seenAt)}</td>
      <td className={ui.short}>
        {expiresAt === null ? t.common.never : date(expiresAt)}{' '}
        {isExpired && (
          <Badge color="red" variant="light" tt="none">
            {t.tokens.expired}
          </Badge>
        )}
      </td>
      <td>{may(right) && <Revoke token={token} />}</td>
    </tr>
  )
}

function Revoke({ token: { id, tokenName } }: { token: ApiToken }) {
  const t = useTexts(TOKEN_TEXTS)
  const act = useAction()
  const { revokeTitle, revokeText, revokeAction, revoked } = t.tokens
  const revoke = () =>
    act({
      what: revokeAction,
      ask: { title: revokeTitle(tokenName), text: revokeText, action: revokeAction, isDanger: true },
      run: () => revokeToken(id),
      done: revoked(tokenName),
      changes: ['tokens'],
    })
  return <RowButton label={t.tokens.revoke(tokenName)} text={revokeAction} isDanger act={revoke} />
}
