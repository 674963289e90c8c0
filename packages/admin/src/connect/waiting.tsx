import type { TokenConnection } from '@burgee/protocol/administration/token-connection'
import { Alert, List, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { ApiError, BASE_PATH } from '../api/http.ts'
import { tokenConnection } from '../api/tokens.ts'
import { useCatalogue, useFormat } from '../text/texts.tsx'
import { ProblemNotice } from '../ui/page/problem.tsx'
import styles from './connect.module.css'
import { Connected } from './connected.tsx'
import type { Held, Place } from './place-step.tsx'
import type { Sdk } from './sdk.ts'
import { CONNECT_TEXTS } from './texts.ts'

const ASK_MS = 1500
/** Duration of frequent polling, in milliseconds. After it, the result appears some seconds late. */
const PATIENT_MS = 10 * 60_000
const SELDOM_MS = 15_000
const SLOW_MS = 30_000
const NOT_FOUND = 404
const isUnknown = (error: unknown): boolean => error instanceof ApiError && error.status === NOT_FOUND

interface Props {
  readonly sdk: Sdk
  readonly place: Place
  readonly held: Held
}

/** Polls for the first use of the token. Then shows the application and polls until a flag was counted. */
export function Waiting({ sdk, place, held }: Props) {
  const t = useCatalogue(CONNECT_TEXTS)
  const before = useRef<string | null | undefined>(held.isNew ? null : undefined)
  const [firstAt, setFirstAt] = useState<string>()
  const isSeen = firstAt !== undefined
  const [begunMs] = useState(Date.now)
  const { data, error, refetch } = useQuery({
    queryKey: ['connection', held.secret],
    queryFn: () => tokenConnection(held.secret),
    refetchInterval: ({ state }) => {
      if (isUnknown(state.error) || isDone(isSeen, state.data)) return false
      return Date.now() - begunMs < PATIENT_MS ? ASK_MS : SELDOM_MS
    },
    gcTime: 0,
  })
  useEffect(() => {
    if (data === undefined) return
    if (before.current === undefined) before.current = data.seenAt
    else if (data.seenAt !== null && data.seenAt !== before.current)
      setFirstAt((known) => known ?? data.seenAt ?? undefined)
  }, [data])
  if (isUnknown(error)) return <Alert color="red">{t.unknown}</Alert>
  if (data === undefined) return error === null ? null : <ProblemNotice error={error} retry={() => void refetch()} />
  if (data.type === 'admin') return <Alert color="red">{t.isAdmin}</Alert>
  if (data.type !== sdk.kind) return <Alert color="red">{t.wrongKind[sdk.kind]}</Alert>
  return (
    <Stack>
      <Doubts token={data} place={place} />
      {firstAt === undefined ? (
        <NotYet sdk={sdk} token={data} />
      ) : (
        <Connected project={place.project} token={data} firstAt={firstAt} />
      )}
    </Stack>
  )
}

function isDone(isSeen: boolean, data: TokenConnection | undefined): boolean {
  return isSeen && data?.flags.some(({ exists }) => exists) === true
}

function Doubts({ token, place }: { token: TokenConnection; place: Place }) {
  const t = useCatalogue(CONNECT_TEXTS)
  const isOver = token.expiresAt !== null && Date.parse(token.expiresAt) <= Date.now()
  if (isOver) return <Alert color="red">{t.isOver}</Alert>
  if (token.environment === place.environment) return null
  return <Alert color="yellow">{t.otherPlace(token.environment)}</Alert>
}

function NotYet({ sdk, token }: { sdk: Sdk; token: TokenConnection }) {
  const t = useCatalogue(CONNECT_TEXTS)
  const { ago } = useFormat()
  const [isSlow, setSlow] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), SLOW_MS)
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
      {isSlow && <Checks sdk={sdk} />}
    </>
  )
}

function Checks({ sdk }: { sdk: Sdk }) {
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
