import { type ColumnDefinitionBuilder, type RawBuilder, sql } from 'kysely'

/** What the databases write differently when tables are made; everything else is the same text. */
export interface Ddl {
  /** Type of a JSON document. */
  readonly json: RawBuilder<unknown>
  /** Type of text that is a key or sorted by: compared byte by byte in both databases. */
  readonly key: RawBuilder<unknown>
  /** Type of a column that numbers its rows; complete it with `identity`. */
  readonly id: RawBuilder<unknown>
  /** Makes the primary key that counts up and never gives a number twice. */
  readonly identity: (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder
}

/** Definitions for SQLite. */
export const SQLITE_DDL: Ddl = {
  json: sql`text`,
  key: sql`text`,
  id: sql`integer`,
  identity: (column) => column.primaryKey().autoIncrement(),
}

/** Definitions for PostgreSQL. JSON is text there as well: `jsonb` sorts keys, drops doubles and refuses NUL. */
export const POSTGRES_DDL: Ddl = {
  json: sql`text`,
  key: sql`text collate "C"`,
  id: sql`integer`,
  identity: (column) => column.generatedAlwaysAsIdentity().primaryKey(),
}
