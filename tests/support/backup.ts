import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { inject } from 'vitest'
import { temporaryFolder } from './burgee.ts'
import type { EmptyPlace } from './place.ts'
import { copyOfDatabase, postgresLook } from './postgres.ts'

/** Backup and restore of a database, with the methods that operators use. */
export interface Backup {
  restore(): Promise<void>
  remove(): Promise<void>
}

/** Backup and restore method. */
export interface BackupWay {
  readonly name: string
  /** True if the server keeps running during the backup. If false, the server must be stopped for the backup. */
  readonly isRunning: boolean
  take(place: EmptyPlace): Promise<Backup>
}

const FILE = 'burgee.sqlite'

/** Returns the backup methods of the driver under test. */
export function backupWays(): readonly BackupWay[] {
  return inject('driver') === 'postgres' ? POSTGRES_WAYS : SQLITE_WAYS
}

const SQLITE_WAYS: readonly BackupWay[] = [
  {
    name: 'the file is overwritten by its backup',
    isRunning: false,
    take: (place) =>
      keptFile(place, ({ kept, file }) => {
        cpSync(kept, file)
      }),
  },
  {
    name: 'the file is replaced by its backup',
    isRunning: false,
    take: (place) =>
      keptFile(place, ({ kept, file }) => {
        rmSync(file)
        cpSync(kept, file)
      }),
  },
  { name: 'the whole data directory is put back', isRunning: false, take: keptDirectory },
  {
    name: 'the backup is restored through SQLite beneath the running server',
    isRunning: true,
    take: (place) =>
      keptFile(place, async ({ kept, file }) => {
        const from = new DatabaseSync(kept)
        await backup(from, file)
        from.close()
      }),
  },
]

const POSTGRES_WAYS: readonly BackupWay[] = [
  { name: 'the rows are put back', isRunning: false, take: (place) => keptRows(urlOf(place)) },
  { name: 'a copy of the database takes its name', isRunning: false, take: keptDatabase },
  {
    name: 'the rows are put back beneath the running server',
    isRunning: true,
    take: (place) => keptRows(urlOf(place)),
  },
  { name: 'a copy of the database takes its name beneath the running server', isRunning: true, take: keptDatabase },
]

const dataDirOf = ({ options }: EmptyPlace): string => options.dataDir ?? ''
const urlOf = ({ options }: EmptyPlace): string => options.databaseUrl ?? ''

async function keptFile(
  place: EmptyPlace,
  restore: (paths: { readonly kept: string; readonly file: string }) => void | Promise<void>,
): Promise<Backup> {
  const folder = temporaryFolder()
  const paths = { kept: join(folder.path, FILE), file: join(dataDirOf(place), FILE) }
  const live = new DatabaseSync(paths.file)
  await backup(live, paths.kept)
  live.close()
  return { restore: async () => restore(paths), remove: async () => folder.remove() }
}

async function keptDirectory(place: EmptyPlace): Promise<Backup> {
  const folder = temporaryFolder()
  const kept = join(folder.path, 'kept')
  cpSync(dataDirOf(place), kept, { recursive: true })
  const restore = async () => {
    rmSync(dataDirOf(place), { recursive: true })
    cpSync(kept, dataDirOf(place), { recursive: true, preserveTimestamps: true })
  }
  return { restore, remove: async () => folder.remove() }
}

async function keptDatabase(place: EmptyPlace): Promise<Backup> {
  const copy = await copyOfDatabase(urlOf(place))
  return { restore: () => copy.takePlaceOf(), remove: copy.remove }
}

/** Copies all rows of a PostgreSQL database. The copy is restored in one transaction, like a data-only dump. */
export async function keptRows(url: string): Promise<Backup> {
  const look = await postgresLook(url)
  const names = async (sql: string) => (await look.rows(sql)).map(({ name }) => String(name))
  const tables = await names("select tablename as name from pg_tables where schemaname = 'public'")
  const numbered = new Set(
    await names("select table_name as name from information_schema.columns where is_identity = 'YES'"),
  )
  await look.rows('create schema kept')
  for (const table of tables) await look.rows(`create table kept.${table} as table public.${table}`)
  const restore = async () => {
    await look.rows('begin')
    await look.rows("set local session_replication_role = 'replica'")
    await look.rows(`truncate ${tables.map((table) => `public.${table}`).join(', ')}`)
    for (const table of tables) {
      await look.rows(`insert into public.${table} overriding system value select * from kept.${table}`)
      if (!numbered.has(table)) continue
      const last = `(select coalesce(max(id), 0) + 1 from kept.${table})`
      await look.rows(`select setval(pg_get_serial_sequence('public.${table}', 'id'), ${last}, false)`)
    }
    await look.rows('commit')
  }
  return { restore, remove: () => look.close() }
}
