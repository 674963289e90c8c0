import { openSqlite } from '@burgee/server/store/embedded/sqlite'
import { openPostgres } from '@burgee/server/store/postgres/postgres'

/** Opens a database (a file, past the lock of its directory, or an address) and says how many projects there are. */
const [, , where = ''] = process.argv
const db = where.startsWith('postgres:')
  ? await openPostgres({ connection: { connectionString: where }, poolSize: 4 }, { clock: Date.now })
  : await openSqlite(where, { clock: Date.now })
const projects = await db.reader.selectFrom('projects').select('id').execute()
await db.close()
process.stdout.write(`${projects.length}\n`)
