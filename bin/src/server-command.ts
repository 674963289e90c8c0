import { randomBytes } from 'node:crypto'
import { ListenError, type ListenSettings, requireFreePort } from '@burgee/kit/http/listening'
import { createLogger, type Logger } from '@burgee/kit/log/logger'
import { PROCESS_CLOCK } from '@burgee/kit/monotonic-clock'
import { listSecrets, listVariables, type OptionTable, parseOptions } from '@burgee/kit/options/options'
import { describeServiceLinks } from '@burgee/kit/options/service-links'
import { getShutdownTimes } from '@burgee/kit/shutdown-times'
import { type BurgeeServer, createServer, getListenAddress, type ServerDeps } from '@burgee/server'
import type { FirstLogin } from '@burgee/server/admin/access/people/first-login'
import { listIneffectiveVariables, requireNoRejectedVariables } from '@burgee/server/boot/unleash-compat-variables'
import { SERVER_OPTIONS, type ServerOptions } from '@burgee/server/core/options/options'
import { findDirectoryOwner } from '@burgee/storage/drivers/sqlite/directory-lock'
import { announce } from './announce.ts'
import type { InjectedDeps, RunningService } from './running.ts'

/** Runs `burgee server`: only the server. Prints the first login at each start until someone has logged in with it. */
export async function runServer(argv: readonly string[], more: InjectedDeps): Promise<RunningService> {
  requireNoRejectedVariables(process.env)
  const options = parseOptions(SERVER_OPTIONS, { env: process.env, argv })
  const loggers = createServerLoggers(options)
  warnOfVariables(loggers.logger, SERVER_OPTIONS)
  const server = await createListening(options, [getListenAddress(options)], { ...loggers, ...more })
  try {
    const { port } = await server.listen()
    announce(`Burgee server is listening on port ${port}`, options.useJsonLogger)
  } catch (error) {
    await server.close()
    throw error
  }
  const login = formatFirstLogin(server.firstLogin)
  if (login !== undefined) announce(`First login: ${login}`, options.useJsonLogger)
  announceLateLogin(server, options)
  return {
    times: getShutdownTimes(options.shutdownDelay),
    drain: () => server.drain(),
    close: () => server.close(),
    announce: (text) => announce(text, options.useJsonLogger),
  }
}

/**
 * Creates a server after checking that all of its ports are available. If a port is taken, neither tables nor a
 * password are created. Throws ListenError; its message names the process that serves the same data directory, if there
 * is one.
 */
export async function createListening(
  options: ServerOptions,
  ports: readonly ListenSettings[],
  more: Omit<ServerDeps, 'options' | 'clock' | 'monotonic' | 'random'>,
): Promise<BurgeeServer> {
  try {
    for (const at of ports) await requireFreePort(at)
  } catch (error) {
    throw await explainPortInUse(error, options)
  }
  return createServer({ options, clock: Date.now, monotonic: PROCESS_CLOCK, random: randomBytes, ...more })
}

async function explainPortInUse(error: unknown, options: ServerOptions): Promise<unknown> {
  if (!(error instanceof ListenError) || error.code !== 'EADDRINUSE') return error
  const owner = await findDirectoryOwner(options.dataDir)
  if (owner === undefined) return error
  const text = `${error.message}. The port may be in use by process ${owner}, which serves the data directory ${options.dataDir}`
  return new ListenError(text, error.code, error)
}

/** Creates loggers from a server's options. The loggers redact the server's secrets. */
export function createServerLoggers(
  options: ServerOptions,
): Pick<ServerDeps, 'logger'> & { readonly securityLogger: Logger; readonly progressLogger: Logger } {
  const secrets = listSecrets(SERVER_OPTIONS, options)
  const common = {
    json: options.useJsonLogger,
    secrets: () => secrets,
    write: (line: string) => process.stdout.write(line),
    clock: Date.now,
  }
  const always = createLogger({ ...common, level: 'info' })
  // logins, and the progress of a start that takes minutes, are printed at every log level
  return {
    logger: createLogger({ ...common, level: options.logLevel }),
    securityLogger: always,
    progressLogger: always,
  }
}

/** Warns about environment variables that are set but have no effect with the options in `table`. */
export function warnOfVariables(logger: Logger, table: OptionTable): void {
  for (const [name, doc] of listIneffectiveVariables(process.env, listVariables(table))) {
    logger.warn(`${name} has no effect: it ${doc}`)
  }
  const links = describeServiceLinks(table, process.env)
  if (links !== undefined) logger.warn(links)
}

/** Announces the first login as soon as the database is available, if the database was down at the start. */
export function announceLateLogin(
  server: Pick<BurgeeServer, 'lateLogin'>,
  { useJsonLogger }: Pick<ServerOptions, 'useJsonLogger'>,
): void {
  void server.lateLogin.then((late) => {
    const login = formatFirstLogin(late)
    if (login !== undefined) announce(`First login: ${login}`, useJsonLogger)
  })
}

/** Describes the first login and where its password comes from. A configured password is not printed. */
export function formatFirstLogin(login: FirstLogin | undefined): string | undefined {
  if (login === undefined) return undefined
  const { username, password = '(the configured password)', made } = login
  switch (made) {
    case 'new':
      return `${username} / ${password}   (shown only this once)`
    case 'configured':
      return `${username} / ${password}`
    case 'anew':
      return `${username} / ${password}   (new password, because no one has logged in yet; the previous one no longer works)`
    case 'elsewhere':
      return `${username}, with the password that another server has printed; if it is lost: burgee reset-password ${username}`
  }
}
