/**
 * Commit of the last server version that can migrate a database of any earlier version up to the last migration of
 * `MIGRATIONS_BEFORE_SQUASH`.
 */
export const LAST_COMMIT_BEFORE_SQUASH = 'b9b7eb91'

/**
 * Migrations, in order, that databases from before the first release executed instead of this version's first
 * migrations. The earlier and the current migrations create the same tables. This program no longer contains the
 * statements of the earlier migrations, so a database must have executed all of them.
 */
export const MIGRATIONS_BEFORE_SQUASH = [
  '0001-start',
  '0002-admin',
  '0003-reset-tokens',
  '0004-lives',
  '0005-unknown-flags',
  '0006-application-reach',
  '0007-flag-rules',
  '0008-epoch',
  '0009-reset-choice',
  '0010-usage-by-hour',
  '0013-change-marks',
  '0014-event-names',
  '0018-flag-values',
  '0019-feature-stages',
  '0020-invite-links',
  '0021-token-secrets',
  '0022-integrations',
  '0023-roles',
  '0024-single-sign-on',
  '0026-project-life',
  '0027-change-requests',
  '0028-token-aliases',
  '0029-scim',
  '0030-removed-projects',
  '0032-callers-and-snoozes',
  '0033-sampled-environments',
  '0034-undo',
  '0038-usage-by-app',
  '0039-feature-comments',
  '0040-notification-reads',
  '0041-flag-presences',
  '0042-own-email',
  '0043-role-environments',
  '0044-address-verified',
  '0047-usage-sources',
  '0048-integration-grants',
  '0052-known-networks',
  '0062-inherited-stickiness',
  '0064-sealed-invite-links',
  '0070-variant-order',
  '0071-events-by-user',
  '0076-epoch-begin',
  '0079-event-search',
] as const

const [FIRST_BEFORE_SQUASH] = MIGRATIONS_BEFORE_SQUASH
/**
 * First migration of this program, and the first migration that it had before the squash. A database that has
 * executed either of them belongs to this program.
 */
export const FIRST_MIGRATIONS = ['0001-projects', FIRST_BEFORE_SQUASH] as const

/** Returns true if the database has executed migrations from before the squash. */
export function isFromBeforeSquash(executed: readonly string[]): boolean {
  return executed.includes(FIRST_BEFORE_SQUASH)
}

/**
 * Returns the last executed migration if a database from before the squash lacks some of the earlier migrations;
 * otherwise undefined.
 */
export function findTooOld(executed: readonly string[]): string | undefined {
  if (!isFromBeforeSquash(executed)) return undefined
  const isComplete = MIGRATIONS_BEFORE_SQUASH.every((name) => executed.includes(name))
  return isComplete ? undefined : executed.toSorted().at(-1)
}
