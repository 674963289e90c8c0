import { randomBytes } from 'node:crypto'
import { type ListenAt, ListenError, requireFreePort } from '@burgee/kit/http/listening'
import { createLogger, type Logger } from '@burgee/kit/log/logger'
import { PROCESS_CLOCK } from '@burgee/kit/monotonic-clock'
import { type OptionTable, parseOptions, secretsOf, variablesOf } from '@burgee/kit/options/options'
import { serviceLinkWarning } from '@burgee/kit/options/service-links'
import { shutdownTimes } from '@burgee/kit/shutdown-times'
import { type BurgeeServer, createServer, listenAt, type ServerDeps } from '@burgee/server'
import { requireNoneRefused, variablesWithoutEffect } from '@burgee/server/established-variables'
import { SERVER_OPTIONS, type ServerOptions } from '@burgee/server/options'
import type { FirstLogin } from '@burgee/server/services/access/people/first-login'
import { ownerOfDirectory } from '@burgee/server/store/embedded/directory-lock'
import { announce } from './announce.ts'
import type { Injected, Running } from './running.ts'

/** `burgee server`: the server alone. The first login is printed as long as nobody has used it. */
export async function runServer(argv: readonly string[], more: Injected): Promise<Running> {
  requireNoneRefused(process.env)
  const options = parseOptions(SERVER_OPTIONS, { env: process.env, argv })
  const loggers = serverLoggers(options)
  warnOfVariables(loggers.logger, SERVER_OPTIONS)
  const server = await createListening(options, [listenAt(options)], { ...loggers, ...more })
  try {
    const { port } = await server.listen()
    announce(`Burgee server is listening on port ${port}`, options.useJsonLogger)
  } catch (error) {
    await server.close()
    throw error
  }
  const login = firstLoginText(server.firstLogin)
  if (login !== undefined) announce(`First login: ${login}`, options.useJsonLogger)
  tellLateLogin(server, options)
  return {
    times: shutdownTimes(options.shutdownDelay),
    drain: () => server.drain(),
    close: () => server.close(),
    announce: (text) => announce(text, options.useJsonLogger),
  }
}

/**
 * Makes a server once all its ports are seen to be free: a start that must fail over one makes no tables and no
 * password. Throws ListenError, which names a process that serves the same data directory.
 */
export async function createListening(
  options: ServerOptions,
  ports: readonly ListenAt[],
  more: Omit<ServerDeps, 'options' | 'clock' | 'monotonic' | 'random'>,
): Promise<BurgeeServer> {
  try {
    for (const at of ports) await requireFreePort(at)
  } catch (error) {
    throw await withOwner(error, options)
  }
  return createServer({ options, clock: Date.now, monotonic: PROCESS_CLOCK, random: randomBytes, ...more })
}

async function withOwner(error: unknown, options: ServerOptions): Promise<unknown> {
  if (!(error instanceof ListenError) || error.code !== 'EADDRINUSE') return error
  const owner = await ownerOfDirectory(options.dataDir)
  if (owner === undefined) return error
  const text = `${error.message}. It may be the process ${owner}, which serves the data directory ${options.dataDir}`
  return new ListenError(text, error.code, error)
}

/** The loggers that a server's options ask for; they never show its secrets. */
export function serverLoggers(
  options: ServerOptions,
): Pick<ServerDeps, 'logger'> & { readonly securityLogger: Logger } {
  const secrets = secretsOf(SERVER_OPTIONS, options)
  const common = {
    json: options.useJsonLogger,
    secrets: () => secrets,
    write: (line: string) => process.stdout.write(line),
    clock: Date.now,
  }
  return {
    logger: createLogger({ ...common, level: options.logLevel }),
    // who came in is told at every level
    securityLogger: createLogger({ ...common, level: 'info' }),
  }
}

/** Names the variables that are set and that a start with the options of `table` does nothing with. */
export function warnOfVariables(logger: Logger, table: OptionTable): void {
  for (const [name, doc] of variablesWithoutEffect(process.env, variablesOf(table))) {
    logger.warn(`${name} has no effect: it ${doc}`)
  }
  const links = serviceLinkWarning(table, process.env)
  if (links !== undefined) logger.warn(links)
}

/** Says the first login of a database that was away at the start, once it is there. */
export function tellLateLogin(
  server: Pick<BurgeeServer, 'lateLogin'>,
  { useJsonLogger }: Pick<ServerOptions, 'useJsonLogger'>,
): void {
  void server.lateLogin.then((late) => {
    const login = firstLoginText(late)
    if (login !== undefined) announce(`First login: ${login}`, useJsonLogger)
  })
}

/** How to log in first, and since when; a password that was configured is not repeated. */
export function firstLoginText(login: FirstLogin | undefined): string | undefined {
  if (login === undefined) return undefined
  const { username, password = '(the configured password)', made } = login
  switch (made) {
    case 'new':
      return `${username} / ${password}   (shown only this once)`
    case 'configured':
      return `${username} / ${password}`
    case 'anew':
      return `${username} / ${password}   (made anew, for nobody has logged in so far; the one before no longer works)`
    case 'elsewhere':
      return `${username}, with the password that another server has printed; lost? burgee reset-password ${username}`
  }
}
