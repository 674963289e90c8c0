import type { Row, TestDatabase } from '../../support/test-database.ts'

/** Tables of the migrator, whose rows differ between databases with equal tables. */
const MIGRATOR_TABLES = ['kysely_migration', 'kysely_migration_lock']
/** Columns whose first values are random or depend on the server. */
const VARIABLE_TABLE = 'database_epoch'

/** Definition of a table and of everything that belongs to it, as SQL. */
interface TableText {
  readonly name: string
  /** Columns in order, then constraints. */
  readonly parts: readonly string[]
  /** Indexes and triggers. */
  readonly others: readonly string[]
}

/** Name of the database driver. */
type Driver = 'sqlite' | 'postgres'

/**
 * Returns the tables of a database with their columns, constraints, indexes and triggers, as text that is equal for
 * equal tables.
 */
export async function readDefinitions(look: TestDatabase, driver: Driver): Promise<string> {
  const definitions = (await readTables(look, driver)).map(({ name, parts, others }) => {
    const columns = parts.map((part) => `  ${part}`).join(',\n')
    return [`create table "${name}" (\n${columns}\n);`, ...others.map((other) => `${other};`)].join('\n')
  })
  return `${definitions.join('\n\n')}\n`
}

/** Returns all rows of a database as text. Leaves out the migrator, and values that differ between new databases. */
export async function readContent(look: TestDatabase, driver: Driver): Promise<string> {
  const rows: string[] = []
  for (const { name } of await readTables(look, driver)) rows.push(...(await readRows(look, name)))
  return `${rows.join('\n')}\n`
}

async function readTables(look: TestDatabase, driver: Driver): Promise<TableText[]> {
  const tables = driver === 'postgres' ? await readPostgres(look) : await readSqlite(look)
  return tables.filter((table) => !MIGRATOR_TABLES.includes(table.name))
}

async function readSqlite(look: TestDatabase): Promise<TableText[]> {
  const found = await look.rows(
    "select type, name, tbl_name, sql from sqlite_schema where name not like 'sqlite^_%' escape '^' order by name",
  )
  return found
    .filter(({ type }) => type === 'table')
    .map(({ name, sql }) => {
      const parts = splitDefinition(String(sql))
      return {
        name: String(name),
        parts: [...parts.filter((part) => !isConstraint(part)), ...parts.filter(isConstraint).sort()],
        others: found.filter((one) => one.type !== 'table' && one.tbl_name === name).map((one) => String(one.sql)),
      }
    })
}

const isConstraint = (part: string): boolean => part.startsWith('constraint ')

/** Splits a table definition at the commas between its outer parentheses. */
function splitDefinition(sql: string): string[] {
  const body = sql.slice(sql.indexOf('(') + 1, sql.lastIndexOf(')'))
  const parts: string[] = []
  let [depth, start] = [0, 0]
  for (let index = 0; index < body.length; index += 1) {
    if (body[index] === '(') depth += 1
    if (body[index] === ')') depth -= 1
    if (body[index] !== ',' || depth > 0) continue
    parts.push(body.slice(start, index).trim())
    start = index + 1
  }
  return [...parts, body.slice(start).trim()]
}

async function readPostgres(look: TestDatabase): Promise<TableText[]> {
  const columns = await look.rows(`select c.relname as table, format('"%s" %s%s%s%s%s', a.attname,
      format_type(a.atttypid, a.atttypmod),
      case when l.collname <> 'default' then format(' collate "%s"', l.collname) else '' end,
      case when a.attidentity = 'a' then ' generated always as identity' else '' end,
      case when d.adbin is not null then ' default ' || pg_get_expr(d.adbin, d.adrelid) else '' end,
      case when a.attnotnull then ' not null' else '' end) as text
    from pg_class c join pg_namespace n on n.oid = c.relnamespace and n.nspname = current_schema()
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum left join pg_collation l on l.oid = a.attcollation
    where c.relkind <> 'i' and c.relkind <> 'S' order by c.relname collate "C", a.attnum`)
  // PostgreSQL 18 also lists columns that are not null, although their definitions already contain this
  const constraints = await look.rows(`select c.relname as table,
      format('constraint "%s" %s', k.conname, pg_get_constraintdef(k.oid)) as text
    from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = current_schema() and k.contype <> 'n' order by k.conname collate "C"`)
  const others = await look.rows(`select tablename as table, indexdef as text from pg_indexes i
    where schemaname = current_schema() and not exists (select from pg_constraint where conname = i.indexname)
    union all select c.relname, pg_get_triggerdef(t.oid) from pg_trigger t join pg_class c on c.oid = t.tgrelid
    join pg_namespace n on n.oid = c.relnamespace where n.nspname = current_schema() and not t.tgisinternal
    order by 2`)
  const listTexts = (rows: readonly Row[], name: string) =>
    rows.filter(({ table }) => table === name).map(({ text }) => String(text).replaceAll('public.', ''))
  return [...new Set(columns.map(({ table }) => String(table)))].map((name) => ({
    name,
    parts: [...listTexts(columns, name), ...listTexts(constraints, name)],
    others: listTexts(others, name),
  }))
}

async function readRows(look: TestDatabase, table: string): Promise<string[]> {
  const rows = await look.rows(`select * from "${table}"`)
  const toText = (value: unknown) => (table === VARIABLE_TABLE && value !== null ? '…' : JSON.stringify(value))
  return rows.map((row) => `-- ${table}: ${Object.values(row).map(toText).join(', ')}`).sort()
}
