import { OptionsError } from '@burgee/kit/options/options'

/** Environment variables of a process. */
export type Environment = Readonly<Record<string, string | undefined>>

interface UnleashVariable {
  /** Name of the variable; `*` stands for one or more word characters. */
  readonly name: string
  /** Explanation of the effect of the variable in Unleash, and of the alternative in this server. */
  readonly doc: string
  /** Values with which this server behaves in the same way as Unleash, so that no warning is needed. */
  readonly harmlessValues?: RegExp
}

/**
 * Unleash variables that have no effect in this server, for one of three reasons: it lacks the feature, it always
 * behaves as the variable requests, or it uses another variable. The server accepts these variables without reading
 * them, and lists them at startup. Source: wire protocol
 */
export const WITHOUT_EFFECT: readonly UnleashVariable[] = [
  { name: 'DATABASE_DISABLE_MIGRATION', doc: 'would skip migrations; Burgee always migrates at start' },
  { name: 'DATABASE_VERSION', doc: 'would name the PostgreSQL version to expect; Burgee reads it from the database' },
  {
    name: 'MIGRATION_LOCK',
    doc: 'would make servers migrate one at a time; they always do',
    harmlessValues: /^true$/i,
  },
  {
    name: 'SERVER_DISABLE_COMPRESSION',
    doc: 'would disable compression; replies are compressed only if the client accepts it',
  },
  { name: 'CDN_PREFIX', doc: 'would load the admin UI from a CDN; the server delivers it itself' },
  {
    name: 'GRACEFUL_SHUTDOWN_ENABLE',
    doc: 'would drop requests at shutdown; Burgee always completes them',
    harmlessValues: /^true$/i,
  },
  {
    name: 'GRACEFUL_SHUTDOWN_TIMEOUT',
    doc: 'would limit the time for requests at shutdown; SHUTDOWN_DELAY sets the time before it',
  },
  { name: 'CSP_ALLOWED_*', doc: 'would let pages load from other origins; the admin UI loads nothing from them' },
  { name: 'UNLEASH_SECRET', doc: 'would sign cookies; session ids are random and stored in the database' },
  { name: 'AUTH_DEMO_ALLOW_ADMIN_LOGIN', doc: 'would let anyone log in as admin with AUTH_TYPE=demo' },
  { name: 'GOOGLE_AUTH_ENABLED', doc: 'would offer login with Google' },
  {
    name: 'FRONTEND_API_REFRESH_INTERVAL_MS',
    doc: 'would limit the age of flags in the frontend API; they are always current',
  },
  { name: 'CLIENT_FEATURE_CACHING_*', doc: 'would limit the age of downloads; they are always current' },
  { name: 'REQUEST_LOGGER_ENABLE', doc: 'would log requests; LOG_LEVEL=debug logs them' },
  { name: 'UNLEASH_VERSION_URL', doc: 'would name the server to query for newer versions; Burgee never queries one' },
  { name: 'SIGNAL_ENDPOINT_RATE_LIMIT_PER_SECOND', doc: 'would limit the rate of signals, which is fixed' },
  { name: 'SEARCH_FEATURES_RATE_LIMIT_PER_MINUTE', doc: 'would limit searches; they are answered from memory' },
  { name: 'UNLEASH_*_LIMIT', doc: 'would set a limit that is fixed or does not exist in Burgee' },
  { name: 'UNLEASH_RESPONSE_TIME_WITH_APP_NAME_KILL_SWITCH', doc: 'would omit application names from series' },
  {
    name: 'PROMETHEUS_API',
    doc: 'would name the source of traffic series; see docs/series.md for the series of this server',
  },
  { name: 'DISABLE_LEGACY_FEATURES_API', doc: 'would remove legacy endpoints; Burgee always serves its own' },
  { name: 'DISABLE_BULK_TOGGLE', doc: 'would disable bulk changes' },
  {
    name: 'DISABLE_NOTIFICATIONS',
    doc: 'would disable notifications, which Burgee does not have',
    harmlessValues: /^true$/i,
  },
  { name: 'FEEDBACK_URI_PATH', doc: 'would name the URL for feedback; Burgee never sends any' },
  {
    name: 'ENABLE_HEAP_SNAPSHOT_ENPOINT',
    doc: 'would expose a heap snapshot of the process',
    harmlessValues: /^false$/i,
  },
  {
    name: 'UNLEASH_DEMO',
    doc: 'would mark a demo; BURGEE_DEMO fills a new database of `burgee start`',
    harmlessValues: /^false$/i,
  },
  { name: 'UNLEASH_ENCRYPTION_*', doc: 'would encrypt stored data; BURGEE_SECRET_KEY encrypts secrets' },
  {
    name: 'ALLOW_NON_STANDARD_DB_DATES',
    doc: 'would accept other date formats in the database; Burgee stores numbers',
  },
  {
    name: 'FILTER_INVALID_CLIENT_METRICS',
    doc: 'would drop invalid usage reports; Burgee always does',
    harmlessValues: /^true$/i,
  },
  {
    name: 'UNLEASH_EXPERIMENTAL_*',
    doc: 'would enable or disable an experimental feature; Burgee has no such switches',
  },
  { name: 'HTTP_PROXY', doc: 'would be the proxy for calls of integrations; they connect directly' },
  { name: 'HTTPS_PROXY', doc: 'would be the proxy for calls of integrations; they connect directly' },
  { name: 'NO_PROXY', doc: 'would list hosts to call without a proxy; all calls are direct' },
]

/**
 * Unleash variables that control access in ways that this server does not support. The server does not start if such a
 * variable is set.
 */
export const REJECTED: readonly UnleashVariable[] = [
  {
    name: 'AUTH_TYPE',
    doc: 'users always log in with a password and API clients with a token: set it to open-source, or unset it',
    harmlessValues: /^open-source$/i,
  },
  {
    name: 'AUTH_ENABLE_API_TOKEN',
    doc: 'API tokens are always required: set it to true, or unset it',
    harmlessValues: /^(true|1|t|yes|on)$/i,
  },
]

/** Returns a pattern that matches the names of a variable, with and without the Unleash prefix. */
function toPattern({ name }: UnleashVariable): RegExp {
  return new RegExp(`^(UNLEASH_)?${name.replaceAll('*', '\\w+')}$`)
}

/**
 * Returns the variables that are set and match a row of the table. Omits harmless values, and variables that an option
 * already uses (`read`).
 */
function findSetVariables(
  rows: readonly UnleashVariable[],
  env: Environment,
  read: ReadonlySet<string>,
): [variable: string, row: UnleashVariable][] {
  const taken = new Set<string>()
  return rows.flatMap((row) => {
    const pattern = toPattern(row)
    const names = Object.keys(env).filter((name) => pattern.test(name) && !taken.has(name) && !read.has(name))
    for (const name of names) taken.add(name)
    return names
      .filter(
        (name) =>
          !['', undefined].includes(env[name]?.trim()) && row.harmlessValues?.test(env[name]?.trim() ?? '') !== true,
      )
      .map((name) => [name, row] as [string, UnleashVariable])
  })
}

/**
 * Returns the variables that are set but have no effect, each with its explanation. `read` lists variables that options
 * use.
 */
export function listIneffectiveVariables(
  env: Environment,
  read: ReadonlySet<string>,
): [variable: string, doc: string][] {
  return findSetVariables(WITHOUT_EFFECT, env, read).map(([name, { doc }]) => [name, doc])
}

/** Returns one line for each variable that prevents the start. Never includes values. */
export function listRejectedVariables(env: Environment): string[] {
  return findSetVariables(REJECTED, env, new Set()).map(
    ([name, { doc }]) => `${name} has a value that is not supported: ${doc}`,
  )
}

/** Throws OptionsError if a rejected variable is set. */
export function requireNoRejectedVariables(env: Environment): void {
  const problems = listRejectedVariables(env)
  if (problems.length > 0) throw new OptionsError(problems)
}
