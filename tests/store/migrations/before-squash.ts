import { readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { Client } from 'pg'

/** Secrets of the tokens in the files, and the flags that the client token downloads. */
export const BEFORE_SQUASH = {
  clientToken: '*:development.old-client-secret',
  adminToken: '*:*.old-admin-secret',
  flags: ['old-flag', 'old-parent'],
} as const

/**
 * Fills an empty database, given by file or URL, with tables and rows that a server wrote before the migrations were
 * squashed.
 * @param upTo name of the last executed migration, if the database stopped earlier
 */
export async function fillBeforeSquash(where: string, upTo = '9999'): Promise<void> {
  const isPostgres = where.startsWith('postgres:')
  const file = new URL(`before-squash/${isPostgres ? 'postgres' : 'sqlite'}.sql`, import.meta.url)
  const sql = readFileSync(file, 'utf8')
  const shorten = `delete from kysely_migration where name > '${upTo}'`
  if (isPostgres) {
    const client = new Client({ connectionString: where })
    await client.connect()
    await client.query(`${sql}; set search_path to public; ${shorten}`)
    await client.end()
    return
  }
  const db = new DatabaseSync(where)
  db.exec(`${sql}; ${shorten}`)
  db.close()
}
