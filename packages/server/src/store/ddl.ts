import { type ColumnDefinitionBuilder, type RawBuilder, sql } from 'kysely'

/** What the databases write differently when tables are made; everything else is the same text. */
export interface Ddl {
  /** Type of a JSON document. */
  readonly json: RawBuilder<unknown>
  /** Type of text that is a key or sorted by: compared byte by byte in both databases. */
  readonly key: RawBuilder<unknown>
  /** Type of a column that numbers its rows; complete it with `identity`. */
  readonly id: RawBuilder<unknown>
  /** A random text of 16 hex digits, from the database's own dice. */
  readonly dice: RawBuilder<string>
  /** Makes the primary key that counts up and never gives a number twice. */
  readonly identity: (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder
  /** Asks for the schema in which tables are made, null where there is none; undefined where there are no schemas. */
  readonly schema: RawBuilder<{ name: string | null }> | undefined
  /** Asks for the names of all tables and views in it, but those of the database itself and its extensions. */
  readonly relations: RawBuilder<{ name: string }>
}

/** Definitions for SQLite. */
export const SQLITE_DDL: Ddl = {
  json: sql`text`,
  key: sql`text`,
  id: sql`integer`,
  dice: sql`lower(hex(randomblob(8)))`,
  identity: (column) => column.primaryKey().autoIncrement(),
  schema: undefined,
  relations: sql`select name from sqlite_master where type in ('table', 'view') and name not like 'sqlite^_%' escape '^'
    order by name`,
}

/** Definitions for PostgreSQL. JSON is text there as well: `jsonb` sorts keys, drops doubles and refuses NUL. */
export const POSTGRES_DDL: Ddl = {
  json: sql`text`,
  key: sql`text collate "C"`,
  id: sql`integer`,
  dice: sql`left(replace(gen_random_uuid()::text, '-', ''), 16)`,
  identity: (column) => column.generatedAlwaysAsIdentity().primaryKey(),
  schema: sql`select current_schema()::text as name`,
  relations: sql`select c.relname::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = current_schema() and c.relkind in ('r', 'p', 'v', 'm', 'f') and not exists (
      select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
    order by name`,
}
