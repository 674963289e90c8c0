import { parseOptions } from '@burgee/kit/options/options'
import { openDatabase } from '@burgee/server/boot/open-database'
import { SERVER_OPTIONS } from '@burgee/server/core/options/options'

/**
 * Opens a data directory as an unprivileged user, because root may write to every directory. Prints the error, or
 * nothing.
 */
const [, , dataDir = ''] = process.argv
const NOBODY = 65_534
if (process.getuid?.() === 0) {
  process.setgid?.(NOBODY)
  process.setuid?.(NOBODY)
}

try {
  await (await openDatabase(parseOptions(SERVER_OPTIONS, { given: { dataDir } }), { clock: Date.now })).close()
} catch (error) {
  process.stdout.write(`${error instanceof Error ? `${error.name}: ${error.message}` : String(error)}\n`)
}
