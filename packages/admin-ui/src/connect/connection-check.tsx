import type { TokenConnection } from '@burgee/protocol/administration/token-connection'
import { Alert, List, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { ApiError, BASE_PATH } from '../api/http.ts'
import { fetchTokenConnection } from '../api/tokens.ts'
import { useCatalogue, useFormat } from '../text/texts.tsx'
import { ProblemNotice } from '../ui/page/problem.tsx'
import styles from './connect.module.css'
import { Connected } from './connected.tsx'
import type { Sdk } from './sdk.ts'
import type { SdkTarget, SdkToken } from './target-step.tsx'
import { CONNECT_TEXTS } from './texts.ts'

const FAST_POLL_MS = 1500
/**
 * Time in milliseconds during which the page polls frequently. After that, the page polls less often and shows the
 * result a few seconds late.
 */
const FAST_POLLING_MS = 10 * 60_000
const SLOW_POLL_MS = 15_000
const HINT_DELAY_MS = 30_000
const NOT_FOUND = 404
const isNotFound = (error: unknown): boolean => error instanceof ApiError && error.status === NOT_FOUND

interface Props {
  readonly sdk: Sdk
  readonly place: SdkTarget
  readonly held: SdkToken
}

/**
 * Polls until the token is first used, then shows the application. Continues polling until the server has counted an
 * evaluation.
 */
export function ConnectionCheck({ sdk, place, held }: Props) {
  const t = useCatalogue(CONNECT_TEXTS)
  const before = useRef<string | null | undefined>(held.isNew ? null : undefined)
  const [firstAt, setFirstAt] = useState<string>()
  const isSeen = firstAt !== undefined
  const [begunMs] = useState(Date.now)
  const { data, error, refetch } = useQuery({
    queryKey: ['connection', held.secret],
    queryFn: () => fetchTokenConnection(held.secret),
    refetchInterval: ({ state }) => {
      if (isNotFound(state.error) || isDone(isSeen, state.data)) return false
      return Date.now() - begunMs < FAST_POLLING_MS ? FAST_POLL_MS : SLOW_POLL_MS
    },
    gcTime: 0,
  })
  useEffect(() => {
    if (data === undefined) return
    if (before.current === undefined) before.current = data.seenAt
    else if (data.seenAt !== null && data.seenAt !== before.current)
      setFirstAt((known) => known ?? data.seenAt ?? undefined)
  }, [data])
  if (isNotFound(error)) return <Alert color="red">{t.unknown}</Alert>
  if (data === undefined) return error === null ? null : <ProblemNotice error={error} retry={() => void refetch()} />
  if (data.type === 'admin') return <Alert color="red">{t.isAdmin}</Alert>
  if (data.type !== sdk.kind) return <Alert color="red">{t.wrongKind[sdk.kind]}</Alert>
  return (
    <Stack>
      <TokenWarnings token={data} place={place} />
      {firstAt === undefined ? (
        <NotConnectedYet sdk={sdk} token={data} />
      ) : (
        <Connected project={place.project} token={data} firstAt={firstAt} />
      )}
    </Stack>
  )
}

function isDone(isSeen: boolean, data: TokenConnection | undefined): boolean {
  return isSeen && data?.flags.some(({ exists }) => exists) === true
}

function TokenWarnings({ token, place }: { token: TokenConnection; place: SdkTarget }) {
  const t = useCatalogue(CONNECT_TEXTS)
  const isOver = token.expiresAt !== null && Date.parse(token.expiresAt) <= Date.now()
  if (isOver) return <Alert color="red">{t.isOver}</Alert>
  if (token.environment === place.environment) return null
  return <Alert color="yellow">{t.otherPlace(token.environment)}</Alert>
}

function NotConnectedYet({ sdk, token }: { sdk: Sdk; token: TokenConnection }) {
  const t = useCatalogue(CONNECT_TEXTS)
  const { ago } = useFormat()
  const [isSlow, setSlow] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), HINT_DELAY_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <>
      <div className={styles.waiting} role="status">
        <span className={styles.pulse} aria-hidden="true" />
        <div>
          <Text fw={600}>{t.waiting}</Text>
          <Text size="sm" c="dimmed">
            {token.seenAt === null ? t.waitingText : t.inUse(token.caller?.appName ?? t.someone, ago(token.seenAt))}
          </Text>
        </div>
      </div>
      {isSlow && <TroubleshootingHints sdk={sdk} />}
    </>
  )
}

function TroubleshootingHints({ sdk }: { sdk: Sdk }) {
  const { slow, checks } = useCatalogue(CONNECT_TEXTS)
  const isLocal = /^(localhost|127\.|\[::1\])/.test(location.hostname)
  const lines = [
    checks.runs,
    checks.asks,
    checks.reaches(`${location.origin}${BASE_PATH}`),
    ...(isLocal ? [checks.local] : []),
    checks.whole,
    ...(sdk.group === 'web' ? [checks.origins] : []),
  ]
  return (
    <Alert color="yellow" title={slow} role="status">
      <List size="sm" spacing={4}>
        {lines.map((line) => (
          <List.Item key={line}>{line}</List.Item>
        ))}
      </List>
    </Alert>
  )
}
