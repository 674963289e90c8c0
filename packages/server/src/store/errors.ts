/**
 * Why the database refused a statement: a value that must be unique, a reference to nothing, a value that no column
 * can hold, a conflict with another transaction after which the same may succeed, or something else.
 */
export type DbErrorKind = 'unique' | 'reference' | 'unstorable' | 'conflict' | 'other'

const KINDS: Readonly<Record<string, DbErrorKind>> = {
  // SQLSTATE of PostgreSQL
  '23505': 'unique',
  '23503': 'reference',
  // NUL in a text, a number too large for its column, a key too long for its index
  '22021': 'unstorable',
  '22003': 'unstorable',
  '54000': 'unstorable',
  // serialization failure, deadlock
  '40001': 'conflict',
  '40P01': 'conflict',
  // extended result codes of SQLite: CONSTRAINT_PRIMARYKEY, _UNIQUE, _FOREIGNKEY
  '1555': 'unique',
  '2067': 'unique',
  '787': 'reference',
}

/**
 * A text with a NUL character, which PostgreSQL cannot hold and where SQLite tools cut it off, or with half of a surrogate
 * pair, which both would replace without a word.
 */
export class UnstorableText extends Error {
  override readonly name = 'UnstorableText'
}

/** The file of the database is not any more where it was opened: what is written would be lost. Names the path. */
export class DatabaseGone extends Error {
  override readonly name = 'DatabaseGone'
}

/** Throws UnstorableText when one of the values is such a text. */
export function refuseUnstorable(values: readonly unknown[]): void {
  for (const value of values) {
    if (typeof value !== 'string') continue
    if (value.includes('\0')) throw new UnstorableText('A text holds a NUL character')
    if (!value.isWellFormed()) throw new UnstorableText('A text holds half of a surrogate pair')
  }
}

/** Classifies an error thrown by a query, on either database. */
export function classifyDbError(error: unknown): DbErrorKind {
  if (error instanceof UnstorableText) return 'unstorable'
  if (!(error instanceof Error)) return 'other'
  const { code, errcode } = error as Error & { code?: unknown; errcode?: unknown }
  const key = String(errcode ?? code)
  return Object.hasOwn(KINDS, key) ? (KINDS[key] ?? 'other') : 'other'
}
