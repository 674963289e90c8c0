import { DATABASE_OPTIONS, postgresConfigOf } from '../database-options.ts'
import { SERVER_OPTIONS, type ServerOptions } from '../options.ts'
import type { Finding } from './check.ts'

/** Variables of the established server that steer what is not here. docs/operating.md says why. */
const WITHOUT_EFFECT = /^((UNLEASH_)?(AUTH|EMAIL)_\w+|(UNLEASH_)?(IMPORT_FILE|DATABASE_SCHEMA)|UNLEASH_SECRET)$/
/** Take effect beside an address as well. */
const BESIDE_URL: readonly string[] = ['databaseUrl', 'databaseSsl', 'databasePoolSize']

/** Names the variables that are set and change nothing. Values are never shown. */
export function checkIgnored(options: ServerOptions, env: Readonly<Record<string, string | undefined>>): Finding {
  const isSet = (variable: string): boolean => (env[variable] ?? '') !== ''
  const lines = Object.keys(env).filter((variable) => WITHOUT_EFFECT.test(variable) && isSet(variable))
  const setOf = (name: keyof typeof SERVER_OPTIONS): string[] => (SERVER_OPTIONS[name].env ?? []).filter(isSet)
  if (options.databaseUrl !== undefined) {
    const others = Object.keys(DATABASE_OPTIONS).filter((name) => !BESIDE_URL.includes(name))
    lines.push(
      ...others
        .flatMap((name) => setOf(name as keyof typeof DATABASE_OPTIONS))
        .map((one) => `${one} (DATABASE_URL wins)`),
    )
  }
  if (postgresConfigOf(options) !== undefined) {
    lines.push(...setOf('dataDir').map((one) => `${one} (the database is PostgreSQL)`))
  }
  for (const name of Object.keys(SERVER_OPTIONS) as (keyof typeof SERVER_OPTIONS)[]) {
    const [first, ...later] = setOf(name)
    lines.push(...later.filter((one) => env[one] !== env[first ?? '']).map((one) => `${one} (${first} wins)`))
  }
  if (lines.length === 0) return { status: 'ok', detail: 'every variable that is set takes effect' }
  return { status: 'warn', detail: `without effect: ${lines.join(', ')}` }
}
