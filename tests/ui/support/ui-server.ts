import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { AdminFeature } from '@burgee/protocol/admin-feature'
import { type BurgeeProcess, runBurgee, temporaryFolder } from '../../support/burgee.ts'
import { callAs } from '../../support/call-as.ts'
import { until } from '../../support/wait.ts'

/** Credentials of the tests. */
export const ADMIN = { username: 'admin', password: 'correct-horse-battery' }
export const VIEWER = { username: 'viewer', password: 'another-horse-battery' }

const TOKEN = '*:*.secret-of-the-tests'
const DAY_MS = 86_400_000

/** Server of the built command, with its UI, on an empty embedded database. */
export interface UiServer {
  readonly url: string
  /** Password of the first administrator. */
  readonly password: string
  /** Calls the admin API as an administrator. Throws on an error status. */
  call<T>(method: string, path: string, body?: unknown): Promise<T>
  /**
   * Makes a flag older than the expected lifetime of its type, and restarts the server on another port so that it
   * notices this.
   */
  outlive(feature: string, days: number): Promise<void>
  /** Changes exactly one row directly in the database and restarts the server on another port. */
  alter(sql: string, ...values: readonly (string | number)[]): Promise<void>
  /** Stops the server. */
  pause(): Promise<void>
  /** Restarts the server at the same URL. Does nothing if the server is running. */
  resume(): Promise<void>
  close(): Promise<void>
}

/** Starts the built command. `env` adds variables. */
export async function startUi(env: Readonly<Record<string, string>> = {}): Promise<UiServer> {
  const folder = temporaryFolder()
  let { process, url } = await run(folder.path, env)
  let isPaused = false
  const given = env.DEFAULT_ADMIN_PASSWORD === '' ? await process.find(/First login: admin \/ (\S+)/) : ADMIN.password
  const call = <T>(method: string, path: string, body?: unknown) => callAs<T>(TOKEN, method, `${url}${path}`, body)
  const alter = async (sql: string, ...values: readonly (string | number)[]): Promise<void> => {
    await stop(process)
    changeRow(folder.path, sql, values)
    ;({ process, url } = await run(folder.path, env))
  }
  return {
    get url() {
      return url
    },
    password: given,
    call,
    outlive: async (feature, days) => {
      await alter('update features set created_at = created_at - ? where name = ?', days * DAY_MS, feature)
      await until(async () => (await call<AdminFeature>('GET', `${FLAGS}/${feature}`)).potentiallyStale)
    },
    alter,
    pause: async () => {
      isPaused = true
      await stop(process)
    },
    resume: async () => {
      if (!isPaused) return
      isPaused = false
      ;({ process, url } = await run(folder.path, { ...env, HTTP_PORT: new URL(url).port }))
    },
    close: async () => {
      await stop(process)
      folder.remove()
    },
  }
}

async function run(folder: string, env: Readonly<Record<string, string>>) {
  const process = runBurgee(['server'], {
    HTTP_PORT: '0',
    HTTP_HOST: '127.0.0.1',
    DATA_DIR: folder,
    DEFAULT_ADMIN_PASSWORD: ADMIN.password,
    ENFORCE_PASSWORD_CHANGE: 'false',
    INIT_ADMIN_API_TOKENS: TOKEN,
    ...env,
  })
  const port = await process.find(/listening on port (\d+)/)
  return { process, url: `http://localhost:${port}${env.BASE_URI_PATH ?? ''}` }
}

async function stop(process: BurgeeProcess): Promise<void> {
  process.kill('SIGTERM')
  await process.ended
}

function changeRow(folder: string, sql: string, values: readonly (string | number)[]): void {
  const database = new DatabaseSync(join(folder, 'burgee.sqlite'))
  const { changes } = database.prepare(sql).run(...values)
  database.close()
  if (changes !== 1) throw new Error(`${changes} rows were changed: ${sql} ${values}`)
}

/** Path of the flags of the built-in project. */
export const FLAGS = '/api/admin/projects/default/features'
