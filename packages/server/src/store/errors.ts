/** Why the database refused a statement: a value that must be unique, a reference to nothing, or something else. */
export type DbErrorKind = 'unique' | 'reference' | 'other'

const KINDS: Readonly<Record<string, DbErrorKind>> = {
  // SQLSTATE of PostgreSQL
  '23505': 'unique',
  '23503': 'reference',
  // extended result codes of SQLite: CONSTRAINT_PRIMARYKEY, _UNIQUE, _FOREIGNKEY
  '1555': 'unique',
  '2067': 'unique',
  '787': 'reference',
}

/** Classifies an error thrown by a query, on either database. */
export function classifyDbError(error: unknown): DbErrorKind {
  if (!(error instanceof Error)) return 'other'
  const { code, errcode } = error as Error & { code?: unknown; errcode?: unknown }
  const key = String(errcode ?? code)
  return Object.hasOwn(KINDS, key) ? (KINDS[key] ?? 'other') : 'other'
}
