import { createHash, randomBytes } from 'node:crypto'
import type { Logger } from '@burgee/kit/log/logger'
import { monotonicClock } from '@burgee/kit/monotonic-clock'
import { type OptionTable, parseOptions } from '@burgee/kit/options/options'
import { type BurgeeServer, createServer, type ServerDeps } from '@burgee/server'
import { SERVER_OPTIONS, type ServerOptions } from '@burgee/server/core/options/options'
import { expect, test } from 'vitest'
import { CHEAP } from '../support/password-cost.ts'
import { type EmptyPlace, readyPlace } from '../support/place.ts'
import type { TestDatabase } from '../support/test-database.ts'
import { replyCheckOf } from './contract/reply-schema.ts'
import { createEventCheck, noteEvents } from './contract/written-events.ts'

/** Credentials by role. Tokens are sent in the header; `editor` and `viewer` have a session. */
export const TOKENS = {
  admin: '*:*.admin-secret',
  client: 'default:development.client-secret',
  production: '*:production.client-secret',
  frontend: 'default:development.frontend-secret',
} as const

/** Caller. Any other string is sent as the Authorization header. */
export type Role = keyof typeof TOKENS | 'editor' | 'viewer' | (string & {})

/** Call, its expected reply, and the exact events that it must write. */
export interface Scenario {
  readonly name: string
  readonly as?: Role
  /** `METHOD /path`. */
  readonly call: string
  /** Sent as JSON. */
  readonly body?: unknown
  /** Sent verbatim. */
  readonly raw?: string
  readonly headers?: Readonly<Record<string, string>>
  /** True to send a session without browser headers, so that nothing indicates which page the request comes from. */
  readonly isScript?: true
  readonly status: number
  /** Part that the JSON reply must contain. */
  readonly has?: unknown
  /** Text that the reply must contain. */
  readonly text?: string
  /** True if the reply has no body. */
  readonly empty?: true
  readonly events?: readonly string[]
}

/** Server with its own database, and direct access to that database. */
export interface TestServer {
  /** Options that select the server's database. */
  readonly databaseOptions: EmptyPlace['options']
  readonly server: BurgeeServer
  readonly db: TestDatabase
  readonly logged: string[]
  call(scenario: Omit<Scenario, 'name' | 'status'>): ReturnType<typeof inject>
  /**
   * Makes a call as the administrator. The call must succeed. Returns the JSON of the reply, or undefined if it has no
   * body.
   */
  readonly admin: ReturnType<typeof adminOf>
  eventsAfter(id: number): Promise<string[]>
  lastEventId(): Promise<number>
  close(): Promise<void>
}

/** Returns server options, with defaults for all options that are not given. */
export function optionsOf(given: object): ServerOptions {
  return parseOptions(SERVER_OPTIONS as OptionTable, { given }) as ServerOptions
}

/**
 * Starts a server with the tokens above, an editor and a viewer on a new database of the driver under test. Passwords
 * are cheap.
 */
export async function startServer(
  given: object = {},
  clock: () => number = Date.now,
  more: Partial<Pick<ServerDeps, 'logger' | 'monotonic' | 'securityLogger' | 'onQuery' | 'passwordCost' | 'mails'>> & {
    readonly place?: EmptyPlace
  } = {},
): Promise<TestServer> {
  const { place = await readyPlace(), ...deps } = more
  const logged: string[] = []
  const server = await createServer({
    options: optionsOf({
      ...place.options,
      port: 0,
      host: '127.0.0.1',
      keepDocuments: false,
      defaultAdminPassword: 'a good password',
      initAdminApiTokens: [TOKENS.admin],
      initClientApiTokens: [TOKENS.client, TOKENS.production],
      initFrontendApiTokens: [TOKENS.frontend],
      ...given,
    }),
    clock,
    // tests that advance the time advance both of these clocks
    monotonic: monotonicClock(clock),
    random: randomBytes,
    logger: collectingLogger(logged),
    passwordCost: CHEAP,
    onEvents: noteEvents,
    ...deps,
  }).catch(async (error) => {
    // if the caller has passed a database, the caller also removes it
    if (more.place === undefined) await place.remove()
    throw error
  })
  const check = await replyCheckOf(server, (given as { baseUriPath?: string }).baseUriPath)
  const checkEvents = createEventCheck(server, (given as { baseUriPath?: string }).baseUriPath)
  const db = await place.look()
  await addUser(db, 'editor', 2, clock())
  await addUser(db, 'viewer', 3, clock())
  const call: TestServer['call'] = async (scenario) => {
    const { result: reply, undeclared } = await checkEvents(scenario.call, async () => inject(server, scenario))
    const wrong = check(scenario.call, reply)
    if (undeclared.length > 0) expect(undeclared, `event types that ${scenario.call} does not declare`).toEqual([])
    // called only for wrong replies, because an assertion takes longer than most requests
    if (wrong.length > 0) expect(wrong, 'reply against the description').toEqual([])
    return reply
  }
  return {
    server,
    databaseOptions: place.options,
    db,
    logged,
    call,
    admin: adminOf(call),
    lastEventId: async () => Number((await db.row('select max(id) as id from events'))?.id ?? 0),
    eventsAfter: async (id) =>
      (await db.rows('select type from events where id > ? order by id', id)).map((row) => String(row.type)),
    close: async () => {
      await db.close()
      await server.close()
      await place.remove()
    },
  }
}

function collectingLogger(lines: string[]): Logger {
  const collect =
    (level: string) =>
    (message: string, ...args: readonly unknown[]) => {
      lines.push([level, message, ...args.map((arg) => (arg instanceof Error ? arg.stack : String(arg)))].join(' '))
    }
  return {
    debug: collect('debug'),
    info: collect('info'),
    warn: collect('warn'),
    error: collect('error'),
    fatal: collect('fatal'),
  }
}

/** Adds a user without a usable password, with a session whose id is `<name>-session`. */
async function addUser(db: TestDatabase, name: string, role: number, now: number): Promise<void> {
  const user = await db.row(
    "insert into users (username, password_hash, root_role, created_at) values (?, '', ?, ?) returning id",
    name,
    role,
    now,
  )
  await addSession(db, name, Number(user?.id), now)
}

/** Creates the session `<name>-session` for a user, valid for an hour. Replaces an older session of that name. */
export async function addSession(db: TestDatabase, name: string, userId: number, now: number): Promise<void> {
  const hash = createHash('sha256').update(`${name}-session`).digest('hex')
  await db.rows('delete from sessions where hash = ?', hash)
  await db.rows(
    'insert into sessions (hash, user_id, created_at, used_at, expires_at) values (?, ?, ?, ?, ?)',
    hash,
    userId,
    now,
    now,
    now + 3_600_000,
  )
}

function credentials(as: Role | undefined): Record<string, string> {
  if (as === undefined) return {}
  if (as === 'editor' || as === 'viewer') return { cookie: `other=1; burgee-session=${as}-session` }
  return { authorization: Object.hasOwn(TOKENS, as) ? TOKENS[as as keyof typeof TOKENS] : as }
}

/** Returns the Origin header that a browser sends with a change in a session: the server's own origin. */
function originOf(method: string, { cookie, host = 'localhost:80' }: Readonly<Record<string, string>>) {
  if (cookie === undefined || method === 'GET') return {}
  return { origin: `${/\b__(Host|Secure)-/.test(cookie) ? 'https' : 'http'}://${host}` }
}

function inject(server: BurgeeServer, scenario: Omit<Scenario, 'name' | 'status'>) {
  const { as, call, body, raw, isScript } = scenario
  const [method, url] = call.split(' ') as ['GET', string]
  const headers = { ...credentials(as), ...scenario.headers }
  const origin = isScript ? {} : originOf(method, headers)
  const type = body === undefined && raw === undefined ? {} : { 'content-type': 'application/json' }
  const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body))
  return server.app.inject({
    method,
    url,
    headers: { ...type, ...origin, ...headers },
    ...(payload === undefined ? {} : { payload }),
  })
}

function adminOf(send: TestServer['call']) {
  return async (call: string, body?: unknown) => {
    const reply = await send({ as: 'admin', call, ...(body === undefined ? {} : { body }) })
    expect(reply.statusCode, `${call} ${reply.body}`).toBeLessThan(300)
    return reply.body === '' ? undefined : reply.json()
  }
}

/** Runs the rows in order, all against one server. */
export function scenarios(of: () => TestServer, rows: readonly Scenario[]): void {
  test.each(rows.map((row) => [`${row.name} → ${row.status}`, row] as const))('%s', async (_name, row) => {
    const server = of()
    const last = await server.lastEventId()
    const reply = await server.call(row)
    expect(reply.statusCode, reply.body).toBe(row.status)
    if (row.has !== undefined) expect(reply.json()).toMatchObject(row.has as object)
    if (row.text !== undefined) expect(reply.body).toContain(row.text)
    if (row.empty === true) {
      expect(reply.body).toBe('')
      expect(reply.headers['content-type']).toBeUndefined()
    }
    expect(await server.eventsAfter(last)).toEqual(row.events ?? [])
  })
}
