import { OptionsError } from '@burgee/kit/options/options'

/** Environment variables of a process. */
export type Environment = Readonly<Record<string, string | undefined>>

interface UnleashVariable {
  /** Name of the variable; `*` stands for one or more word characters. */
  readonly name: string
  /** What the variable does in Unleash, and what to use in this server. */
  readonly doc: string
  /** Values for which this server behaves the same way, so that no warning is needed. */
  readonly harmlessValues?: RegExp
}

/**
 * Unleash variables without effect: this server lacks what they configure, always behaves in that way, or uses another
 * variable for it. They are accepted, never read, and listed once at the start. Source: wire protocol
 */
export const WITHOUT_EFFECT: readonly UnleashVariable[] = [
  { name: 'DATABASE_DISABLE_MIGRATION', doc: 'would leave tables as they are; a start brings them up to date' },
  { name: 'DATABASE_VERSION', doc: 'would say which PostgreSQL to expect; it is asked' },
  {
    name: 'MIGRATION_LOCK',
    doc: 'would let servers bring tables up to date one by one; they always do',
    harmlessValues: /^true$/i,
  },
  { name: 'SERVER_DISABLE_COMPRESSION', doc: 'would send replies as they are; who does not ask gets them so' },
  { name: 'CDN_PREFIX', doc: 'would load the admin UI from elsewhere; it comes from here' },
  { name: 'GRACEFUL_SHUTDOWN_ENABLE', doc: 'would end requests half-way; none ever is', harmlessValues: /^true$/i },
  {
    name: 'GRACEFUL_SHUTDOWN_TIMEOUT',
    doc: 'would say how long requests may end; SHUTDOWN_DELAY says what comes before',
  },
  { name: 'CSP_ALLOWED_*', doc: 'would let pages load from elsewhere; those of the admin UI load nothing from there' },
  { name: 'UNLEASH_SECRET', doc: 'would sign cookies; sessions here are random and kept in the database' },
  { name: 'AUTH_DEMO_ALLOW_ADMIN_LOGIN', doc: 'would let anybody in as admin, where AUTH_TYPE is demo' },
  { name: 'GOOGLE_AUTH_ENABLED', doc: 'would offer logins by Google' },
  {
    name: 'FRONTEND_API_REFRESH_INTERVAL_MS',
    doc: 'would say how old flags of the frontend API may be; they never are',
  },
  { name: 'CLIENT_FEATURE_CACHING_*', doc: 'would say how old downloads may be; they never are' },
  { name: 'REQUEST_LOGGER_ENABLE', doc: 'would log requests; LOG_LEVEL=debug does' },
  { name: 'UNLEASH_VERSION_URL', doc: 'would say whom to ask for newer versions; nobody is asked' },
  { name: 'SIGNAL_ENDPOINT_RATE_LIMIT_PER_SECOND', doc: 'would limit signals, which are not here' },
  { name: 'SEARCH_FEATURES_RATE_LIMIT_PER_MINUTE', doc: 'would limit searches; they are answered from memory' },
  { name: 'UNLEASH_*_LIMIT', doc: 'would limit something that has no limit here, or a fixed one' },
  { name: 'UNLEASH_RESPONSE_TIME_WITH_APP_NAME_KILL_SWITCH', doc: 'would leave names of applications out of series' },
  { name: 'PROMETHEUS_API', doc: 'would say where to read series of traffic; docs/series.md has those of this server' },
  { name: 'DISABLE_LEGACY_FEATURES_API', doc: 'would take old endpoints away; those that are here stay' },
  { name: 'DISABLE_BULK_TOGGLE', doc: 'would take changes of many flags away' },
  {
    name: 'DISABLE_NOTIFICATIONS',
    doc: 'would take notifications away, which are not here',
    harmlessValues: /^true$/i,
  },
  { name: 'FEEDBACK_URI_PATH', doc: 'would say where feedback goes; nothing is sent to anybody' },
  { name: 'ENABLE_HEAP_SNAPSHOT_ENPOINT', doc: 'would give out the memory of the process', harmlessValues: /^false$/i },
  {
    name: 'UNLEASH_DEMO',
    doc: 'would mark a demo; BURGEE_DEMO fills a new database of `burgee start`',
    harmlessValues: /^false$/i,
  },
  { name: 'UNLEASH_ENCRYPTION_*', doc: 'would encrypt what is stored; BURGEE_SECRET_KEY does' },
  { name: 'ALLOW_NON_STANDARD_DB_DATES', doc: 'would read times of the database in other ways; they are numbers here' },
  {
    name: 'FILTER_INVALID_CLIENT_METRICS',
    doc: 'would drop usage that cannot be stored; it always is',
    harmlessValues: /^true$/i,
  },
  { name: 'UNLEASH_EXPERIMENTAL_*', doc: 'would switch something on or off that is either here or not' },
  { name: 'HTTP_PROXY', doc: 'would be the way out for calls of integrations; they are made directly' },
  { name: 'HTTPS_PROXY', doc: 'would be the way out for calls of integrations; they are made directly' },
  { name: 'NO_PROXY', doc: 'would name who is called directly; all are' },
]

/**
 * Unleash variables that control access in ways that this server does not support. The server does not start if one of
 * them is set.
 */
export const REJECTED: readonly UnleashVariable[] = [
  {
    name: 'AUTH_TYPE',
    doc: 'people log in here with password and token, whatever it says: set it to open-source, or unset it',
    harmlessValues: /^open-source$/i,
  },
  {
    name: 'AUTH_ENABLE_API_TOKEN',
    doc: 'API tokens are always asked for here: set it to true, or unset it',
    harmlessValues: /^(true|1|t|yes|on)$/i,
  },
]

/** Returns a pattern that matches the variable names of a row, with and without the prefix. */
function toPattern({ name }: UnleashVariable): RegExp {
  return new RegExp(`^(UNLEASH_)?${name.replaceAll('*', '\\w+')}$`)
}

/**
 * Returns the set variables that match a row. Leaves out harmless values, and variables that an option already uses
 * (`read`).
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
 * Returns the set variables that have no effect, each with its explanation. The parameter `read` lists variables that
 * options use.
 */
export function listIneffectiveVariables(
  env: Environment,
  read: ReadonlySet<string>,
): [variable: string, doc: string][] {
  return findSetVariables(WITHOUT_EFFECT, env, read).map(([name, { doc }]) => [name, doc])
}

/** Returns one line for each variable that prevents the start; never includes values. */
export function listRejectedVariables(env: Environment): string[] {
  return findSetVariables(REJECTED, env, new Set()).map(
    ([name, { doc }]) => `${name} has a value that is refused: ${doc}`,
  )
}

/** Throws OptionsError if a rejected variable is set. */
export function requireNoRejectedVariables(env: Environment): void {
  const problems = listRejectedVariables(env)
  if (problems.length > 0) throw new OptionsError(problems)
}
