import { listVariables } from '@burgee/kit/options/options'
import { toPostgresConfig } from '../../core/options/database-options.ts'
import { SERVER_OPTIONS, type ServerOptions } from '../../core/options/options.ts'
import { type Environment, listIneffectiveVariables, listRejectedVariables } from '../unleash-compat-variables.ts'
import type { Finding } from './check.ts'

/** Options that have no effect while `databaseUrl` is set. */
const INSTEAD_OF_URL = ['databaseHost', 'databasePort', 'databaseName', 'databaseUsername', 'databasePassword'] as const

/**
 * Reports environment variables that are set but have no effect, and variables that prevent a start. Never shows
 * values.
 */
export function checkIgnored(options: ServerOptions, env: Environment): Finding {
  const refused = listRejectedVariables(env)
  if (refused.length > 0) return { status: 'fail', detail: refused.join('; ') }
  const isSet = (variable: string): boolean => (env[variable] ?? '') !== ''
  const lines = listIneffectiveVariables(env, listVariables(SERVER_OPTIONS)).map(([variable]) => variable)
  const setOf = (name: keyof typeof SERVER_OPTIONS): string[] => (SERVER_OPTIONS[name].env ?? []).filter(isSet)
  if (options.databaseUrl !== undefined) {
    lines.push(...INSTEAD_OF_URL.flatMap(setOf).map((one) => `${one} (DATABASE_URL takes precedence)`))
  }
  if (toPostgresConfig(options) !== undefined) {
    lines.push(...setOf('dataDir').map((one) => `${one} (the database is PostgreSQL)`))
  }
  for (const name of Object.keys(SERVER_OPTIONS) as (keyof typeof SERVER_OPTIONS)[]) {
    const [first, ...later] = setOf(name)
    lines.push(
      ...later.filter((one) => env[one] !== env[first ?? '']).map((one) => `${one} (${first} takes precedence)`),
    )
  }
  if (lines.length === 0) return { status: 'ok', detail: 'every variable that is set takes effect' }
  return { status: 'warn', detail: `without effect: ${lines.join(', ')}` }
}

/** Checks that servers on PostgreSQL have a key, because several servers cannot use keys that each of them creates. */
export function checkSecretKey({ secretKey }: Pick<ServerOptions, 'secretKey'>): Finding {
  if (secretKey !== undefined) return { status: 'ok', detail: 'BURGEE_SECRET_KEY is set; all servers need the same' }
  const detail =
    'BURGEE_SECRET_KEY is not set: several servers on one database need the same key for webhooks and other secrets'
  return { status: 'warn', detail }
}
