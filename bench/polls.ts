import { spawn } from 'node:child_process'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { createApp } from '@burgee/kit/http/app'
import { Reply } from '@burgee/kit/http/route'
import { parseQueryString } from '@burgee/kit/input/query-string'
import { SILENT } from '@burgee/kit/log/logger'
import { ConnectionBook } from '@burgee/serving/connections/connection-book'
import { EnvironmentDocument } from '@burgee/serving/document/environment-document'
import { createDownloads } from '@burgee/serving/sdk/downloads'
import { flagRoutes } from '@burgee/serving/sdk/flag-routes'
import { createFixedProfile } from '@burgee/serving/upstream/announced-profile'

/**
 * Measures unchanged polls (304) with and without `ConnectionBook`, in alternation within one run: the CPU time of this
 * process per poll, and the latencies as measured by another process. Run it with `node --conditions source
 * bench/polls.ts`.
 */

const CONNECTIONS = 20_000
const ROUNDS = 40
const ROUND_MS = 500
const SCOPE = { environment: 'production', projects: ['*'] }

function createDocument(): EnvironmentDocument {
  const document = new EnvironmentDocument()
  const flags = Array.from({ length: 100 }, (_, number) => ({
    feature: { name: `flag-${number}`, enabled: true, strategies: [], project: 'default' },
    tags: [],
  }))
  document.replace(flags, [], { epoch: '885303b63a168702', id: 4711 })
  return document
}

async function startApp(connections: ConnectionBook | undefined) {
  const { state } = createDocument()
  if (state === undefined) throw new Error('The document is empty')
  const downloads = createDownloads({ get: () => state })
  const routes = flagRoutes<undefined>({
    base: '/api/client',
    tag: 'Client',
    permission: 'CLIENT',
    problems: { search: [], list: [] },
    getScope: () => SCOPE,
    downloads,
    profile: createFixedProfile('node'),
    connections,
  })
  const app = createApp<undefined>({
    routes,
    world: undefined,
    basePath: '',
    order: 'authorize-first',
    authorize: () => undefined,
    renderError: (error) => new Reply(500, String(error)),
    parseQuery: parseQueryString,
    bodyLimitBytes: 1024,
    logger: SILENT,
    compress: true,
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const download = await downloads.get(SCOPE, true)
  return { app, port: (app.server.address() as AddressInfo).port, etag: download.etag }
}

const book = new ConnectionBook({ clock: Date.now })
const [without, withBook] = [await startApp(undefined), await startApp(book)]
const script = join(dirname(fileURLToPath(import.meta.url)), 'connections', 'poll-client.mjs')
const client = spawn(process.execPath, [script, String(CONNECTIONS)], { stdio: ['pipe', 'pipe', 'inherit'] })
const lines = createInterface({ input: client.stdout })[Symbol.asyncIterator]()

interface Round {
  readonly cpu: number
  readonly p50: number
  readonly p99: number
}

async function measure({ port, etag }: { readonly port: number; readonly etag: string }): Promise<Round> {
  const start = process.cpuUsage()
  client.stdin.write(`${JSON.stringify([port, etag, ROUND_MS])}\n`)
  const { polls, p50, p99 } = JSON.parse((await lines.next()).value ?? '')
  const { user, system } = process.cpuUsage(start)
  return { cpu: (user + system) / polls, p50, p99 }
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

await measure(without)
await measure(withBook)
const rounds: { readonly without: Round; readonly withBook: Round }[] = []
for (let round = 0; round < ROUNDS; round += 1) {
  // the order alternates, so that a slowdown of the machine affects both variants
  const isFirst = round % 2 === 0
  const first = await measure(isFirst ? without : withBook)
  const second = await measure(isFirst ? withBook : without)
  rounds.push(isFirst ? { without: first, withBook: second } : { without: second, withBook: first })
}
for (const figure of ['cpu', 'p50', 'p99'] as const) {
  const [before, after] = [
    median(rounds.map((round) => round.without[figure])),
    median(rounds.map((round) => round.withBook[figure])),
  ]
  const change = median(rounds.map((round) => (round.withBook[figure] / round.without[figure] - 1) * 100))
  process.stdout.write(
    `${figure.padEnd(4)} without ${before.toFixed(1)} µs  with ${after.toFixed(1)} µs  median change ${change.toFixed(1)} %\n`,
  )
}
process.stdout.write(`connections ${book.size}, ${(book.bytes / book.size).toFixed(0)} bytes each\n`)
client.kill()
await Promise.all([without.app.close(), withBook.app.close()])
