import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PROCESS_CLOCK } from '@burgee/kit/monotonic-clock'
import { type Parsed, parseOptions } from '@burgee/kit/options/options'
import { getShutdownTimes } from '@burgee/kit/shutdown-times'
import { type BurgeeServer, getListenAddress } from '@burgee/server'
import { SERVER_OPTIONS } from '@burgee/server/core/options/options'
import { listProjects, parseFolderOptions } from '../config/config-projects.ts'
import { print } from '../output.ts'
import type { InjectedDeps, RunningService } from '../running.ts'
import { createListening, createServerLoggers, formatFirstLogin } from '../server-command.ts'
import { DEV_OPTIONS } from './dev-options.ts'
import { FileLoader, type SdkTokens } from './file-loader.ts'
import { computeSignature, watchFolders } from './folder-watch.ts'

type DevOptions = Parsed<typeof DEV_OPTIONS>

/** Addresses that can only be reached from this machine. */
const THIS_MACHINE = /^(::1|127\.\d+\.\d+\.\d+|localhost)$/
/** Names and addresses of this machine in requests. */
const LOCAL_HOSTS = ['localhost', '*.localhost', '127.0.0.1', '::1']
const TOKEN_BYTES = 24

/**
 * Runs `burgee dev [DIR]`: serves the flags in YAML files from a temporary database. Loads the files again when they
 * change. Fails if the files contain a mistake at the start; later mistakes are printed, and the last valid flags stay
 * in use.
 */
export async function runDev(argv: readonly string[], more: InjectedDeps): Promise<RunningService> {
  const { folder, options } = parseFolderOptions(DEV_OPTIONS, argv)
  const places = listProjects(folder, options.project)
  const dataDir = mkdtempSync(join(tmpdir(), 'burgee-dev-'))
  const removeData = () => rmSync(dataDir, { recursive: true, force: true })
  try {
    const server = await createDevServer(dataDir, options, more)
    try {
      const tokens = createTokens(options)
      const loader = new FileLoader(server, places, { environment: options.environment, tokens })
      const folders = places.map((place) => place.folder)
      // before the files are read, so that a change during the start is not missed
      const loaded = computeSignature(folders)
      await loader.loadAll()
      const { port } = await server.listen()
      print(formatDevWelcome({ folder, port, options, tokens, login: formatFirstLogin(server.firstLogin) }))
      const watch = watchFolders(folders, { loaded, reload: () => loader.reload(), monotonic: PROCESS_CLOCK })
      return {
        times: getShutdownTimes(0),
        drain: () => server.drain(),
        close: async () => {
          await watch.stop()
          await server.close()
          removeData()
        },
        announce: (text) => print(text),
      }
    } catch (error) {
      await server.close()
      throw error
    }
  } catch (error) {
    removeData()
    throw error
  }
}

function createDevServer(
  dataDir: string,
  { port, host, allowHost }: DevOptions,
  more: InjectedDeps,
): Promise<BurgeeServer> {
  const defaults = parseOptions(SERVER_OPTIONS, { env: {}, argv: [] })
  const options = { ...defaults, dataDir, port, host, securityLog: false }
  const pageHosts = THIS_MACHINE.test(host) ? [...LOCAL_HOSTS, host, ...allowHost] : undefined
  return createListening(options, [getListenAddress(options)], { ...createServerLoggers(options), pageHosts, ...more })
}

/** Returns the tokens for SDKs. Well-known tokens are used only if the server can be reached only from this machine. */
function createTokens({ environment, host, clientToken, frontendToken }: DevOptions): SdkTokens {
  const create = (name: string): string => {
    const secret = THIS_MACHINE.test(host) ? name : randomBytes(TOKEN_BYTES).toString('hex')
    return `*:${environment}.${secret}`
  }
  return {
    client: clientToken ?? create('dev-client'),
    frontend: frontendToken ?? create('dev-frontend'),
  }
}

interface DevWelcome {
  readonly folder: string
  readonly port: number
  readonly options: DevOptions
  readonly tokens: SdkTokens
  readonly login: string | undefined
}

function formatDevWelcome({ folder, port, options: { host, environment }, tokens, login }: DevWelcome): string {
  const name = THIS_MACHINE.test(host) || /^(0\.0\.0\.0|::)$/.test(host) ? 'localhost' : host
  const url = `http://${name.includes(':') ? `[${name}]` : name}:${port}`
  return `
Burgee serves the files of ${folder} in the environment ${environment}. Saved files are loaded at once.

  Server-side SDKs    ${url}/api   token ${tokens.client}
  Browser, mobile     ${url}/api/frontend   token ${tokens.frontend}
  OpenFeature, OFREP  ${url}   token ${tokens.frontend}
  Admin UI            ${url}   ${login ?? ''}

Stop with Ctrl-C. Only the files remain.`
}
