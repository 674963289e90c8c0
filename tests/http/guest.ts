import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { getDataPaths, openAsGuest } from '@burgee/server/boot/open-database'
import type { Reader, Schema } from '@burgee/storage/database'
import { PARSE_JSON } from '@burgee/storage/json-columns'
import { Kysely, SqliteDialect, type SqliteStatement } from 'kysely'
import type { EmptyPlace } from '../support/place.ts'
import { optionsOf } from './scenario.ts'

/** Reader of a server's database that uses the server's own queries. */
export interface Guest {
  readonly reader: Reader
  close(): Promise<void>
}

/**
 * Opens the database of a running server. Reads a file on the current thread, because frequent small reads would mostly
 * wait for messages to another thread.
 */
export async function openGuest(options: EmptyPlace['options']): Promise<Guest> {
  if (options.dataDir !== undefined) return guestOfFile(getDataPaths(options.dataDir).file)
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
    plugins: [PARSE_JSON],
  })
  return { reader, close: async () => opened.close() }
}

function statementOf(database: DatabaseSync, sql: string): SqliteStatement {
  const statement = database.prepare(sql)
  const refuse = () => {
    throw new Error('A guest reads, and all at once')
  }
  return {
    reader: true,
    all: (values) => statement.all(...(values as SQLInputValue[])),
    run: refuse,
    iterate: refuse,
  }
}
