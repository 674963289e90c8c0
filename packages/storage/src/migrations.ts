import type { Kysely } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import type { DatabaseOptions, Schema } from './database.ts'
import { type Ddl, SQLITE_DDL } from './ddl.ts'
import { start } from './migrations/0001-start.ts'
import { admin } from './migrations/0002-admin.ts'
import { resetTokens } from './migrations/0003-reset-tokens.ts'
import { lives } from './migrations/0004-lives.ts'
import { unknownFlags } from './migrations/0005-unknown-flags.ts'
import { applicationReach } from './migrations/0006-application-reach.ts'
import { flagRules } from './migrations/0007-flag-rules.ts'
import { epoch } from './migrations/0008-epoch.ts'
import { resetChoice } from './migrations/0009-reset-choice.ts'
import { usageByHour } from './migrations/0010-usage-by-hour.ts'
import { changeMarks } from './migrations/0013-change-marks.ts'
import { eventNames } from './migrations/0014-event-names.ts'
import { flagValues } from './migrations/0018-flag-values.ts'
import { featureStages } from './migrations/0019-feature-stages.ts'
import { inviteLinks } from './migrations/0020-invite-links.ts'
import { tokenSecrets } from './migrations/0021-token-secrets.ts'
import { integrations } from './migrations/0022-integrations.ts'
import { roles } from './migrations/0023-roles.ts'
import { singleSignOn } from './migrations/0024-single-sign-on.ts'
import { projectLife } from './migrations/0026-project-life.ts'
import { changeRequests } from './migrations/0027-change-requests.ts'
import { tokenAliases } from './migrations/0028-token-aliases.ts'
import { scim } from './migrations/0029-scim.ts'
import { removedProjects } from './migrations/0030-removed-projects.ts'
import { callersAndSnoozes } from './migrations/0032-callers-and-snoozes.ts'
import { sampledEnvironments } from './migrations/0033-sampled-environments.ts'
import { undo } from './migrations/0034-undo.ts'
import { usageByApp } from './migrations/0038-usage-by-app.ts'
import { featureComments } from './migrations/0039-feature-comments.ts'
import { notificationReads } from './migrations/0040-notification-reads.ts'
import { flagPresences } from './migrations/0041-flag-presences.ts'
import { ownEmail } from './migrations/0042-own-email.ts'
import { roleEnvironments } from './migrations/0043-role-environments.ts'
import { addressVerified } from './migrations/0044-address-verified.ts'
import { usageSources } from './migrations/0047-usage-sources.ts'
import { integrationGrants } from './migrations/0048-integration-grants.ts'
import { knownNetworks } from './migrations/0052-known-networks.ts'
import { inheritedStickiness } from './migrations/0062-inherited-stickiness.ts'
import { sealedInviteLinks } from './migrations/0064-sealed-invite-links.ts'
import { variantOrder } from './migrations/0070-variant-order.ts'
import { eventsByUser } from './migrations/0071-events-by-user.ts'
import { epochBegin } from './migrations/0076-epoch-begin.ts'
import { eventSearch } from './migrations/0079-event-search.ts'
import { rejectNewer, requireCurrent, requireOwnership } from './ownership.ts'

/** Returns the migrations in their order; the key is the name. Never renumber or change a released migration. */
export function listMigrations(ddl: Ddl, now: number): Record<string, Migration> {
  return {
    '0001-start': start(ddl, now),
    '0002-admin': admin(ddl, now),
    '0003-reset-tokens': resetTokens(ddl),
    '0004-lives': lives(),
    '0005-unknown-flags': unknownFlags(ddl),
    '0006-application-reach': applicationReach(ddl),
    '0007-flag-rules': flagRules(),
    '0008-epoch': epoch(ddl),
    '0009-reset-choice': resetChoice(),
    '0010-usage-by-hour': usageByHour(),
    '0013-change-marks': changeMarks(ddl),
    '0014-event-names': eventNames(),
    '0018-flag-values': flagValues(ddl),
    '0019-feature-stages': featureStages(ddl),
    '0020-invite-links': inviteLinks(ddl),
    '0021-token-secrets': tokenSecrets(ddl),
    '0022-integrations': integrations(ddl),
    '0023-roles': roles(ddl),
    '0024-single-sign-on': singleSignOn(ddl),
    '0026-project-life': projectLife(ddl),
    '0027-change-requests': changeRequests(ddl),
    '0028-token-aliases': tokenAliases(ddl),
    '0029-scim': scim(),
    '0030-removed-projects': removedProjects(ddl),
    '0032-callers-and-snoozes': callersAndSnoozes(ddl),
    '0033-sampled-environments': sampledEnvironments(ddl),
    '0034-undo': undo(ddl),
    '0038-usage-by-app': usageByApp(),
    '0039-feature-comments': featureComments(ddl),
    '0040-notification-reads': notificationReads(),
    '0041-flag-presences': flagPresences(ddl),
    '0042-own-email': ownEmail(),
    '0043-role-environments': roleEnvironments(),
    '0044-address-verified': addressVerified(),
    '0047-usage-sources': usageSources(ddl),
    '0048-integration-grants': integrationGrants(ddl),
    '0052-known-networks': knownNetworks(ddl),
    '0062-inherited-stickiness': inheritedStickiness(now),
    '0064-sealed-invite-links': sealedInviteLinks(),
    '0070-variant-order': variantOrder(),
    '0071-events-by-user': eventsByUser(),
    '0076-epoch-begin': epochBegin(),
    '0079-event-search': eventSearch(),
  }
}

/**
 * Migrates the tables in one transaction; no-op if they are up to date. Concurrent processes wait for each other.
 * Throws OwnershipError, before anything is written, if the database is foreign or newer than this program, and another
 * error if a migration fails.
 */
export async function migrate(
  db: Kysely<Schema>,
  ddl: Ddl,
  { clock, debug }: Pick<DatabaseOptions, 'clock' | 'debug'>,
): Promise<void> {
  const known = listMigrations(ddl, clock())
  const { schema } = await requireOwnership(db, ddl, Object.keys(known))
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => known },
    // other schemas may contain tables with the same names
    ...(schema === undefined ? {} : { migrationTableSchema: schema }),
  })
  const { error, results = [] } = await migrator.migrateToLatest()
  const done = results.filter(({ status }) => status === 'Success').map(({ migrationName }) => migrationName)
  debug?.(`Migrated: ${done.join(', ') || 'nothing, the tables are up to date'}`)
  if (error === undefined) return
  const reason = error instanceof Error ? error.message : String(error)
  throw new Error(`The tables could not be brought up to date: ${reason}`, { cause: error })
}

/** Throws OwnershipError if a newer version of the program has migrated the database. */
export function requireNotNewer(executed: readonly string[]): void {
  rejectNewer(executed, listMigrationNames())
}

/** Returns the names of all migrations of this program, in order. */
export function listMigrationNames(): string[] {
  return Object.keys(listMigrations(SQLITE_DDL, 0))
}

/** Throws OwnershipError if the tables are not those of this program; changes nothing. */
export async function requireTables(db: Kysely<Schema>, ddl: Ddl): Promise<void> {
  const known = listMigrationNames()
  requireCurrent(await requireOwnership(db, ddl, known), known)
}
