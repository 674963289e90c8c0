import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PROCESS_CLOCK } from '@burgee/kit/monotonic-clock'
import { isEncryptedAddress } from '@burgee/kit/options/encrypted-addresses'
import { describeSource, OptionsError, type OptionTable, type Parsed, parseOptions } from '@burgee/kit/options/options'
import { flag, list, text } from '@burgee/kit/options/parsers'
import { omitOptions } from '@burgee/kit/options/select-options'
import { getShutdownTimes } from '@burgee/kit/shutdown-times'
import { CurrentSecrets } from '@burgee/proxy/current-secrets'
import { getListenAddress as proxyListensAt } from '@burgee/proxy/listen-settings'
import { EMBEDDED_PROXY_OPTIONS, type EmbeddedProxyOptions } from '@burgee/proxy/options'
import { loadPlugins } from '@burgee/proxy/plugins/plugins'
import { type BurgeeProxy, createProxy, type ProxyDeps } from '@burgee/proxy/proxy'
import { createProfile } from '@burgee/proxy/upstream/connection'
import { type BurgeeServer, getListenAddress } from '@burgee/server'
import { requireNoRejectedVariables } from '@burgee/server/boot/unleash-compat-variables'
import { SERVER_OPTIONS } from '@burgee/server/core/options/options'
import { makeDirectory, toDirectoryError } from '@burgee/storage/drivers/sqlite/data-directory'
import { announce } from './announce.ts'
import { connectServer } from './in-process.ts'
import { print } from './output.ts'
import type { InjectedDeps, RunningService } from './running.ts'
import {
  announceLateLogin,
  createListening,
  createServerLoggers,
  formatFirstLogin,
  warnOfVariables,
} from './server-command.ts'
import { formatWelcome } from './welcome.ts'

/**
 * Options of `burgee start`: the options of the server, the options of the proxy that apply within one process, and a
 * few additional ones.
 */
export const START_OPTIONS = {
  ...omitOptions(EMBEDDED_PROXY_OPTIONS, ['port', 'host']),
  ...SERVER_OPTIONS,
  clientKeys: {
    ...EMBEDDED_PROXY_OPTIONS.clientKeys,
    parse: list,
    required: false,
    defaultDoc: 'generated at the first start',
  },
  proxyPort: { ...EMBEDDED_PROXY_OPTIONS.port, env: ['PROXY_PORT'], doc: 'Listening port of the proxy.' },
  host: {
    ...SERVER_OPTIONS.host,
    default: '127.0.0.1',
    doc: 'Address to listen on; only this machine by default. 0.0.0.0 or :: listens on all interfaces.',
  },
  proxyHost: {
    ...EMBEDDED_PROXY_OPTIONS.host,
    defaultDoc: 'the value of HTTP_HOST',
    doc: 'Address that the proxy listens on.',
  },
  proxyEnvironment: {
    env: ['PROXY_ENVIRONMENT'],
    parse: text,
    default: 'development',
    doc: 'Environment whose flags the proxy serves.',
  },
  demo: { env: ['BURGEE_DEMO'], parse: flag, default: true, doc: 'Fill a new database with a few demo flags.' },
} as const satisfies OptionTable

type StartOptions = Parsed<typeof START_OPTIONS> & { readonly proxyHost: string }

/** Makes the proxy listen on the server's address unless configured otherwise. */
function withProxyHost(options: Parsed<typeof START_OPTIONS>): StartOptions {
  return { ...options, proxyHost: options.proxyHost ?? options.host }
}

/** Addresses to listen on that are reachable as `localhost`. */
const LOCALHOST = /^(0\.0\.0\.0|::|::1|127\.\d+\.\d+\.\d+|localhost)$/

/** Returns the URL for a browser on this machine. */
function formatOrigin(host: string, port: number): string {
  if (LOCALHOST.test(host)) return `http://localhost:${port}`
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** Runs `burgee start`: server and proxy in one process, on the embedded database or PostgreSQL. */
export async function runStart(argv: readonly string[], more: InjectedDeps): Promise<RunningService> {
  requireNoRejectedVariables(process.env)
  const sources = { env: process.env, argv }
  const options = withProxyHost(parseOptions(START_OPTIONS, sources))
  requireDistinctPorts(options)
  requireEncryptedBootstrap(options)
  const proxyAt = proxyListensAt(
    { port: options.proxyPort, host: options.proxyHost, listenBacklog: options.listenBacklog },
    '--proxy-port',
  )
  // also needed with PostgreSQL, because the directory contains the proxy's client key
  if (options.clientKeys === undefined) await withDirectoryErrors(options.dataDir, () => makeDirectory(options.dataDir))
  const loggers = createServerLoggers(options)
  const { logger } = loggers
  warnOfVariables(logger, START_OPTIONS)
  const server = await createListening(options, [getListenAddress(options), proxyAt], { ...loggers, ...more })
  try {
    if (server.isNew && options.demo) await server.seedDemo()
    const { port } = await server.listen()
    const clientKeys = options.clientKeys ?? [await loadClientKey(options.dataDir)]
    const plugins = await loadPlugins(options, (option) => describeSource(START_OPTIONS, option, sources))
    const proxy = createEmbeddedProxy(server, options, { clientKeys, plugins, logger })
    const address = await proxy.listen()
    print(
      formatWelcome({
        serverUrl: `${formatOrigin(options.host, port)}${options.baseUriPath}`,
        proxyUrl: `${formatOrigin(options.proxyHost, address.port)}${options.proxyBasePath}/proxy`,
        environment: options.proxyEnvironment,
        clientKey: clientKeys[0] ?? '',
        keyHeader: options.clientKeysHeaderName,
        firstLogin: formatFirstLogin(server.firstLogin),
      }),
    )
    announceLateLogin(server, options)
    return {
      times: getShutdownTimes(options.shutdownDelay),
      drain: () => {
        proxy.drain()
        server.drain()
      },
      close: async () => {
        // run concurrently, so that their time limits do not add up; the server still stores the proxy's last counts
        await Promise.all([proxy.close(), server.app.close()])
        await server.close()
      },
      announce: (text) => announce(text, options.useJsonLogger),
    }
  } catch (error) {
    await server.close()
    throw error
  }
}

/** Dependencies of the proxy in this process. */
interface EmbeddedProxyDeps extends Pick<ProxyDeps, 'plugins' | 'logger'> {
  readonly clientKeys: readonly string[]
}

/** Creates the proxy of `burgee start`, which gets its flags from the server without HTTP. */
function createEmbeddedProxy(server: BurgeeServer, options: StartOptions, deps: EmbeddedProxyDeps): BurgeeProxy {
  const { clientKeys, plugins, logger } = deps
  const proxyOptions = buildProxyOptions(options, clientKeys)
  const scope = { environment: options.proxyEnvironment, projects: [options.projectName ?? '*'] }
  return createProxy({
    options: proxyOptions,
    secrets: new CurrentSecrets(proxyOptions),
    plugins,
    connection: connectServer(server, scope, {
      appName: options.flagAppName,
      profile: createProfile(options),
      logger,
      monotonic: PROCESS_CLOCK,
    }),
    onContext: server.seen(scope),
    bodies: server.app.bodies,
    isSupervised: true,
    logger,
    clock: Date.now,
    monotonic: PROCESS_CLOCK,
    random: Math.random,
  })
}

/** Returns the options of the proxy in this process. */
function buildProxyOptions(options: StartOptions, clientKeys: readonly string[]): EmbeddedProxyOptions {
  return {
    ...options,
    clientKeys,
    port: options.proxyPort,
    host: options.proxyHost,
    // the server serves its OpenAPI pages by default, unlike the proxy
    enableOAS: options.enableOAS ?? false,
  }
}

const OWNER_ONLY = 0o600

/**
 * Returns the client key in the data directory. The key is generated at the first start and then stays the same, so
 * that the printed command remains valid.
 */
function loadClientKey(dataDir: string): Promise<string> {
  return withDirectoryErrors(dataDir, () => {
    const path = join(dataDir, 'client-key')
    if (existsSync(path)) return readFileSync(path, 'utf8').trim()
    const key = Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString('hex')
    writeFileSync(path, `${key}\n`, { mode: OWNER_ONLY })
    return key
  })
}

/** Runs `work` and adds the name of the data directory to its errors. */
async function withDirectoryErrors<T>(dataDir: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw toDirectoryError(dataDir, error)
  }
}

/**
 * Throws OptionsError if both ports are the same. Both ports may seem free, but only one of the two listeners could
 * open the same port.
 */
function requireDistinctPorts({ port, proxyPort }: StartOptions): void {
  if (port !== proxyPort || port === 0) return
  throw new OptionsError([`PORT and PROXY_PORT are both ${port}: server and proxy need different ports`])
}

/** Throws OptionsError if encryption is required but the proxy would fetch its first flags unencrypted. */
function requireEncryptedBootstrap({ requireEncryption, 'expBootstrap.url': url }: StartOptions): void {
  if (!requireEncryption || url === undefined || isEncryptedAddress(url)) return
  throw new OptionsError(['REQUIRE_ENCRYPTION needs an https address in EXP_BOOTSTRAP_URL'])
}
