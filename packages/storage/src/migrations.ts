import type { Kysely } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import type { DatabaseOptions, Schema } from './database.ts'
import { type Ddl, SQLITE_DDL } from './ddl.ts'
import { projects } from './migrations/0001-projects.ts'
import { accounts } from './migrations/0002-accounts.ts'
import { roles } from './migrations/0003-roles.ts'
import { apiTokens } from './migrations/0004-api-tokens.ts'
import { flags } from './migrations/0005-flags.ts'
import { targeting } from './migrations/0006-targeting.ts'
import { changeRequests } from './migrations/0007-change-requests.ts'
import { events } from './migrations/0008-events.ts'
import { usage } from './migrations/0009-usage.ts'
import { integrations } from './migrations/0010-integrations.ts'
import { userState } from './migrations/0011-user-state.ts'
import { groupMembers } from './migrations/0080-group-members.ts'
import { impactMetrics } from './migrations/0081-impact-metrics.ts'
import { releasePlans } from './migrations/0082-release-plans.ts'
import { safeguards } from './migrations/0083-safeguards.ts'
import { publicImpactMetrics } from './migrations/0084-public-impact-metrics.ts'
import { safeguardMetrics } from './migrations/0085-safeguard-metrics.ts'
import { inviteLinkRoles } from './migrations/0086-invite-link-roles.ts'
import { agents } from './migrations/0090-agents.ts'
import { eventFilters } from './migrations/0091-event-filters.ts'
import { codeReferences } from './migrations/0093-code-references.ts'
import { gaugeReports } from './migrations/0094-gauge-reports.ts'
import { testRuns } from './migrations/0099-test-runs.ts'
import { impactCharts } from './migrations/0102-impact-charts.ts'
import { selfTargets } from './migrations/0103-self-targets.ts'
import { configOrigins } from './migrations/0104-config-origins.ts'
import { isFromBeforeSquash, MIGRATIONS_BEFORE_SQUASH } from './migrations/before-squash.ts'
import { rejectOtherVersions, requireCurrent, requireOwnership } from './ownership.ts'

/**
 * Returns the migrations in order, keyed by name. Never renumber or change a released migration. For databases that
 * executed migrations from before the squash, the list begins with those earlier migrations, without their statements.
 * The next number is 0105.
 */
export function listMigrations(ddl: Ddl, now: number, executed: readonly string[] = []): Record<string, Migration> {
  const first = isFromBeforeSquash(executed) ? listEmptyMigrations(MIGRATIONS_BEFORE_SQUASH) : createTables(ddl, now)
  return { ...first, ...alterTables(ddl) }
}

/** Returns the migrations that create the tables of the first release, by subject. */
function createTables(ddl: Ddl, now: number): Record<string, Migration> {
  return {
    '0001-projects': projects(ddl, now),
    '0002-accounts': accounts(ddl),
    '0003-roles': roles(ddl),
    '0004-api-tokens': apiTokens(ddl),
    '0005-flags': flags(ddl),
    '0006-targeting': targeting(ddl, now),
    '0007-change-requests': changeRequests(ddl),
    '0008-events': events(ddl),
    '0009-usage': usage(ddl),
    '0010-integrations': integrations(ddl),
    '0011-user-state': userState(ddl),
  }
}

/** Returns the migrations after the squash, from 0080 on. */
function alterTables(ddl: Ddl): Record<string, Migration> {
  return {
    '0080-group-members': groupMembers(),
    '0081-impact-metrics': impactMetrics(ddl),
    '0082-release-plans': releasePlans(ddl),
    '0083-safeguards': safeguards(ddl),
    '0084-public-impact-metrics': publicImpactMetrics(),
    '0085-safeguard-metrics': safeguardMetrics(ddl),
    '0086-invite-link-roles': inviteLinkRoles(ddl),
    '0090-agents': agents(ddl),
    '0091-event-filters': eventFilters(ddl),
    '0093-code-references': codeReferences(ddl),
    '0094-gauge-reports': gaugeReports(ddl),
    '0099-test-runs': testRuns(ddl),
    '0102-impact-charts': impactCharts(ddl),
    '0103-self-targets': selfTargets(ddl),
    '0104-config-origins': configOrigins(ddl),
  }
}

function listEmptyMigrations(names: readonly string[]): Record<string, Migration> {
  return Object.fromEntries(names.map((name) => [name, { up: async () => {} }]))
}

/**
 * Migrates the tables in one transaction. Does nothing if the tables are up to date. Concurrent processes wait for each
 * other. Before anything is written, throws OwnershipError if the database is foreign, newer than this program, or too
 * old for it; throws another error if a migration fails.
 */
export async function migrate(
  db: Kysely<Schema>,
  ddl: Ddl,
  { clock, debug }: Pick<DatabaseOptions, 'clock' | 'debug'>,
): Promise<void> {
  const { schema, executed: before } = await requireOwnership(db, ddl, listMigrationNames)
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => listMigrations(ddl, clock(), before) },
    // other schemas can contain tables with the same names
    ...(schema === undefined ? {} : { migrationTableSchema: schema }),
  })
  const { error, results = [] } = await migrator.migrateToLatest()
  const done = results.filter(({ status }) => status === 'Success').map(({ migrationName }) => migrationName)
  debug?.(`Migrated: ${done.join(', ') || 'nothing; the tables are up to date'}`)
  if (error === undefined) return
  const reason = error instanceof Error ? error.message : String(error)
  throw new Error(`Cannot migrate the tables: ${reason}`, { cause: error })
}

/** Throws OwnershipError if this program cannot use or migrate a database that has executed the given migrations. */
export function requireUsable(executed: readonly string[]): void {
  rejectOtherVersions(executed, listMigrationNames(executed))
}

/**
 * Returns the names of all migrations of this program, in order, for a database that has already executed some of them.
 */
export function listMigrationNames(executed: readonly string[] = []): string[] {
  return Object.keys(listMigrations(SQLITE_DDL, 0, executed))
}

/** Throws OwnershipError if another program created the tables; never changes anything. */
export async function requireTables(db: Kysely<Schema>, ddl: Ddl): Promise<void> {
  const tables = await requireOwnership(db, ddl, listMigrationNames)
  requireCurrent(tables, listMigrationNames(tables.executed))
}
