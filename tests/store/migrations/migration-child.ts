import { openPostgres } from '@burgee/storage/drivers/postgres/postgres'
import { openSqlite } from '@burgee/storage/drivers/sqlite/sqlite'

/**
 * Opens a database (a file, ignoring the lock of its directory, or a URL) and prints the number of projects. Kills
 * itself after a statement that starts with the second argument, if given.
 */
const [, , where = '', killAfter = ''] = process.argv
const onQuery = (sql: string): void => {
  if (killAfter !== '' && sql.startsWith(killAfter)) process.kill(process.pid, 'SIGKILL')
}
const options = { clock: Date.now, onQuery }
const db = where.startsWith('postgres:')
  ? await openPostgres({ connection: { connectionString: where }, poolSize: 4 }, options)
  : await openSqlite(where, options)
const projects = await db.reader.selectFrom('projects').select('id').execute()
await db.close()
process.stdout.write(`${projects.length}\n`)
