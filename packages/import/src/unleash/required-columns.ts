import { SourceRefused } from '../model/source.ts'
import type { DatabaseSnapshot } from './database-snapshot.ts'

/** Columns that a complete import of an installation needs. Whether other columns exist depends on the version. */
const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  projects: ['id', 'name'],
  environments: ['name', 'type', 'enabled'],
  project_environments: ['project_id', 'environment_name', 'default_strategy'],
  features: ['name', 'project', 'type', 'archived_at'],
  feature_environments: ['feature_name', 'environment', 'enabled', 'variants'],
  feature_strategies: ['id', 'feature_name', 'environment', 'strategy_name', 'parameters', 'constraints', 'disabled'],
  feature_strategy_segment: ['feature_strategy_id', 'segment_id'],
  segments: ['id', 'name', 'constraints', 'segment_project_id'],
  api_tokens: ['secret', 'type', 'environment'],
  api_token_project: ['secret', 'project'],
  users: ['id', 'email', 'username', 'password_hash'],
  roles: ['id', 'name', 'type'],
  role_user: ['role_id', 'user_id', 'project'],
  events: ['id', 'type', 'data'],
}

/**
 * Columns added in version 5. A database without these columns belongs to a server of version 4 or older. Source: wire
 * protocol
 */
const SINCE_VERSION_5 = ['segments.segment_project_id', 'project_environments.default_strategy']

/** Throws SourceRefused if a required column is missing. Checks the columns instead of the version number. */
export function requireColumns(snapshot: DatabaseSnapshot): void {
  const missing = Object.entries(REQUIRED).flatMap(([table, columns]) =>
    snapshot.has(table)
      ? columns.filter((column) => !snapshot.has(table, column)).map((column) => `${table}.${column}`)
      : [table],
  )
  if (missing.length === 0) return
  const isOlder = missing.some((name) => SINCE_VERSION_5.includes(name))
  const what = isOlder
    ? 'These are tables of version 4 or older: start version 5 once on a copy of the database to migrate it, or import its export with --from-unleash-state'
    : 'These are not tables of a supported version (5, 6 or 7)'
  throw new SourceRefused(`${what}. Missing: ${missing.join(', ')}.`)
}
