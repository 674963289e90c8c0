import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SILENT } from '@burgee/kit/log/logger'
import { monotonicClock } from '@burgee/kit/monotonic-clock'
import { parseOptions } from '@burgee/kit/options/options'
import { type BurgeeServer, createServer, type ServerDeps } from '@burgee/server'
import { SERVER_OPTIONS } from '@burgee/server/core/options/options'

/** Server on a temporary database and with its own clock, which does not listen on a port. */
export interface VirtualServer extends Pick<BurgeeServer, 'applyDue' | 'flush' | 'features'> {
  /** Current time of the server's clock, in milliseconds since 1970. */
  readonly clock: { now: number }
  /**
   * Calls an operation of the admin API. Returns the JSON of the reply. Throws an Error with the server's message if
   * the call fails.
   */
  admin(method: 'GET' | 'POST' | 'PUT', path: string, body?: object): Promise<unknown>
  /** Sends a usage report of an SDK. */
  report(body: object): Promise<void>
  /** Closes the server and deletes its database. */
  close(): Promise<void>
}

type Observers = Pick<ServerDeps, 'onEvents' | 'onSafeguardCheck'>

/** Starts a server for a simulation whose clock begins at the given time. */
export async function startVirtualServer(startsAt: number, observers: Observers): Promise<VirtualServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'burgee-simulation-'))
  const clock = { now: startsAt }
  const tokens = { admin: `*:*.${createSecret()}`, client: `default:production.${createSecret()}` }
  // also remove the data at exit, because a signal ends the process if the simulation takes longer than a start may
  // take
  const removeAtExit = () => rmSync(dataDir, { recursive: true, force: true })
  process.once('exit', removeAtExit)
  const remove = async () => {
    await rm(dataDir, { recursive: true, force: true })
    process.off('exit', removeAtExit)
  }
  const given = {
    dataDir,
    keepDocuments: false,
    defaultAdminPassword: createSecret(),
    initAdminApiTokens: [tokens.admin],
    initClientApiTokens: [tokens.client],
  }
  const server = await createServer({
    options: parseOptions(SERVER_OPTIONS, { given }),
    clock: () => clock.now,
    monotonic: monotonicClock(() => clock.now),
    random: randomBytes,
    logger: SILENT,
    // the server does not listen, so no one can log in
    passwordCost: { N: 2, r: 1, p: 1 },
    ...observers,
  }).catch(async (error: unknown) => {
    await remove()
    throw error
  })
  const call = createCall(server)
  return {
    clock,
    applyDue: () => server.applyDue(),
    flush: () => server.flush(),
    features: (scope) => server.features(scope),
    admin: (method, path, body) => call({ method, url: `/api/admin/${path}`, body, token: tokens.admin }),
    report: async (body) =>
      void (await call({ method: 'POST', url: '/api/client/metrics', body, token: tokens.client })),
    close: async () => {
      await server.close()
      await remove()
    },
  }
}

interface Call {
  readonly method: 'GET' | 'POST' | 'PUT'
  readonly url: string
  readonly body: object | undefined
  readonly token: string
}

function createCall({ app }: BurgeeServer) {
  return async ({ method, url, body, token }: Call): Promise<unknown> => {
    const payload = body === undefined ? {} : { payload: JSON.stringify(body) }
    const headers = { authorization: token, 'content-type': 'application/json' }
    const reply = await app.inject({ method, url, headers, ...payload })
    if (reply.statusCode < 300) return reply.body === '' ? undefined : JSON.parse(reply.body)
    throw new Error(readMessage(reply.body))
  }
}

function readMessage(body: string): string {
  const { message, details } = JSON.parse(body) as { message?: string; details?: { message?: string }[] }
  return details?.[0]?.message ?? message ?? body
}

function createSecret(): string {
  return randomBytes(24).toString('hex')
}
