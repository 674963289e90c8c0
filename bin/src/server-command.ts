import { randomBytes } from 'node:crypto'
import { createLogger, type Logger } from '@burgee/kit/logger'
import { parseOptions, secretsOf } from '@burgee/kit/options'
import { type BurgeeServer, createServer } from '@burgee/server'
import { SERVER_OPTIONS, type ServerOptions } from '@burgee/server/options'
import type { Running } from './running.ts'

/** `burgee server`: the server alone. The password of a first admin is printed once. */
export async function runServer(argv: readonly string[]): Promise<Running> {
  const options = parseOptions(SERVER_OPTIONS, { env: process.env, argv })
  const server = await createServer({ options, clock: Date.now, random: randomBytes, logger: serverLogger(options) })
  const { port } = await server.listen()
  process.stdout.write(`Burgee server is listening on port ${port}\n`)
  const login = firstLoginText(server)
  if (login !== undefined) process.stdout.write(`First login: ${login}\n`)
  return server
}

/** The logger that a server's options ask for; it never shows their secrets. */
export function serverLogger(options: ServerOptions): Logger {
  const secrets = secretsOf(SERVER_OPTIONS, options)
  return createLogger({
    level: options.logLevel,
    json: options.useJsonLogger,
    secrets: () => secrets,
    write: (line) => process.stdout.write(line),
    clock: Date.now,
  })
}

/** Name and password of a fresh server's admin; a password that was configured is not repeated. */
export function firstLoginText(server: BurgeeServer): string | undefined {
  const { firstLogin } = server
  if (firstLogin === undefined) return undefined
  return `${firstLogin.username} / ${firstLogin.password ?? '(the configured password)'}`
}
