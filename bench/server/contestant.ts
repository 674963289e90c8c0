import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findFreePort } from '@burgee/kit/free-port'
import { type MeasuredProcess, pinnedTo, startMeasured } from '../measured-process.ts'

/** The compared servers: Unleash on PostgreSQL, our server on PostgreSQL, our server on its embedded database. */
export type ContestantName = 'peer' | 'postgres' | 'sqlite'

/** One of the compared servers, in a separate process. */
export interface Contestant extends MeasuredProcess {
  readonly name: ContestantName
  readonly port: number
}

/** Tokens that every compared server has after its first start. */
export const TOKENS = {
  admin: '*:*.6d1f7d7a04b54f0f9f6c4d5b7a3e2c1d0b9a8f7e6d5c4b3a29181716',
  client: '*:production.b3a29181716e6d1f7d7a04b54f0f9f6c4d5b7a3e2c1d0b9a8f7e6d5c',
  frontend: '*:production.4f0f9f6c4d5b7a3e2c1d0b9a8f7e6d5c4b3a29181716d1f7d7a04b55',
} as const

const COMMAND = fileURLToPath(new URL('from-sources.mjs', import.meta.url))
/** Connection settings; any of them selects PostgreSQL. */
const POSTGRES = { DATABASE_SSL: 'false', DATABASE_POOL_MAX: '10' }
const NO_LIMIT = '1000000000'
const LIMITS = [
  'SIMPLE_LOGIN_LIMIT_PER_MINUTE',
  'CREATE_USER_RATE_LIMIT_PER_MINUTE',
  'SEARCH_FEATURES_RATE_LIMIT_PER_MINUTE',
  'REGISTER_CLIENT_RATE_LIMIT_PER_MINUTE',
  'CLIENT_METRICS_RATE_LIMIT_PER_MINUTE',
  'REGISTER_FRONTEND_RATE_LIMIT_PER_MINUTE',
  'FRONTEND_METRICS_RATE_LIMIT_PER_MINUTE',
]

/** Start parameters for one of the compared servers. */
export interface ContestantStart {
  readonly name: ContestantName
  /** Database address for servers on PostgreSQL. */
  readonly databaseUrl?: string
  /** Data directory for the embedded database; by default a new directory that is removed at the end. */
  readonly dataDir?: string
  /** Start script of Unleash. */
  readonly script?: string
  /** Built command of our server; by default, it runs from its sources. */
  readonly command?: string
  /** Command prefix, as returned by `pinnedTo`; by default, the first core. */
  readonly pin?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** Time after which the start counts as failed. */
  readonly maxStartMs?: number
}

/** Starts a server on its database; resolves once it responds. */
export async function startContestant(start: ContestantStart): Promise<Contestant> {
  const { name, databaseUrl, script, pin = pinnedTo(0) } = start
  const port = await findFreePort('127.0.0.1')
  const scratch = mkdtempSync(join(tmpdir(), 'burgee-bench-'))
  const database =
    databaseUrl === undefined ? { DATA_DIR: start.dataDir ?? scratch } : { ...POSTGRES, DATABASE_URL: databaseUrl }
  const url = `http://127.0.0.1:${port}/health`
  const remove = () => rmSync(scratch, { recursive: true, force: true })
  try {
    const started = await startMeasured({
      name,
      args: script === undefined ? buildServerArguments(start.command) : [script],
      // hides deprecation warnings, which come from old packages of Unleash and are irrelevant
      env: { ...createEnvironment(port, scratch), ...database, ...(script && { NODE_NO_WARNINGS: '1' }), ...start.env },
      pin,
      isReady: async () => (await fetch(url)).status === 200,
      maxStartMs: start.maxStartMs,
    })
    return { ...started, name, port, stop: () => started.stop().finally(remove) }
  } catch (error) {
    remove()
    throw error
  }
}

const buildServerArguments = (command?: string) =>
  command === undefined ? ['--conditions=source', COMMAND, 'server'] : [command, 'server']

/** Returns environment variables for both kinds of servers; each ignores the variables that it does not know. */
function createEnvironment(port: number, scratch: string): Record<string, string> {
  return {
    HTTP_HOST: '127.0.0.1',
    HTTP_PORT: String(port),
    NODE_ENV: 'production',
    TMPDIR: scratch,
    HOME: scratch,
    LOG_LEVEL: 'error',
    CHECK_VERSION: 'false',
    SEND_TELEMETRY: 'false',
    DEFAULT_ADMIN_PASSWORD: 'correct-horse-battery',
    INIT_ADMIN_API_TOKENS: TOKENS.admin,
    INIT_CLIENT_API_TOKENS: TOKENS.client,
    INIT_FRONTEND_API_TOKENS: TOKENS.frontend,
    ...Object.fromEntries(LIMITS.map((variable) => [variable, NO_LIMIT])),
  }
}

/** Calls the admin API and returns the JSON of the response. Rejects with the response text on an error status. */
export async function callAdmin(port: number, method: string, path: string, body?: object): Promise<unknown> {
  const headers = { authorization: TOKENS.admin, 'content-type': 'application/json' }
  const sent = body === undefined ? {} : { body: JSON.stringify(body) }
  const reply = await fetch(`http://127.0.0.1:${port}/api/admin/${path}`, { method, headers, ...sent })
  const text = await reply.text()
  if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${text.slice(0, 500)}`)
  return text === '' ? undefined : JSON.parse(text)
}
