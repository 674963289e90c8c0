import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SILENT } from '@burgee/kit/log/logger'
import { monotonicClock } from '@burgee/kit/monotonic-clock'
import { parseOptions } from '@burgee/kit/options/options'
import { type BurgeeServer, createServer } from '@burgee/server'
import { SERVER_OPTIONS } from '@burgee/server/core/options/options'
import { TOKENS } from '../server/contestant.ts'

/** Server in this process on a new embedded database, with its own clock. */
export interface TimedServer {
  readonly server: BurgeeServer
  readonly dataDir: string
  readonly clock: { now: number }
  /** Sends a request. Throws on an error status. Returns the JSON of the response. */
  call(method: 'GET' | 'POST' | 'PUT', url: string, body?: object): Promise<unknown>
  close(): Promise<void>
}

/** Starts a server whose clock begins at the given time. */
export async function startTimedServer(now: number): Promise<TimedServer> {
  const dataDir = mkdtempSync(join(tmpdir(), 'burgee-bench-'))
  const clock = { now }
  const given = {
    dataDir,
    keepDocuments: false,
    defaultAdminPassword: 'correct-horse-battery',
    initAdminApiTokens: [TOKENS.admin],
    initClientApiTokens: [TOKENS.client],
    clientMetricsRateLimitPerMinute: 1_000_000,
  }
  const server = await createServer({
    options: parseOptions(SERVER_OPTIONS, { given }),
    clock: () => clock.now,
    monotonic: monotonicClock(() => clock.now),
    random: randomBytes,
    logger: SILENT,
  })
  return {
    server,
    dataDir,
    clock,
    async call(method, url, body) {
      const authorization = url.startsWith('/api/admin') ? TOKENS.admin : TOKENS.client
      const payload = body === undefined ? {} : { payload: JSON.stringify(body) }
      const headers = { authorization, 'content-type': 'application/json' }
      const reply = await server.app.inject({ method, url, headers, ...payload })
      if (reply.statusCode >= 300) throw new Error(`${method} ${url}: ${reply.statusCode} ${reply.body.slice(0, 500)}`)
      return reply.body === '' ? undefined : JSON.parse(reply.body)
    },
    async close() {
      await server.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
