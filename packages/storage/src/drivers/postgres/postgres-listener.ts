import { setTimeout as sleep } from 'node:timers/promises'
import type { ClientBase } from 'pg'
import type { Watch } from '../../database.ts'
import { NODE_CHANNEL, readNodeMessage } from '../../node-channel.ts'
import type { Sessions } from './database-sessions.ts'
import { POOL_LIMITS } from './postgres-pools.ts'
import { WrongServer } from './server-identity.ts'

/** Channel on which nodes announce new events; the payload is the id of the latest event. */
export const CHANNEL = 'burgee_events'

const HEARTBEAT_MS = 10_000
const ANSWER_MS = 5000
const RECONNECT_MS = 500

/** Dependencies of a listener. */
export interface ListenerDeps {
  readonly sessions: Sessions
  readonly hint: () => void
  readonly trouble: (error: unknown) => void
  /** Called with messages from other nodes whose tables are in the same schema. Must not throw. */
  readonly receive?: ((message: string) => void) | undefined
  /**
   * Returns true if this node owns the session with the given process id. Changes made by this node itself need no
   * notification.
   */
  readonly isOwn: (processId: number) => boolean
}

/**
 * Listens for notifications, on a dedicated connection. Checks every ten seconds whether the connection is still
 * listening, and replaces it otherwise. Calls `hint` after each new connection, because notifications may have been
 * missed. Never throws; errors are passed to `trouble`.
 */
export function listenForChanges(deps: ListenerDeps): Watch {
  const stop = new AbortController()
  const ended = keepListening(deps, stop.signal)
  return {
    close: async () => {
      stop.abort()
      await ended
    },
  }
}

async function keepListening(deps: ListenerDeps, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      await runSession(deps, signal)
    } catch (error) {
      if (!signal.aborted) deps.trouble(error)
    }
    await sleep(RECONNECT_MS, undefined, { signal }).catch(() => {})
  }
}

/** Runs one session. Returns when the signal is aborted; throws when the connection is lost. */
async function runSession({ sessions, hint, receive, isOwn }: ListenerDeps, signal: AbortSignal): Promise<void> {
  const client = sessions.createClient({ query_timeout: ANSWER_MS })
  const lost = new AbortController()
  const lose = (error?: unknown): void => lost.abort(error ?? new Error('The listening connection ended'))
  client.on('error', lose)
  client.on('end', () => lose())
  client.on('notification', ({ processId, channel, payload }) => {
    if (isOwn(processId)) return
    if (channel !== NODE_CHANNEL) return hint()
    const message = readNodeMessage(payload ?? '', sessions.schema)
    if (message !== undefined) receive?.(message)
  })
  const either = AbortSignal.any([signal, lost.signal])
  try {
    await client.connect()
    await sessions.setUp(client, 'listening', POOL_LIMITS)
    await client.query(`listen ${CHANNEL}`)
    await client.query(`listen ${NODE_CHANNEL}`)
    await requireListening(client)
    hint()
    while (!either.aborted) {
      await sleep(HEARTBEAT_MS, undefined, { signal: either }).catch(() => {})
      if (!either.aborted) await requireListening(client)
    }
    if (!signal.aborted) throw lost.signal.reason
  } finally {
    await client.end().catch(() => {})
  }
}

/** Throws if the session no longer listens, because a pooler has replaced or reset it. */
async function requireListening(client: ClientBase): Promise<void> {
  const text = 'select from pg_listening_channels() as channel where channel = $1'
  const { rowCount } = await client.query(text, [CHANNEL])
  if (rowCount === 0)
    throw new WrongServer('LISTEN has no effect: a pooler between Burgee and PostgreSQL does not preserve sessions')
}
