import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { AdminFeature } from '@burgee/protocol/admin'
import { type BurgeeProcess, runBurgee, temporaryFolder } from '../support/burgee.ts'
import { callAs } from '../support/call-as.ts'
import { until } from '../support/wait.ts'

/** Logins of the tests. */
export const ADMIN = { username: 'admin', password: 'correct-horse-battery' }
export const VIEWER = { username: 'viewer', password: 'another-horse-battery' }

const TOKEN = '*:*.secret-of-the-tests'
const DAY_MS = 86_400_000

/** The built server with its UI, on an empty embedded database. */
export interface UiServer {
  readonly url: string
  /** Password of the first administrator. */
  readonly password: string
  /** Calls the admin API as an administrator; throws when it refuses. */
  call<T>(method: string, path: string, body?: unknown): Promise<T>
  /** Makes a flag older than its type is meant to live, and starts again, at another port; the server finds out. */
  outlive(feature: string, days: number): Promise<void>
  close(): Promise<void>
}

/** Starts the built command; `env` adds to its variables. */
export async function startUi(env: Readonly<Record<string, string>> = {}): Promise<UiServer> {
  const folder = temporaryFolder()
  let { process, url } = await run(folder.path, env)
  const given = env.DEFAULT_ADMIN_PASSWORD === '' ? await process.find(/First login: admin \/ (\S+)/) : ADMIN.password
  const call = <T>(method: string, path: string, body?: unknown) => callAs<T>(TOKEN, method, `${url}${path}`, body)
  return {
    get url() {
      return url
    },
    password: given,
    call,
    outlive: async (feature, days) => {
      await stop(process)
      makeOlder(folder.path, feature, days)
      ;({ process, url } = await run(folder.path, env))
      await until(async () => (await call<AdminFeature>('GET', `${FLAGS}/${feature}`)).potentiallyStale)
    },
    close: async () => {
      await stop(process)
      folder.remove()
    },
  }
}

async function run(folder: string, env: Readonly<Record<string, string>>) {
  const process = runBurgee(['server'], {
    ...{ HTTP_PORT: '0', HTTP_HOST: '127.0.0.1', DATA_DIR: folder },
    ...{ DEFAULT_ADMIN_PASSWORD: ADMIN.password, ENFORCE_PASSWORD_CHANGE: 'false', INIT_ADMIN_API_TOKENS: TOKEN },
    ...env,
  })
  const port = await process.find(/listening on port (\d+)/)
  return { process, url: `http://localhost:${port}${env.BASE_URI_PATH ?? ''}` }
}

async function stop(process: BurgeeProcess): Promise<void> {
  process.kill('SIGTERM')
  await process.ended
}

function makeOlder(folder: string, feature: string, days: number): void {
  const database = new DatabaseSync(join(folder, 'burgee.sqlite'))
  const statement = database.prepare('update features set created_at = created_at - ? where name = ?')
  const { changes } = statement.run(days * DAY_MS, feature)
  database.close()
  if (changes !== 1) throw new Error(`There is no flag ${feature}`)
}

/** Path of the flags of the project that is always there. */
export const FLAGS = '/api/admin/projects/default/features'
