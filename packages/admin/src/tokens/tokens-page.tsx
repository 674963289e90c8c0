import type { ApiToken } from '@burgee/protocol/access'
import { Badge, Button, Skeleton, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { revokeToken, tokens } from '../api/tokens.ts'
import { useFormat, useTexts } from '../text/texts.tsx'
import { useConfirm } from '../ui/confirm.tsx'
import { tellDone, tellFailed } from '../ui/feedback.tsx'
import { Page } from '../ui/page.tsx'
import { Notice, ProblemNotice } from '../ui/problem.tsx'
import { useMay } from '../ui/session.tsx'
import ui from '../ui/ui.module.css'
import { CreateTokenDialog } from './create-token.tsx'

/** Tokens of SDKs and programs: made, looked at, taken back. */
export function TokensPage() {
  const t = useTexts()
  const may = useMay()
  const [isCreating, setCreating] = useState(false)
  const { data, error, refetch } = useQuery({ queryKey: ['tokens'], queryFn: tokens })
  const create = may('CREATE_CLIENT_API_TOKEN') && <Button onClick={() => setCreating(true)}>{t.tokens.create}</Button>
  return (
    <Page
      title={t.tokens.title}
      actions={create}
      intro={
        <Text c="dimmed" mb="md">
          {t.tokens.intro}
        </Text>
      }
    >
      {error !== null && data === undefined ? (
        <ProblemNotice error={error} retry={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton height={240} role="status" aria-label={t.common.loading} />
      ) : data.length === 0 ? (
        <Notice title={t.tokens.empty} action={create}>
          {t.tokens.emptyText}
        </Notice>
      ) : (
        <TokenTable tokens={data} />
      )}
      <CreateTokenDialog opened={isCreating} close={() => setCreating(false)} />
    </Page>
  )
}

function TokenTable({ tokens }: { tokens: readonly ApiToken[] }) {
  const t = useTexts()
  return (
    <div className={`${ui.card} ${ui.scroller}`}>
      <table className={`${ui.table} ${ui.dense}`} aria-label={t.tokens.title}>
        <thead>
          <tr>
            <th scope="col">{t.common.name}</th>
            <th scope="col">{t.tokens.kind}</th>
            <th scope="col">{t.common.environment}</th>
            <th scope="col">{t.tokens.projects}</th>
            <th scope="col">{t.tokens.token}</th>
            <th scope="col">{t.common.lastSeen}</th>
            <th scope="col">{t.tokens.expires}</th>
            <th scope="col">{t.common.actions}</th>
          </tr>
        </thead>
        <tbody>
          {tokens.map((token) => (
            <TokenRow key={token.id} token={token} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function TokenRow({ token }: { token: ApiToken }) {
  const t = useTexts()
  const may = useMay()
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
  const t = useTexts()
  const ask = useConfirm()
  const queries = useQueryClient()
  const revoke = async (): Promise<void> => {
    const { revokeTitle, revokeText, revokeAction } = t.tokens
    if (!(await ask({ title: revokeTitle(tokenName), text: revokeText, action: revokeAction, isDanger: true }))) return
    try {
      await revokeToken(id)
      await queries.invalidateQueries({ queryKey: ['tokens'] })
      tellDone(t.tokens.revoked(tokenName))
    } catch (error) {
      tellFailed(t, revokeAction, error)
    }
  }
  return (
    <Button
      size="compact-sm"
      variant="subtle"
      color="red"
      aria-label={t.tokens.revoke(tokenName)}
      onClick={() => void revoke()}
    >
      {t.tokens.revokeAction}
    </Button>
  )
}
