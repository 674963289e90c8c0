import { type ColumnDefinitionBuilder, type RawBuilder, sql } from 'kysely'

/** Parts of table definitions for which SQLite and PostgreSQL have different syntax. */
export interface Ddl {
  /** Column type for JSON documents. */
  readonly json: RawBuilder<unknown>
  /**
   * Column type for strings that serve as keys or by which rows are sorted. Both databases compare such strings byte by
   * byte.
   */
  readonly key: RawBuilder<unknown>
  /** Column type for generated ids. The column also needs `identity`. */
  readonly id: RawBuilder<unknown>
  /** SQL expression with which the database generates a random text of 16 hex digits. */
  readonly randomHex: RawBuilder<string>
  /** Columns of an index by time, for tables whose rows are stored in chronological order. */
  readonly timeIndex: RawBuilder<unknown>
  /** Makes a column an auto-incrementing primary key whose numbers are never reused. */
  readonly identity: (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder
  /**
   * Query for the name of the schema in which tables are created. The query returns null if that schema does not exist.
   * Undefined if the database does not support schemas.
   */
  readonly schema: RawBuilder<{ name: string | null }> | undefined
  /**
   * Query for the names of all tables and views in the schema, except system tables and tables that belong to
   * extensions.
   */
  readonly relations: RawBuilder<{ name: string }>
}

/** Definitions for SQLite. */
export const SQLITE_DDL: Ddl = {
  json: sql`text`,
  key: sql`text`,
  id: sql`integer`,
  randomHex: sql`lower(hex(randomblob(8)))`,
  timeIndex: sql`(created_at)`,
  identity: (column) => column.primaryKey().autoIncrement(),
  schema: undefined,
  relations: sql`select name from sqlite_master where type in ('table', 'view') and name not like 'sqlite^_%' escape '^'
    order by name`,
}

/**
 * Definitions for PostgreSQL. JSON is stored as text, because `jsonb` reorders keys, drops duplicate keys and rejects
 * NUL characters.
 */
export const POSTGRES_DDL: Ddl = {
  json: sql`text`,
  key: sql`text collate "C"`,
  id: sql`integer`,
  randomHex: sql`left(replace(gen_random_uuid()::text, '-', ''), 16)`,
  timeIndex: sql`using brin (created_at) with (pages_per_range = 32)`,
  identity: (column) => column.generatedAlwaysAsIdentity().primaryKey(),
  schema: sql`select current_schema()::text as name`,
  relations: sql`select c.relname::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = current_schema() and c.relkind in ('r', 'p', 'v', 'm', 'f') and not exists (
      select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
    order by name`,
}
