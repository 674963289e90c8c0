import pg from 'pg'
import { SourceRefused } from '../model/source.ts'

/** Kind of a column, which determines the SQL that selects it. Times are converted to milliseconds since 1970. */
export type ColumnKind = 'text' | 'time' | 'number' | 'json' | 'yes'

/** A table of the source. Columns that the table lacks are not selected, and are null in the result. */
export interface SourceTable<C extends Readonly<Record<string, ColumnKind>>> {
  readonly name: string
  readonly columns: C
  /** SQL expression to order rows by, so that the order is stable. */
  readonly order: string
}

interface Values {
  readonly text: string
  readonly time: number
  readonly number: number
  readonly json: unknown
  readonly yes: boolean
}

/** A row of a table. */
export type SourceRow<C extends Readonly<Record<string, ColumnKind>>> = {
  readonly [K in keyof C]: Values[C[K]] | null
}

/** Read-only snapshot of a database. */
export interface DatabaseSnapshot {
  /** Returns true if a column of a table exists or, if no column is given, if the table exists. */
  has(table: string, column?: string): boolean
  /** Returns all rows in order; empty if the table does not exist. */
  rows<C extends Readonly<Record<string, ColumnKind>>>(table: SourceTable<C>): Promise<SourceRow<C>[]>
  /** Reads rows in chunks, ordered by a unique integer column. */
  parts<C extends Readonly<Record<string, ColumnKind>>>(
    table: SourceTable<C>,
    range: RowRange,
  ): AsyncGenerator<SourceRow<C>[]>
  /** Reads rows in chunks in table order, for tables without a unique integer column. */
  slices<C extends Readonly<Record<string, ColumnKind>>>(
    table: SourceTable<C>,
    slice: Slice,
  ): AsyncGenerator<(SourceRow<C> & { readonly beside: unknown })[]>
  /** Counts rows that meet a condition, which may use `$1`. */
  count(table: string, where?: string, value?: unknown): Promise<number>
  /** Returns the largest value of a column; 0 if there are no rows. */
  largest(table: string, column: string): Promise<number>
  close(): Promise<void>
}

/** Selects which rows to read. */
export interface RowRange {
  /** Name of a unique integer column. */
  readonly by: string
  readonly after: number
  readonly limit: number
  /** Additional SQL condition, which refers to its value as `$2`, and this value. */
  readonly where?: readonly [sql: string, value: unknown] | undefined
}

/** Size of a chunk, and a related table whose rows are joined as one object that maps names to numbers. */
export interface Slice {
  readonly limit: number
  readonly beside: {
    readonly table: string
    /** Columns of the join, which have the same names in both tables. */
    readonly same: readonly string[]
    /** Columns that contain the keys and the values of the joined object. */
    readonly name: string
    readonly value: string
  }
}

/** Location of an Unleash database. */
export interface DatabaseLocation {
  /** `postgres://…`, with `sslmode` and other parameters. */
  readonly url: string
  readonly schema: string
}

const CONNECT_MS = 10_000
/** Disables the server's timeouts, because a snapshot stays open for the whole import. */
const SESSION = `set statement_timeout = 0; set idle_in_transaction_session_timeout = 0; set default_transaction_read_only = on`
const SNAPSHOT = 'begin isolation level repeatable read read only'

/** Connects and starts the snapshot transaction. Throws SourceRefused with a message that contains no passwords. */
export async function takeSnapshot({ url, schema }: DatabaseLocation): Promise<DatabaseSnapshot> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_MS,
    application_name: 'burgee import',
  })
  // the error can be ignored, because after a lost connection the next query reports an error
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query(SESSION)
    await client.query(SNAPSHOT)
    const columns = await readColumns(client, schema)
    await requireSchema(client, schema, columns)
    return createSnapshot(client, schema, columns)
  } catch (error) {
    await client.end().catch(() => {})
    if (error instanceof SourceRefused) throw error
    throw new SourceRefused(`Cannot read the source: ${describeReason(error)}`, { cause: error })
  }
}

/**
 * Returns the message of an error. If a host has several addresses and none can be reached, the error contains several
 * errors but no message of its own.
 */
function describeReason(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(describeReason).join('; ')
  return error instanceof Error ? error.message : String(error)
}

type Columns = ReadonlyMap<string, ReadonlySet<string>>

async function readColumns(client: pg.Client, schema: string): Promise<Columns> {
  const { rows } = await client.query<{ table: string; column: string }>(
    'select table_name as "table", column_name as "column" from information_schema.columns where table_schema = $1',
    [schema],
  )
  const byTable = Map.groupBy(rows, ({ table }) => table)
  return new Map([...byTable].map(([table, own]) => [table, new Set(own.map(({ column }) => column))]))
}

async function requireSchema(client: pg.Client, schema: string, columns: Columns): Promise<void> {
  if (columns.has('features') && columns.has('migrations')) return
  if (columns.has('database_epoch') && columns.has('features')) {
    throw new SourceRefused('This is a database of Burgee itself: copy it with pg_dump, or burgee backup.')
  }
  const { rows } = await client.query<{ schema: string }>(
    `select table_schema as schema from information_schema.tables where table_name in ('features', 'migrations')
      group by table_schema having count(*) = 2 order by table_schema`,
  )
  const others = rows.map((row) => `"${row.schema}"`)
  const hint =
    others.length === 0
      ? 'no visible schema has them either: is it the right database, and may the user read its tables?'
      : `there are such tables in ${others.join(', ')}: set it with --schema`
  throw new SourceRefused(`The schema "${schema}" of the source has no Unleash tables; ${hint}`)
}

function createSnapshot(client: pg.Client, schema: string, columns: Columns): DatabaseSnapshot {
  const nameOf = (table: string): string => `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(table)}`
  const listOf = (table: SourceTable<Readonly<Record<string, ColumnKind>>>): string =>
    Object.entries(table.columns)
      .map(([name, kind]) => buildColumnExpression(name, kind, columns.get(table.name)?.has(name) === true))
      .join(', ')
  const ask: Ask = async <R>(text: string, values: unknown[] = []): Promise<R[]> => {
    try {
      return (await client.query(text, values)).rows as R[]
    } catch (error) {
      throw new SourceRefused(`Cannot read further from the source: ${describeReason(error)}`, { cause: error })
    }
  }
  return {
    has: (table, column) => (column === undefined ? columns.has(table) : columns.get(table)?.has(column) === true),
    rows: async (table) => {
      if (!columns.has(table.name)) return []
      return ask(`select ${listOf(table)} from ${nameOf(table.name)} order by ${table.order}`)
    },
    async *parts(table, { by, after, limit, where }) {
      if (!columns.has(table.name)) return
      const [condition, ...values] = where === undefined ? ['true'] : [where[0], where[1]]
      const key = `source.${pg.escapeIdentifier(by)}`
      let last = after
      for (;;) {
        const rows = await ask<SourceRow<(typeof table)['columns']> & { readonly part_key: number }>(
          // qualified with the table, because the bare name would refer to the selected expression, which has no index
          `select ${listOf(table)}, ${key}::float8 as part_key from ${nameOf(table.name)} as source
            where ${key} > $1 and ${condition} order by ${key} limit ${limit}`,
          [last, ...values],
        )
        if (rows.length > 0) yield rows
        if (rows.length < limit) return
        last = rows.at(-1)?.part_key ?? last
      }
    },
    async *slices(table, { limit, beside }) {
      if (!columns.has(table.name)) return
      const along = columns.has(beside.table) ? buildJoinText(beside, nameOf(beside.table)) : 'null'
      const query = `select ${listOf(table)}, ${along} as beside from ${nameOf(table.name)} as source order by ${table.order}`
      yield* fetchChunks(ask, { query, name: `burgee ${table.name}`, most: limit })
    },
    count: async (table, where = 'true', value) => {
      if (!columns.has(table)) return 0
      const values = value === undefined ? [] : [value]
      const [row] = await ask<{ n: string }>(`select count(*) as n from ${nameOf(table)} where ${where}`, values)
      return Number(row?.n ?? 0)
    },
    largest: async (table, column) => {
      const [row] = await ask<{ n: number }>(
        `select coalesce(max(${pg.escapeIdentifier(column)}), 0)::float8 as n from ${nameOf(table)}`,
      )
      return row?.n ?? 0
    },
    close: () => client.end(),
  }
}

type Ask = <R>(text: string, values?: unknown[]) => Promise<R[]>

/** Reads the result of a query in chunks, through a cursor. */
async function* fetchChunks<R>(
  ask: Ask,
  { query, name, most }: { readonly query: string; readonly name: string; readonly most: number },
): AsyncGenerator<R[]> {
  const cursor = pg.escapeIdentifier(name)
  await ask(`declare ${cursor} no scroll cursor for ${query}`)
  for (;;) {
    const rows = await ask<R>(`fetch ${most} from ${cursor}`)
    if (rows.length > 0) yield rows
    if (rows.length < most) break
  }
  await ask(`close ${cursor}`)
}

function buildJoinText({ same, name, value }: Slice['beside'], table: string): string {
  const id = (column: string): string => pg.escapeIdentifier(column)
  const equal = same.map((column) => `beside.${id(column)} = source.${id(column)}`).join(' and ')
  return `(select json_object_agg(coalesce(beside.${id(name)}, ''), beside.${id(value)}) from ${table} as beside where ${equal})`
}

/**
 * Returns the SQL that selects a column. Times without a time zone are in the server's zone, which is UTC unless
 * someone changed it.
 */
function buildColumnExpression(column: string, kind: ColumnKind, isThere: boolean): string {
  const name = pg.escapeIdentifier(column)
  if (!isThere) return `null as ${name}`
  if (kind === 'time') return `floor(extract(epoch from ${name}) * 1000)::float8 as ${name}`
  if (kind === 'number') return `${name}::float8 as ${name}`
  if (kind === 'text') return `${name}::text as ${name}`
  return name
}
