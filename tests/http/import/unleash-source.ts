import { createHash, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createUnleashDatabaseSource } from '@burgee/import/unleash/unleash-database-source'
import { SILENT } from '@burgee/kit/log/logger'
import type { ImportOrder, ImportReport } from '@burgee/server/admin/import/import-order'
import { runImport } from '@burgee/server/boot/operator/import'
import { Client } from 'pg'
import { freshDatabase } from '../../support/postgres.ts'
import { optionsOf } from '../scenario.ts'

/** PostgreSQL database as an Unleash server leaves it after some years. */
export interface UnleashDatabase {
  readonly url: string
  run(sql: string): Promise<Record<string, unknown>[]>
  /** Returns a digest of all table contents. */
  digest(): Promise<string>
  remove(): Promise<void>
}

const scriptOf = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8')

/** Creates a database with the Unleash tables, and with the rows of `unleash-content.sql` unless `content` is false. */
export async function unleashDatabase(content = true): Promise<UnleashDatabase> {
  const { url, remove } = await freshDatabase()
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query(scriptOf('unleash-tables.sql'))
  if (content) await client.query(scriptOf('unleash-content.sql'))
  const run = async (sql: string) => (await client.query(sql)).rows as Record<string, unknown>[]
  return {
    url,
    run,
    async digest() {
      const hash = createHash('sha256')
      const tables = await run(
        "select table_name as name from information_schema.tables where table_schema = 'public' order by 1",
      )
      for (const { name } of tables) {
        const [row] = await run(
          `select md5(coalesce(string_agg(t::text, ',' order by t::text), '')) as all from "${name}" t`,
        )
        hash.update(`${name} ${row?.all}\n`)
      }
      return hash.digest('hex')
    },
    async remove() {
      await client.end()
      await remove()
    },
  }
}

/** Imports from `url` into the database that the options select. */
export async function importInto(
  place: object,
  url: string,
  order: Partial<ImportOrder> & { readonly schema?: string } = {},
): Promise<ImportReport> {
  const { schema = 'public', ...given } = order
  const source = createUnleashDatabaseSource({ url, schema }, Date.now)
  const deps = { options: optionsOf(place), clock: Date.now, random: randomBytes, logger: SILENT }
  try {
    return await runImport(deps, source, {
      mode: 'fresh',
      events: 'all',
      integrationsOn: true,
      isTrial: false,
      closeUnguarded: false,
      progress: () => {},
      ...given,
    })
  } finally {
    await source.close()
  }
}
