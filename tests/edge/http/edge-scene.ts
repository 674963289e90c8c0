import type { StartedEdge } from '@burgee/edge/edge-process'
import { startServer, type TestServer, TOKENS } from '../../http/scenario.ts'
import { runEdge } from './running-edge.ts'

/** Edge in front of a server, with flags of two environments. */
export interface EdgeScene {
  readonly server: TestServer
  readonly serverUrl: string
  readonly edge: StartedEdge
  ask(call: string, options?: Asking): Promise<Answer>
  close(): Promise<void>
}

/** Request options other than method and path. */
export interface Asking {
  readonly token?: string | undefined
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** Reply. `json` is undefined if the body is not JSON. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly json: unknown
}

/** Tokens and keys that the edge of the scene knows. */
export const EDGE_TOKENS = { ...TOKENS, key: 'old-key', clientKey: 'web-key' } as const

/** Starts the server and the edge. `env` adds or replaces variables of the edge; `clock` is the clock of the server. */
export async function startScene(
  env: Readonly<Record<string, string>> = {},
  clock: () => number = Date.now,
): Promise<EdgeScene> {
  const server = await startServer({}, clock)
  const { url: serverUrl } = await server.server.listen()
  await seed(server)
  const edge = await runEdge({
    UPSTREAM_URL: serverUrl,
    TOKENS: `${TOKENS.client},${TOKENS.production}`,
    PRETRUSTED_TOKENS: `${EDGE_TOKENS.key}@development`,
    FLAG_PROXY_CLIENT_KEYS: EDGE_TOKENS.clientKey,
    ...env,
  })
  return {
    server,
    serverUrl,
    edge,
    ask: (call, asking) => ask(edge.url, call, asking),
    close: async () => {
      await edge.close()
      await server.close()
    },
  }
}

async function seed(server: TestServer): Promise<void> {
  const flags = '/api/admin/projects/default/features'
  const addFlag = async (name: string, environment: string, strategy: object) => {
    await server.admin(`POST ${flags}`, { name })
    await server.admin(`POST ${flags}/${name}/environments/${environment}/strategies`, strategy)
    await server.admin(`POST ${flags}/${name}/environments/${environment}/on`)
  }
  const forUser = (userIds: string) => ({ name: 'userWithId', parameters: { userIds } })
  const plan = { contextName: 'plan', operator: 'IN', values: ['7', 'true'] }
  await addFlag('always', 'development', { name: 'default' })
  await addFlag('for-seven', 'development', forUser('7'))
  await addFlag('for-plan', 'development', { name: 'default', constraints: [plan] })
  await addFlag('live', 'production', { name: 'default' })
}

/** Sends a request to an edge: `GET /path`. */
export async function ask(url: string, call: string, { token, body, headers = {} }: Asking = {}): Promise<Answer> {
  const [method = '', path = ''] = call.split(' ')
  const reply = await fetch(`${url}${path}`, {
    method,
    redirect: 'manual',
    headers: {
      ...(token === undefined ? {} : { authorization: token }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await reply.text()
  return { status: reply.status, headers: reply.headers, text, json: parsed(text) }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
