import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { dataPathsOf, openAsGuest } from '@burgee/server/open-database'
import { JSON_COLUMNS, type Reader, type Schema } from '@burgee/server/store/database'
import { Kysely, SqliteDialect, type SqliteStatement } from 'kysely'
import type { EmptyPlace } from '../support/place.ts'
import { optionsOf } from './scenario.ts'

/** Somebody who reads a database beside its server, by the server's own queries. */
export interface Guest {
  readonly reader: Reader
  close(): Promise<void>
}

/**
 * Opens a database that a server is running on. A file is read on this very thread: who asks again and again would spend
 * most of its time on messages to another one.
 */
export async function openGuest(options: EmptyPlace['options']): Promise<Guest> {
  if (options.dataDir !== undefined) return guestOfFile(dataPathsOf(options.dataDir).file)
  return await openAsGuest(optionsOf(options), { clock: Date.now })
}

function guestOfFile(file: string): Guest {
  const opened = new DatabaseSync(file, { readOnly: true })
  const statements = new Map<string, SqliteStatement>()
  const prepare = (sql: string): SqliteStatement => {
    const statement = statements.get(sql) ?? statementOf(opened, sql)
    statements.set(sql, statement)
    return statement
  }
  const reader = new Kysely<Schema>({
    dialect: new SqliteDialect({ database: { prepare, close: () => opened.close() } }),
  })
  return { reader, close: async () => opened.close() }
}

const IS_JSON: ReadonlySet<string> = new Set(JSON_COLUMNS)

function statementOf(database: DatabaseSync, sql: string): SqliteStatement {
  const statement = database.prepare(sql)
  const refuse = () => {
    throw new Error('A guest reads, and all at once')
  }
  return {
    reader: true,
    all: (values) => statement.all(...(values as SQLInputValue[])).map(parsed),
    ...{ run: refuse, iterate: refuse },
  }
}

/** A row as the store gives it: columns of JSON are what they mean. */
function parsed(row: Record<string, unknown>): Record<string, unknown> {
  const values = Object.entries(row).map(([column, value]) => [
    column,
    IS_JSON.has(column) && typeof value === 'string' ? JSON.parse(value) : value,
  ])
  return Object.fromEntries(values)
}
