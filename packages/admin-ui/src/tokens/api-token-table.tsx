import type { ApiToken } from '@burgee/protocol/access'
import { Badge } from '@mantine/core'
import { revokeProjectToken, revokeToken } from '../api/tokens.ts'
import { EnvironmentChip } from '../shell/environment/environment-chip.tsx'
import { useProjectName } from '../shell/project/project-name.tsx'
import { usePermissionCheck } from '../shell/session/session.tsx'
import { useFormat, useTexts } from '../text/texts.tsx'
import { useAction } from '../ui/messages/use-action.ts'
import { RowButton } from '../ui/page/row-button.tsx'
import { Table } from '../ui/page/table.tsx'
import ui from '../ui/ui.module.css'
import { TOKEN_TEXTS } from './texts.ts'

interface TokenTableProps {
  readonly tokens: readonly ApiToken[]
  readonly label?: string
  /**
   * Project whose tokens are shown. If a project is given, permissions in this project also allow revoking its tokens.
   */
  readonly project?: string
}

/** Table of API tokens. Each token that the user may revoke has a revoke button. */
export function TokenTable({ tokens, label, project }: TokenTableProps) {
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
        <TokenRow key={token.id} token={token} project={project} />
      ))}
    </Table>
  )
}

interface TokenProps {
  readonly token: ApiToken
  readonly project: string | undefined
}

function TokenRow({ token, project }: TokenProps) {
  const t = useTexts(TOKEN_TEXTS)
  const revoke = useRevocation(token, project)
  const { ago, date } = useFormat()
  const { tokenName, type, environment, projects, secret, seenAt, expiresAt } = token
  const isExpired = expiresAt !== null && Date.parse(expiresAt) <= Date.now()
  const nameOf = useProjectName()
  return (
    <tr>
      <th scope="row">{tokenName}</th>
      <td>{t.tokens.kinds[type] ?? type}</td>
      <td>{environment === '*' ? t.common.all : <EnvironmentChip name={environment} />}</td>
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
      <td>{revoke !== undefined && <Revoke token={token} run={revoke} />}</td>
    </tr>
  )
}

/**
 * Returns the API call that revokes a token, based on a global permission or on permissions in the token's projects.
 * Returns undefined if the user has neither kind of permission.
 */
function useRevocation({ id, type, projects }: ApiToken, project: string | undefined) {
  const may = usePermissionCheck()
  const right = type === 'admin' ? 'ADMIN' : `DELETE_${type.toUpperCase()}_API_TOKEN`
  if (may(right)) return () => revokeToken(id)
  if (project === undefined || projects.includes('*')) return undefined
  const isAllowed = projects.every((one) => may('DELETE_PROJECT_API_TOKEN', { project: one }))
  return isAllowed ? () => revokeProjectToken(project, id) : undefined
}

function Revoke({ token: { tokenName }, run }: { token: ApiToken; run: () => Promise<void> }) {
  const t = useTexts(TOKEN_TEXTS)
  const act = useAction()
  const { revokeTitle, revokeText, revokeAction, revoked } = t.tokens
  const revoke = () =>
    act({
      what: revokeAction,
      ask: { title: revokeTitle(tokenName), text: revokeText, action: revokeAction, isDanger: true },
      run,
      done: revoked(tokenName),
      changes: ['tokens', 'project-tokens'],
    })
  return <RowButton label={t.tokens.revoke(tokenName)} text={revokeAction} isDanger act={revoke} />
}
