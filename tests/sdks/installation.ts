import type { FeatureDocument } from '@burgee/engine'
import { type BurgeeProcess, runBurgee, temporaryFolder } from '../support/burgee.ts'
import { callAs } from '../support/call-as.ts'
import { until } from '../support/wait.ts'
import { type Admin, createFlag, createTable } from './create-flags.ts'
import { type ExpectedDecisions, expectDecisions } from './expected-decisions.ts'
import { createSpecifications, type SpecificationFlags } from './specification-flags.ts'

const ADMIN = '*:*.admin-secret'
const CLIENT = '*:development.client-secret'
const FRONTEND = '*:development.frontend-secret'
const KEY = 'web-key'

/** Name of a process that SDKs connect to. */
export type TargetName = 'server' | 'edge' | 'proxy'
export const TARGET_NAMES: readonly TargetName[] = ['server', 'edge', 'proxy']

/** Process that SDKs connect to. */
export interface Target {
  readonly name: TargetName
  /** URL without a path. */
  readonly base: string
  /** Path below which server-side SDKs find `/client/features`. */
  readonly path: string
  readonly frontendToken: string
  /** Path of the frontend API. */
  readonly frontendPath: string
  /** Returns everything that the process has logged. */
  readLog(): string
}

/** Server, edge and proxy with the flags of all scenarios. */
export interface Installation {
  readonly targets: readonly Target[]
  readonly clientToken: string
  readonly specification: SpecificationFlags
  readonly expected: ExpectedDecisions
  readonly admin: Admin
  /** Creates a flag that is on for everyone. */
  addFlag(name: string, more?: { readonly project?: string }): Promise<void>
  turn(name: string, state: 'on' | 'off'): Promise<void>
  close(): Promise<void>
}

/** Starts the processes and creates the flags of the table and of the specification. */
export async function startInstallation(): Promise<Installation> {
  const folder = temporaryFolder()
  const processes: BurgeeProcess[] = []
  const listen = async (args: readonly string[], env: Readonly<Record<string, string>>) => {
    const started = runBurgee(args, env)
    processes.unshift(started)
    const base = `http://127.0.0.1:${await started.find(/listening on port (\d+)/)}`
    return { base, readLog: () => started.output() + started.errors() }
  }
  const server = await listen(['server'], {
    DATA_DIR: folder.path,
    HTTP_PORT: '0',
    HTTP_HOST: '127.0.0.1',
    INIT_ADMIN_API_TOKENS: ADMIN,
    INIT_CLIENT_API_TOKENS: CLIENT,
    INIT_FRONTEND_API_TOKENS: FRONTEND,
  })
  const admin: Admin = (method, path, body) => callAs(ADMIN, method, `${server.base}/api/admin/${path}`, body)
  await createTable(admin)
  const specification = await createSpecifications(admin)
  const edge = await listen(['edge'], {
    UPSTREAM_URL: server.base,
    TOKENS: CLIENT,
    PORT: '0',
    INTERFACE: '127.0.0.1',
    METRICS_INTERVAL_SECONDS: '1',
  })
  const proxy = await listen(['proxy'], {
    UNLEASH_URL: `${server.base}/api`,
    UNLEASH_API_TOKEN: CLIENT,
    UNLEASH_PROXY_CLIENT_KEYS: KEY,
    EXP_SERVER_SIDE_SDK_CONFIG_TOKENS: CLIENT,
    ENABLE_ALL_ENDPOINT: 'true',
    PROXY_PORT: '0',
    FLAG_FETCH_INTERVAL: '500',
    FLAG_METRICS_INTERVAL: '1000',
  })
  await until(async () => (await fetch(`${proxy.base}/proxy/health`)).status === 200)
  await until(async () => (await fetch(`${edge.base}/internal-backstage/ready`)).status === 200)
  return {
    targets: [
      { name: 'server', ...server, path: '/api', frontendPath: '/api/frontend', frontendToken: FRONTEND },
      { name: 'edge', ...edge, path: '/api', frontendPath: '/api/frontend', frontendToken: FRONTEND },
      { name: 'proxy', ...proxy, path: '/proxy', frontendPath: '/proxy', frontendToken: KEY },
    ],
    clientToken: CLIENT,
    specification,
    expected: expectDecisions(await fetchDocument(server.base)),
    admin,
    addFlag: async (name, { project = 'default' } = {}) => {
      await createFlag(admin, { name, strategies: [{ name: 'default' }] }, project)
    },
    turn: (name, state) => admin('POST', `projects/default/features/${name}/environments/development/${state}`),
    close: async () => {
      for (const running of processes) {
        running.kill('SIGTERM')
        await running.ended
      }
      folder.remove()
    },
  }
}

async function fetchDocument(server: string): Promise<FeatureDocument> {
  const headers = { authorization: CLIENT, 'unleash-client-spec': '5.2.0' }
  return (await (await fetch(`${server}/api/client/features`, { headers })).json()) as FeatureDocument
}
