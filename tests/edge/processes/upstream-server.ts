import { type BurgeeProcess, runBurgee } from '../../support/burgee.ts'
import { callAs } from '../../support/call-as.ts'

const ADMIN = '*:*.admin-secret'
const PROJECTS = ['default', 'shop', 'bank']
/** Environments of the server, in order. */
export const ENVIRONMENTS = ['development', 'production'] as const
export type Environment = (typeof ENVIRONMENTS)[number]

/** Tokens that an edge starts with, each for all projects in one environment. */
export const START_TOKENS = { development: '*:development.start-dev', production: '*:production.start-prod' }
/** SDK tokens, by their names in tests. */
const SDK_TOKENS = {
  shopBackend: { type: 'client', environment: 'development', projects: ['shop'] },
  bankBackend: { type: 'client', environment: 'production', projects: ['bank'] },
  shopWeb: { type: 'frontend', environment: 'development', projects: ['shop'] },
  bankWeb: { type: 'frontend', environment: 'development', projects: ['bank'] },
  allWeb: { type: 'frontend', environment: 'production', projects: ['*'] },
  twoWeb: { type: 'frontend', environment: 'production', projects: ['default', 'shop'] },
} as const satisfies Record<string, { environment: Environment; type: string; projects: readonly string[] }>
export type TokenName = keyof typeof SDK_TOKENS

/**
 * `burgee server` with three projects. Each combination of project and environment has one flag that is on only in that
 * combination.
 */
export interface UpstreamServer {
  readonly process: BurgeeProcess
  readonly url: string
  admin<T>(method: string, path: string, body?: unknown): Promise<T>
  turn(project: string, flag: string, environment: Environment, state: 'on' | 'off'): Promise<void>
  /** Creates a flag that matches everyone but is off until it is turned on. */
  make(project: string, flag: string, strategy?: object): Promise<void>
}

/** Returns the name of the flag that is on only in this environment. */
export const flagOf = (project: string, environment: Environment): string => `${project}-in-${environment}`

/** Starts the server in a folder, on the given port or a free port, and creates whatever is missing. */
export async function startUpstreamServer(folder: string, port = '0'): Promise<UpstreamServer> {
  const process = runBurgee(['server'], {
    DATA_DIR: folder,
    HTTP_PORT: port,
    HTTP_HOST: '127.0.0.1',
    LOG_LEVEL: 'error',
    INIT_ADMIN_API_TOKENS: ADMIN,
    INIT_CLIENT_API_TOKENS: Object.values(START_TOKENS).join(),
  })
  const url = `http://127.0.0.1:${await process.find(/listening on port (\d+)/)}`
  const admin: UpstreamServer['admin'] = (method, path, body) => callAs(ADMIN, method, `${url}/api/admin/${path}`, body)
  const turn: UpstreamServer['turn'] = (project, flag, environment, state) =>
    admin('POST', `projects/${project}/features/${flag}/environments/${environment}/${state}`)
  const make: UpstreamServer['make'] = async (project, flag, strategy) => {
    await admin('POST', `projects/${project}/features`, { name: flag })
    if (strategy === undefined) return
    for (const environment of ENVIRONMENTS)
      await admin('POST', `projects/${project}/features/${flag}/environments/${environment}/strategies`, strategy)
  }
  return { process, url, admin, turn, make }
}

/** Fills a new server with projects and a flag for each environment. Returns a token of each kind. */
export async function fillUpstream(server: UpstreamServer): Promise<Readonly<Record<TokenName, string>>> {
  for (const project of PROJECTS) {
    if (project !== 'default') await server.admin('POST', 'projects', { id: project, name: project })
    for (const environment of ENVIRONMENTS) {
      const flag = flagOf(project, environment)
      await server.make(project, flag)
      await server.turn(project, flag, environment, 'on')
    }
  }
  const made = Object.entries(SDK_TOKENS).map(async ([tokenName, token]) => {
    const { secret } = await server.admin<{ secret: string }>('POST', 'api-tokens', { tokenName, ...token })
    return [tokenName, secret] as const
  })
  return Object.fromEntries(await Promise.all(made)) as Record<TokenName, string>
}

/** Returns the flags that must be on for a token. */
export function seenBy(name: TokenName): string[] {
  const { environment, projects } = SDK_TOKENS[name]
  const own: readonly string[] = projects
  return PROJECTS.filter((project) => own.includes('*') || own.includes(project))
    .map((project) => flagOf(project, environment))
    .sort()
}
