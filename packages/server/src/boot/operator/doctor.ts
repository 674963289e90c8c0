import { existsSync } from 'node:fs'
import { escapeNames } from '@burgee/kit/terminal-text'
import type { Database } from '@burgee/storage/database'
import { readCommitMarker } from '@burgee/storage/drivers/sqlite/commit-marker'
import { type DataPaths, inspectDatabase } from '@burgee/storage/drivers/sqlite/damage-check'
import { explainDirectoryError } from '@burgee/storage/drivers/sqlite/data-directory'
import { readPosition } from '@burgee/storage/epochs'
import { classifyDbError } from '@burgee/storage/errors'
import { TablesOutdated } from '@burgee/storage/ownership'
import { listRolePermissions, listRoles } from '@burgee/storage/queries/access/roles'
import { listLogins } from '@burgee/storage/queries/access/users'
import { describeEnabledWithoutStrategy } from '../../admin/flags/last-enabled-strategy.ts'
import { findAmbiguousValues } from '../../admin/targeting/ambiguous-values.ts'
import { findDeceptiveAccounts } from '../../core/access/logins/find-deceptive-accounts.ts'
import { findDefaultPasswords } from '../../core/access/passwords/default-passwords.ts'
import { findImplicitEnvironments } from '../../core/access/rights/role-permission-check.ts'
import { selectsPostgres } from '../../core/options/database-options.ts'
import type { ServerOptions } from '../../core/options/options.ts'
import { getDataPaths, openAsGuest } from '../open-database.ts'
import { type Check, type Finding, runCheck } from './check.ts'
import { checkDisk, checkPermissions, checkPort, checkStreams } from './machine-checks.ts'
import { checkIgnored, checkSecretKey } from './option-checks.ts'
import { checkSnapshot } from './snapshot-check.ts'

/** Dependencies of `examine`. */
export interface DoctorDeps {
  readonly options: ServerOptions
  /** Environment variables. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** Returns milliseconds since 1970. */
  readonly clock: () => number
}

/**
 * Tolerated difference between the clock of this machine and the time of the newest event. A tolerance is needed
 * because the clocks of nodes differ.
 */
const CLOCK_TOLERANCE_MS = 5000
/** Id of the built-in role Admin. */
const ADMIN_ROLE = 1

/**
 * Checks options, machine and database, in the order in which an operator would check them. Also works while a server
 * is running. Never throws.
 */
export async function examine(deps: DoctorDeps): Promise<Check[]> {
  const { options, clock } = deps
  const isPostgres = selectsPostgres(options)
  return [
    await runCheck('options', () => checkIgnored(options, deps.env)),
    await runCheck('port', () => checkPort(options)),
    await runCheck('streams', () => checkStreams(options)),
    ...(isPostgres
      ? [await runCheck('secret key', () => checkSecretKey(options))]
      : [
          await runCheck('data directory', () => checkPermissions(options.dataDir)),
          await runCheck('disk space', () => checkDisk(options.dataDir)),
          await runCheck('integrity', () => checkIntegrity(options.dataDir)),
        ]),
    await runCheck('kept for SDKs', () => checkSnapshot(options, clock())),
    ...(await checkDatabase(deps, isPostgres)),
  ]
}

function checkIntegrity(dataDir: string): Finding {
  const paths = getDataPaths(dataDir)
  const found = inspectOrExplain(paths, dataDir)
  if (typeof found === 'string') return { status: 'fail', detail: found }
  if (found === undefined) return { status: 'warn', detail: 'there is no database yet; the first start creates it' }
  return { status: 'ok', detail: `${paths.file} is intact and complete` }
}

/**
 * Checks the database in a data directory. If the database cannot be accessed, for example because the disk is full,
 * returns a message instead of failing, because the database is not necessarily damaged.
 */
function inspectOrExplain(paths: DataPaths, dataDir: string): ReturnType<typeof inspectDatabase> | string {
  try {
    return inspectDatabase(paths, readCommitMarker(paths.marker))
  } catch (error) {
    if (classifyDbError(error) !== 'unavailable') throw error
    return `${paths.file} could not be checked: ${explainDirectoryError(dataDir, error)}. That does not mean that it is damaged`
  }
}

async function checkDatabase({ options, clock }: DoctorDeps, isPostgres: boolean): Promise<Check[]> {
  if (!isPostgres && !existsSync(getDataPaths(options.dataDir).file)) return []
  let db: Database
  try {
    db = await openAsGuest(options, { clock })
  } catch (error) {
    const status = error instanceof TablesOutdated ? 'warn' : 'fail'
    return [{ name: 'migrations', status, detail: error instanceof Error ? error.message : String(error) }]
  }
  try {
    return [
      { name: 'migrations', status: 'ok', detail: 'the tables are those of this version' },
      await runCheck('clock', () => checkClock(db, clock())),
      await runCheck('on without a strategy', () => checkStrategies(db)),
      await runCheck('roles in all environments', () => checkRoles(db)),
      await runCheck('constraint values', () => checkValues(db)),
      await runCheck('default passwords of other servers', () => checkPasswords(db)),
      await runCheck('usernames', () => checkUsernames(db)),
    ]
  } finally {
    await db.close()
  }
}

/**
 * Checks the clock. If the clock was set back, tokens live longer than intended, and some stored events have times in
 * the future.
 */
async function checkClock(db: Database, now: number): Promise<Finding> {
  const { madeAt } = await readPosition(db.reader)
  if (madeAt === null) return { status: 'ok', detail: 'there is no event to compare the clock with' }
  const last = `the last event is from ${new Date(madeAt).toISOString()}`
  if (now >= madeAt - CLOCK_TOLERANCE_MS) return { status: 'ok', detail: last }
  const detail = `${last}, but this machine's clock shows ${new Date(now).toISOString()}: correct the clock`
  return { status: 'fail', detail }
}

async function checkStrategies(db: Database): Promise<Finding> {
  const found = await describeEnabledWithoutStrategy(db.reader)
  if (found === undefined) return { status: 'ok', detail: 'no flag is on without an enabled strategy' }
  return { status: 'warn', detail: found.text }
}

/**
 * Reports accounts that still have the well-known default password of an Unleash server. Only accounts whose users have
 * not logged in to this server yet can be recognized.
 */
async function checkPasswords(db: Database): Promise<Finding> {
  const people = await db.reader
    .selectFrom('users')
    .select(['id', 'username', 'email', 'name', 'password_hash', 'root_role'])
    .where('password_hash', 'like', '$2%')
    .execute()
  const { names, uncompared } = await findDefaultPasswords(
    people.map(({ id, username, email, name, password_hash: hash, root_role }) => ({
      name: username ?? email ?? name ?? `user ${id}`,
      hash,
      isAdmin: root_role === ADMIN_ROLE,
    })),
  )
  const rest = uncompared === 0 ? '' : `; ${uncompared} more accounts were not compared`
  if (names.length === 0)
    return { status: 'ok', detail: `no account has the default password of another server${rest}` }
  const list = names.map((name) => `"${name}"`).join(', ')
  const detail = `anyone can log in as ${list}: the password is the default password of another server. Log in and change it, or run burgee reset-password NAME${rest}`
  return { status: 'fail', detail }
}

const MAX_NAMED_USERS = 20

/** Reports usernames that could deceive people. Imports and earlier versions may have stored such usernames. */
async function checkUsernames(db: Database): Promise<Finding> {
  const found = findDeceptiveAccounts(await listLogins(db.reader))
  if (found.length === 0) return { status: 'ok', detail: 'no username looks like the login of another account' }
  const named = found.slice(0, MAX_NAMED_USERS).map(({ username, reason }) => `"${username}" ${reason}`)
  const more = found.length > named.length ? `; and ${found.length - named.length} more` : ''
  return { status: 'warn', detail: escapeNames(`${named.join('; ')}${more}. Check who uses these accounts`) }
}

const MAX_NAMED_VALUES = 20

/** Reports constraints that SDKs of different languages evaluate differently. */
async function checkValues(db: Database): Promise<Finding> {
  const found = await findAmbiguousValues(db.reader, MAX_NAMED_VALUES)
  if (found.length === 0) return { status: 'ok', detail: 'all SDKs interpret them in the same way' }
  const more = found.length === MAX_NAMED_VALUES ? '; there may be more' : ''
  return { status: 'warn', detail: `SDKs interpret them differently: ${found.join('; ')}${more}` }
}

/**
 * Reports roles with environment permissions that apply to all environments because no environment was chosen when the
 * role was saved.
 */
async function checkRoles(db: Database): Promise<Finding> {
  const stored = Map.groupBy(await listRolePermissions(db.reader), ({ role_id }) => role_id)
  const wide = (await listRoles(db.reader)).flatMap(({ id, name }) => {
    const permissions = findImplicitEnvironments(stored.get(id) ?? [])
    return permissions.length === 0 ? [] : [`"${name}" (${permissions.join(', ')})`]
  })
  if (wide.length === 0) return { status: 'ok', detail: 'every role lists the environments that it applies to' }
  const detail = `saved without an environment, so they apply to all environments, including production: ${wide.join(', ')}. Edit each role: choose environments, or "*"`
  return { status: 'warn', detail }
}
