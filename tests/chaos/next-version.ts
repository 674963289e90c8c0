import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Name of the migration that only the next version has. */
export const NEXT_MIGRATION = '9999-next'

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const START_OF_LIST = /function alterTables\([^)]*\) \{\s*return \{/
/** Every kind of change that a migration may make, on tables that all requests use. */
const ADDITIONS = `{ up: async (db) => {
  await db.schema.alterTable("features").addColumn("next_note", "text").execute();
  await db.schema.alterTable("feature_strategies").addColumn("next_weight", "integer", (column) => column.notNull().defaultTo(0)).execute();
  await db.schema.alterTable("events").addColumn("next_reason", "text").execute();
  await db.schema.createTable("next_things").addColumn("id", "integer", (column) => column.primaryKey()).execute();
  await db.schema.createIndex("features_by_next_note").on("features").column("next_note").execute();
} }`

/** Command of the next version. */
export interface NextVersion {
  /** Path to run with Node. */
  readonly command: string
  remove(): void
}

/**
 * Creates the next version: the built command with one additional migration. Throws if the list of migrations cannot be
 * found in the command.
 */
export function makeNextVersion(): NextVersion {
  // the folder is at the same depth as the command's, because the command's files resolve other workspace files
  // relative to their own path
  const folder = mkdtempSync(join(ROOT, '.cache', 'next-version-'))
  cpSync(join(ROOT, 'bin', 'bundle'), folder, { recursive: true })
  const changed = readdirSync(folder).filter((name) => {
    const text = readFileSync(join(folder, name), 'utf8')
    if (!START_OF_LIST.test(text)) return false
    writeFileSync(join(folder, name), text.replace(START_OF_LIST, `$&\n"${NEXT_MIGRATION}": ${ADDITIONS},`))
    return true
  })
  if (changed.length !== 1) throw new Error(`The list of migrations is in ${changed.length} files of the built command`)
  const command = join(folder, 'burgee.mjs')
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  const run = "import { runCommand } from './command.js'\nprocess.exitCode = await runCommand(process.argv.slice(2))\n"
  writeFileSync(command, run)
  return { command, remove: () => rmSync(folder, { recursive: true, force: true }) }
}
