import type { ApiToken } from '@burgee/protocol/access'
import { Badge } from '@mantine/core'
import { revokeToken } from '../api/tokens.ts'
import { useProjectName } from '../shell/project/project-name.tsx'
import { usePermissionCheck } from '../shell/session/session.tsx'
import { useFormat, useTexts } from '../text/texts.tsx'
import { useAction } from '../ui/messages/use-action.ts'
import { RowButton } from '../ui/page/row-button.tsx'
import { Table } from '../ui/page/table.tsx'
import ui from '../ui/ui.module.css'
import { TOKEN_TEXTS } from './texts.ts'

/** Table of API tokens. Each token that the user may revoke has a button for it. */
export function TokenTable({ tokens, label }: { tokens: readonly ApiToken[]; label?: string }) {
  const t = useTexts(TOKEN_TEXTS)
  const { name, environment, lastSeen, actions } = t.common
  const { kind, projects, token: secret, expires } = t.tokens
  return (
    <Table
      label={label ?? t.tokens.title}
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
  const nameOf = useProjectName()
  const right = type === 'admin' ? 'ADMIN' : `DELETE_${type.toUpperCase()}_API_TOKEN`
  return (
    <tr>
      <th scope="row">{tokenName}</th>
      <td>{t.tokens.kinds[type] ?? type}</td>
      <td>{environment === '*' ? t.common.all : environment}</td>
      <td>{projects.includes('*') ? t.tokens.allProjects : projects.map(nameOf).join(', ')}</td>
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
      changes: ['tokens', 'project-tokens'],
    })
  return <RowButton label={t.tokens.revoke(tokenName)} text={revokeAction} isDanger act={revoke} />
}
