import { randomBytes } from 'node:crypto'
import { SILENT } from '@burgee/kit/log/logger'
import { type OptionTable, parseOptions } from '@burgee/kit/options/options'
import { flag } from '@burgee/kit/options/parsers'
import { resetPassword } from '@burgee/server/boot/reset-password'
import { DATABASE_LOCATION_OPTIONS } from './database-location-options.ts'
import { formatResult, JSON_OPTION } from './json-option.ts'

/** Options of `burgee reset-password`. */
export const RESET_OPTIONS = {
  ...DATABASE_LOCATION_OPTIONS,
  ...JSON_OPTION,
  enablePasswordLogin: {
    parse: flag,
    default: false,
    doc: 'Enable password login again if it was disabled for single sign-on.',
  },
} as const satisfies OptionTable

const OFF = 'Password logins are disabled: use --enable-password-login to enable them.'

/** Runs `burgee reset-password [name] [options]`. Returns the command's output, which contains the new password. */
export async function runReset(argv: readonly string[]): Promise<string> {
  const [first] = argv
  const login = first === undefined || first.startsWith('-') ? undefined : first
  const options = parseOptions(RESET_OPTIONS, { env: process.env, argv: login === undefined ? argv : argv.slice(1) })
  const { enablePasswordLogin } = options
  const deps = { options, clock: Date.now, random: randomBytes, logger: SILENT, enablePasswordLogin }
  const { name, password, isPasswordLoginOff } = await resetPassword(deps, login)
  return formatResult(options.json, { name, password, isPasswordLoginOff }, [
    `New password: ${name} / ${password}`,
    'It must be changed at the next login. The old password no longer works, and all its sessions have ended.',
    ...(isPasswordLoginOff ? [OFF] : []),
  ])
}
