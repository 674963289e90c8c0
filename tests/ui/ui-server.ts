import { type BurgeeProcess, runBurgee, temporaryFolder } from '../support/burgee.ts'

/** Logins of the tests. */
export const ADMIN = { username: 'admin', password: 'correct-horse-battery' }
export const VIEWER = { username: 'viewer', password: 'another-horse-battery' }

const TOKEN = '*:*.secret-of-the-tests'

/** The built server with its UI, on an empty embedded database. */
export interface UiServer {
  readonly url: string
  /** Password of the first administrator. */
  readonly password: string
  /** Calls the admin API as an administrator; throws when it refuses. */
  call<T>(method: string, path: string, body?: unknown): Promise<T>
  close(): Promise<void>
}

/** Starts the built command; `env` adds to its variables. */
export async function startUi(env: Readonly<Record<string, string>> = {}): Promise<UiServer> {
  const folder = temporaryFolder()
  const process = runBurgee(['server'], {
    ...{ HTTP_PORT: '0', HTTP_HOST: '127.0.0.1', DATA_DIR: folder.path },
    ...{ DEFAULT_ADMIN_PASSWORD: ADMIN.password, ENFORCE_PASSWORD_CHANGE: 'false', INIT_ADMIN_API_TOKENS: TOKEN },
    ...env,
  })
  const port = await process.find(/listening on port (\d+)/)
  const given = env.DEFAULT_ADMIN_PASSWORD === '' ? await process.find(/First login: admin \/ (\S+)/) : ADMIN.password
  const url = `http://localhost:${port}${env.BASE_URI_PATH ?? ''}`
  return {
    url,
    password: given,
    call: (method, path, body) => callAs(TOKEN, method, `${url}${path}`, body),
    close: () => stop(process, folder.remove),
  }
}

async function stop(process: BurgeeProcess, remove: () => void): Promise<void> {
  process.kill('SIGTERM')
  await process.ended
  remove()
}

/** Calls an API with a token; throws when it refuses. */
export async function callAs<T>(token: string, method: string, url: string, body?: unknown): Promise<T> {
  const headers = { authorization: token, ...(body === undefined ? {} : { 'content-type': 'application/json' }) }
  const reply = await fetch(url, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })
  const text = await reply.text()
  if (!reply.ok) throw new Error(`${method} ${url}: ${reply.status} ${text}`)
  return (text === '' ? undefined : JSON.parse(text)) as T
}

/** Path of the flags of the project that is always there. */
export const FLAGS = '/api/admin/projects/default/features'
