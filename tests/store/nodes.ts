import { type BurgeeProcess, runBurgee } from '../support/burgee.ts'

/** Tokens of every test node. */
export const ADMIN = '*:*.admin-secret'
export const CLIENT = '*:development.client-secret'

/** `burgee server` process on a PostgreSQL database. */
export interface Node {
  readonly process: BurgeeProcess
  readonly url: string
  /** Calls the admin API. */
  admin(method: string, path: string, body?: unknown): Promise<Response>
  /** Downloads the SDK document of a token. With an ETag, returns 304 if the ETag is current. */
  download(token?: string, etag?: string): Promise<Response>
  /** Returns the id of the last event that the node has seen. */
  revision(): Promise<number>
  /** Kills the node with SIGKILL and waits until the process is gone. */
  kill(): Promise<void>
}

/** Starts a node and waits until it listens. Rejects if the node exits before that. */
export async function startNode(databaseUrl: string): Promise<Node> {
  const process = runBurgee(['server'], {
    DATABASE_URL: databaseUrl,
    HTTP_PORT: '0',
    HTTP_HOST: '127.0.0.1',
    DEFAULT_ADMIN_PASSWORD: 'a good password',
    INIT_ADMIN_API_TOKENS: ADMIN,
    INIT_CLIENT_API_TOKENS: CLIENT,
  })
  const url = `http://127.0.0.1:${await process.find(/listening on port (\d+)/)}`
  return {
    process,
    url,
    admin: (method, path, body) =>
      fetch(`${url}/api/admin/${path}`, {
        method,
        headers: { authorization: ADMIN, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    download: (token = CLIENT, etag) =>
      fetch(`${url}/api/client/features`, {
        headers: { authorization: token, ...(etag === undefined ? {} : { 'if-none-match': etag }) },
      }),
    revision: async () => {
      const text = await (await fetch(`${url}/internal-backstage/prometheus`)).text()
      return Number(/^burgee_revision (\d+)$/m.exec(text)?.[1])
    },
    kill: async () => {
      process.kill('SIGKILL')
      await process.ended
    },
  }
}

const FEATURES = 'projects/default/features'

/**
 * Creates a flag. Returns true if the server acknowledged the change, false if the node died during the request. Throws
 * on any other reply.
 */
export function create(node: Node, name: string): Promise<boolean> {
  return acknowledged(node.admin('POST', FEATURES, { name }), 201)
}

/**
 * Enables or disables a flag in development. Returns true if the server acknowledged the change, false if the node died
 * during the request.
 */
export function turn(node: Node, name: string, state: 'on' | 'off'): Promise<boolean> {
  return acknowledged(node.admin('POST', `${FEATURES}/${name}/environments/development/${state}`), 200)
}

async function acknowledged(sent: Promise<Response>, status: number): Promise<boolean> {
  try {
    const reply = await sent
    const text = await reply.text()
    if (reply.status === status) return true
    throw new Error(`${reply.status}: ${text}`)
  } catch (error) {
    const isGone = error instanceof TypeError && ['fetch failed', 'terminated'].includes(error.message)
    if (isGone) return false
    throw error
  }
}
