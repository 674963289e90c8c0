import { randomBytes } from 'node:crypto'
import { SILENT } from '@burgee/kit/log/logger'
import { PROCESS_CLOCK } from '@burgee/kit/monotonic-clock'
import { type OptionTable, parseOptions } from '@burgee/kit/options/options'
import { createServer } from '@burgee/server'
import { SERVER_OPTIONS, type ServerOptions } from '@burgee/server/core/options/options'
import { CHEAP } from '../support/password-cost.ts'

/**
 * Server in a separate process, to be killed. Arguments: data directory, admin token. Prints its port, or the reason
 * why it cannot start.
 */
const [, , dataDir = '', token = ''] = process.argv
const given = {
  dataDir,
  port: 0,
  host: '127.0.0.1',
  defaultAdminPassword: 'a good password',
  initAdminApiTokens: [token],
}
const options = parseOptions(SERVER_OPTIONS as OptionTable, { given }) as ServerOptions

process.stdin.resume().on('close', () => process.exit())

try {
  const deps = { clock: Date.now, monotonic: PROCESS_CLOCK, random: randomBytes, logger: SILENT, passwordCost: CHEAP }
  const server = await createServer({ options, ...deps })
  const { port } = await server.listen()
  process.stdout.write(`${JSON.stringify({ port })}\n`)
} catch (error) {
  process.stdout.write(`${JSON.stringify({ failed: error instanceof Error ? error.message : String(error) })}\n`)
  process.exitCode = 1
  process.stdin.destroy()
}
