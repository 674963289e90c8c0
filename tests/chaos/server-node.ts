import { type BurgeeProcess, runBurgee } from '../support/burgee.ts'

/** Tokens of every test server. */
export const TOKENS = {
  admin: '*:*.admin',
  client: 'default:development.client',
  frontend: 'default:development.frontend',
} as const

/** `burgee server` in a separate process, with helpers for requests. */
export interface ServerNode {
  readonly process: BurgeeProcess
  readonly base: string
  ask(path: string, authorization?: string, headers?: Readonly<Record<string, string>>): Promise<Response>
  admin(method: string, path: string, body?: unknown): Promise<Response>
  /** Returns the names of the flags that are on for a client token. */
  download(token?: string): Promise<{ readonly status: number; readonly on: string[] }>
  /** Returns the names of the flags that are on for a front end. */
  frontend(token?: string): Promise<{ readonly status: number; readonly on: string[] }>
  /** Returns the status and body of the readiness probe. */
  ready(): Promise<Record<string, unknown>>
  /** Returns the first value of a metric. */
  series(name: string): Promise<number>
  /** Creates a flag in the project `default` that is on for everyone in development. Throws on failure. */
  makeOn(name: string): Promise<void>
}

const HOST = '127.0.0.1'

/**
 * Starts a server with the given variables, a host, a free port and the tokens. Does not wait until the server is
 * ready.
 */
export function runServer(env: Readonly<Record<string, string>>, command?: string): BurgeeProcess {
  const { admin, client, frontend } = TOKENS
  const own = {
    HTTP_PORT: '0',
    HTTP_HOST: HOST,
    DEFAULT_ADMIN_PASSWORD: 'a good password',
    INIT_ADMIN_API_TOKENS: admin,
    INIT_CLIENT_API_TOKENS: client,
    INIT_FRONTEND_API_TOKENS: frontend,
    ...env,
  }
  return runBurgee(['server'], own, command)
}

/** Waits until a server listens and returns its helpers. Rejects if the server exits before that. */
export async function serverNode(process: BurgeeProcess): Promise<ServerNode> {
  const base = `http://${HOST}:${await process.find(/listening on port (\d+)/)}`
  const ask: ServerNode['ask'] = (path, authorization = '', headers = {}) =>
    fetch(`${base}${path}`, { headers: { ...(authorization === '' ? {} : { authorization }), ...headers } })
  const admin: ServerNode['admin'] = (method, path, body) =>
    fetch(`${base}/api/admin/${path}`, {
      method,
      headers: { authorization: TOKENS.admin, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  const done = async (method: string, path: string, body?: unknown): Promise<void> => {
    const reply = await admin(method, path, body)
    if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${await reply.text()}`)
  }
  return {
    process,
    base,
    ask,
    admin,
    async download(token = TOKENS.client) {
      const reply = await ask('/api/client/features', token)
      const { features = [] } = (await reply.json()) as { features?: { name: string; enabled: boolean }[] }
      return { status: reply.status, on: features.filter(({ enabled }) => enabled).map(({ name }) => name) }
    },
    async frontend(token = TOKENS.frontend) {
      const reply = await ask('/api/frontend?userId=7', token)
      const { toggles = [] } = (await reply.json()) as { toggles?: { name: string }[] }
      return { status: reply.status, on: toggles.map(({ name }) => name).sort() }
    },
    async ready() {
      const reply = await ask('/ready')
      return { status: reply.status, ...((await reply.json()) as object) }
    },
    async series(name) {
      const text = await (await ask('/internal-backstage/prometheus')).text()
      return Number(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'm').exec(text)?.[1])
    },
    async makeOn(name) {
      const features = 'projects/default/features'
      await done('POST', features, { name })
      await done('POST', `${features}/${name}/environments/development/strategies`, { name: 'default' })
      await done('POST', `${features}/${name}/environments/development/on`)
    },
  }
}
