import { openSqlite } from '@burgee/server/store/embedded/sqlite'
import { openPostgres } from '@burgee/server/store/postgres/postgres'

/**
 * Opens a database (a file, past the lock of its directory, or an address) and says how many projects there are. Kills itself
 * once a statement has run that begins with the second argument, where there is one.
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
