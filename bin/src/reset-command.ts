import { randomBytes } from 'node:crypto'
import { SILENT } from '@burgee/kit/log/logger'
import { type OptionTable, parseOptions } from '@burgee/kit/options/options'
import { DATABASE_OPTIONS } from '@burgee/server/database-options'
import { SERVER_OPTIONS } from '@burgee/server/options'
import { resetPassword } from '@burgee/server/reset-password'

/** Options of `burgee reset-password`: those of the server that say where its database is. */
export const RESET_OPTIONS = {
  dataDir: SERVER_OPTIONS.dataDir,
  ...pick(Object.keys(DATABASE_OPTIONS) as (keyof typeof DATABASE_OPTIONS)[]),
} satisfies OptionTable

function pick<K extends keyof typeof SERVER_OPTIONS>(names: readonly K[]): Pick<typeof SERVER_OPTIONS, K> {
  return Object.fromEntries(names.map((name) => [name, SERVER_OPTIONS[name]])) as Pick<typeof SERVER_OPTIONS, K>
}

/** `burgee reset-password [name] [options]`: what to print, with the new password in it. */
export async function runReset(argv: readonly string[]): Promise<string> {
  const [first] = argv
  const login = first === undefined || first.startsWith('-') ? undefined : first
  const options = parseOptions(RESET_OPTIONS, { env: process.env, argv: login === undefined ? argv : argv.slice(1) })
  const deps = { options, clock: Date.now, random: randomBytes, logger: SILENT }
  const { name, password } = await resetPassword(deps, login)
  return [
    `New password: ${name} / ${password}`,
    'It must be changed at the next login. The old one no longer works, and its sessions have ended.',
  ].join('\n')
}
