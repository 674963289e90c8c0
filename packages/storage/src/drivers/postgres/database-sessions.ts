import { OutageLog } from '@burgee/kit/log/outage-log'
import type { CurrentValue } from '@burgee/kit/options/current-value'
import { retry } from '@burgee/kit/retry'
import { type ClientBase, type ClientConfig, escapeIdentifier, type Pool, type PoolClient } from 'pg'
import { classifyDbError, explainDbError } from '../../errors.ts'
import { TABLE_NAMES } from '../../table-names.ts'
import { investigateLongWaits, retryChanges } from './change-health.ts'
import { ClientSession, type RawClient, type SessionPurpose } from './database-session.ts'
import { HostClient, type Hosts } from './hosts.ts'
import type { CandidateServer, Primary } from './primary-server.ts'
import { ReportReader, WrongServer } from './server-identity.ts'
import { limitSilence } from './silence-limit.ts'
import { classifyDriverError } from './sqlstates.ts'

/** Time limits of a session. */
export interface SessionLimits {
  /** Statement timeout that the server applies, in milliseconds; 0 for no timeout. */
  readonly statementMs: number
  /** Time after which an idle transaction is ended, in milliseconds. */
  readonly idleMs: number
}

/** Dependencies of `Sessions`. */
export interface SessionDeps {
  readonly hosts: Hosts
  /** Configuration that all clients share, without the host. The configuration is read again for each new client. */
  readonly client: CurrentValue<ClientConfig>
  readonly primary: Primary
  /** Configured schema; if undefined, the first schema of the search_path is used. */
  readonly schema: string | undefined
  /** Creates the checks that a server must pass before it becomes the primary in use. */
  readonly createCandidate: (client: ClientBase) => CandidateServer
  readonly warn: (line: string) => void
}

const FULL_MS = 5000
const WRONG_MS = 1000
const RETRY_MS = 100
/** Time in milliseconds after which a silent connection is checked the next time it is used. */
const SILENT_MS = 250
const LIVENESS_TIMEOUT_MS = 3000
const WRITING_PURPOSES: ReadonlySet<SessionPurpose> = new Set(['changes', 'counters', 'looking'])
/** Names of tables to which the role may not write; null if there are none. */
const FORBIDDEN = `(select string_agg(c.relname, ', ' order by c.relname) from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = current_schema() and c.relname in (${TABLE_NAMES.map((name) => `'${name}'`).join(', ')})
  and not (has_table_privilege(c.oid, 'insert') and has_table_privilege(c.oid, 'update')
    and has_table_privilege(c.oid, 'delete')))`

/**
 * Sets up connections. Checks, before a connection is first used, that it leads to the primary server. Settings are
 * sent as SQL statements, because poolers reject or ignore startup parameters.
 */
export class Sessions {
  readonly #deps: SessionDeps
  readonly #reports = new ReportReader()
  readonly #sessions = new WeakMap<object, ClientSession>()
  /** Schema that contains the tables; the search path of every session must resolve to it. */
  #schema: string | undefined
  /** User and password with which the last client logged in. */
  #credentials: Pick<ClientConfig, 'user' | 'password'> = {}
  /**
   * Logs that a login was rejected. Sessions that are already open continue to work, so a lockout would otherwise
   * remain unnoticed until the last of them ends.
   */
  readonly #lockout: OutageLog

  constructor(deps: SessionDeps) {
    this.#deps = deps
    this.#lockout = new OutageLog({
      begins: (error) => deps.warn(`${describeLockout(error)}. Open connections continue to work`),
    })
  }

  /** Creates a client for the current host. The returned client is not connected yet. */
  createClient(special: ClientConfig = {}): HostClient {
    const config = this.#deps.client.current
    this.#credentials = config
    const { query_timeout: silenceMs = 0, ...rest } = special
    const client = new HostClient(this.#deps.hosts, { ...config, ...rest })
    limitSilence(client, silenceMs)
    return client
  }

  /** Schema that contains the tables; empty until the tables have been found. */
  get schema(): string {
    return this.#schema ?? ''
  }

  /** From now on, every new session fails if its search path resolves to another schema. */
  requireSchema(name: string): void {
    this.#schema = name
  }

  /** Sets up a new connection. Throws WrongServer if this connection must not be used. */
  async setUp(client: ClientBase, purpose: SessionPurpose, limits: SessionLimits): Promise<void> {
    const { hosts, primary, createCandidate } = this.#deps
    const raw = client as RawClient
    try {
      const { report, last } = await this.#reports.read(client, this.#settings(purpose, limits))
      const session = new ClientSession(raw, purpose, report, (reason) => primary.recordRefusal(reason))
      this.#checkSchema(last.schema as string | null)
      const forget = await primary.admit(session, createCandidate(client))
      raw.once('end', forget)
      if (WRITING_PURPOSES.has(purpose)) this.#requireRights(last.forbidden as string | null)
      if (purpose === 'changes' || purpose === 'looking') primary.recordAcceptance()
      this.#sessions.set(client, session)
    } catch (error) {
      if (client instanceof HostClient) hosts.markFailed(client.target)
      throw error
    }
  }

  /**
   * Checks a pooled connection each time before it is used. If a connection leads to the wrong server, tries another
   * connection.
   */
  watchPool(pool: Pool, purpose: SessionPurpose): void {
    const { primary } = this.#deps
    pool.on('acquire', (client) =>
      this.#sessions
        .get(client)
        ?.onAcquired(SILENT_MS, LIVENESS_TIMEOUT_MS, (sinceMs) => primary.retireSilentSessions(sinceMs)),
    )
    pool.on('release', (_error, client) => this.#sessions.get(client)?.onReleased())
    const connect = pool.connect.bind(pool) as () => Promise<PoolClient>
    pool.connect = (() => this.connectWithRetries(connect, purpose)) as Pool['connect']
  }

  /**
   * Connects with retries. Keeps trying for five seconds if PostgreSQL has no free connection, for one second if the
   * address leads to a wrong server, once for each other host, and once with a renewed password. Repeating is safe,
   * because no statement has run yet.
   */
  async connectWithRetries<T>(connect: () => Promise<T>, purpose: SessionPurpose): Promise<T> {
    const { hosts, primary } = this.#deps
    const began = performance.now()
    const isWorthIt = (error: unknown, tries: number): boolean => {
      const ms = performance.now() - began
      if (classifyDriverError(error) === 'too many connections') return ms <= FULL_MS
      if (tries < hosts.count && classifyDbError(error) === 'unavailable') return true
      if (classifyDbError(error) === 'denied') return tries === 1 && this.#hasNewCredentials()
      return error instanceof WrongServer && ms <= WRONG_MS
    }
    try {
      return await retry(connect, { isRetryable: isWorthIt, pauseMs: RETRY_MS })
    } catch (error) {
      if (error instanceof WrongServer && WRITING_PURPOSES.has(purpose)) primary.recordRefusal(error.message)
      if (classifyDbError(error) === 'denied' && purpose === 'changes') primary.recordRefusal(describeLockout(error))
      throw error
    }
  }

  /**
   * Opens a separate connection to check which server the address leads to at the moment, and whether changes can be
   * written. Never rejects.
   */
  async pollPrimary(limits: SessionLimits): Promise<void> {
    let client: HostClient | undefined
    const connect = async (): Promise<void> => {
      client = this.createClient()
      client.on('error', () => {})
      await client.connect()
      await this.setUp(client, 'looking', limits)
    }
    try {
      await this.connectWithRetries(
        () =>
          connect().catch(async (error: unknown) => {
            await client?.end().catch(() => {})
            throw error
          }),
        'looking',
      )
      this.#lockout.succeed()
      // the next poll tries again
      if (client !== undefined) await this.#examine(client).catch(() => {})
    } catch (error) {
      // the primary has already recorded any other reason
      if (classifyDbError(error) === 'denied') this.#lockout.fail(error)
    } finally {
      await client?.end().catch(() => {})
    }
  }

  /** Investigates why statements wait and why changes fail. */
  async #examine(client: ClientBase): Promise<void> {
    const { primary } = this.#deps
    await investigateLongWaits(client, primary)
    const isBusy = primary.listWaiting(1).some(({ purpose }) => purpose === 'changes')
    if (primary.isFailing && !isBusy) await retryChanges(client, primary)
  }

  /**
   * Returns true if the credentials may have changed since the last client was created. A password function may return
   * a different password each time.
   */
  #hasNewCredentials(): boolean {
    const { user, password } = this.#deps.client.current
    if (typeof password === 'function') return true
    return user !== this.#credentials.user || password !== this.#credentials.password
  }

  #settings(purpose: SessionPurpose, { statementMs, idleMs }: SessionLimits): string {
    const { schema } = this.#deps
    return [
      `set statement_timeout = ${statementMs}`,
      `set idle_in_transaction_session_timeout = ${idleMs}`,
      // no limit, because nodes wait for the writer lock that another node holds; each change limits its other waits
      'set lock_timeout = 0',
      ...(schema === undefined ? [] : [`set search_path = ${escapeIdentifier(schema)}`]),
      ...(purpose === 'reading' ? ['set default_transaction_read_only = on'] : []),
      `select current_schema()::text as schema, ${WRITING_PURPOSES.has(purpose) ? FORBIDDEN : 'null'} as forbidden`,
    ].join('; ')
  }

  #checkSchema(found: string | null): void {
    if (this.#schema === undefined || found === this.#schema) return
    throw new WrongServer(
      `The session is in the schema ${found === null ? 'of none' : `"${found}"`}, but the tables are in "${this.#schema}": a pooler between Burgee and PostgreSQL changes the search_path`,
    )
  }

  #requireRights(forbidden: string | null): void {
    if (forbidden === null) return
    throw new WrongServer(`The database user may not write to ${forbidden}: grant it insert, update and delete`)
  }
}

function describeLockout(error: unknown): string {
  return `The database rejects new connections: ${explainDbError(error) ?? 'it returns no reason'}`
}
