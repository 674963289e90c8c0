import { openSqlite } from '@burgee/server/store/sqlite'

/** Opens a database file, past the lock of the directory, and says how many projects there are. */
const [, , file = ''] = process.argv
const db = await openSqlite(file, { clock: Date.now })
const projects = await db.reader.selectFrom('projects').select('id').execute()
await db.close()
process.stdout.write(`${projects.length}\n`)
