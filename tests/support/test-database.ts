import { DatabaseSync, type SQLInputValue } from 'node:sqlite'

/** A row as a driver gives it. */
export type Row = Record<string, unknown>

/** A look into a database past the server: SQL that every database understands, with `?` for values. */
export interface TestDatabase {
  rows(sql: string, ...values: readonly SQLInputValue[]): Promise<Row[]>
  /** The first row. */
  row(sql: string, ...values: readonly SQLInputValue[]): Promise<Row | undefined>
  close(): Promise<void>
}

/** A look into a database file. */
export function sqliteLook(file: string): TestDatabase {
  const db = new DatabaseSync(file)
  const rows = (sql: string, values: readonly SQLInputValue[]): Row[] =>
    db
      .prepare(sql)
      .all(...values)
      .map((row) => ({ ...row }))
  return {
    rows: async (sql, ...values) => rows(sql, values),
    row: async (sql, ...values) => rows(sql, values)[0],
    close: async () => db.close(),
  }
}
