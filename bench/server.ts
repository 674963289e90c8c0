/**
 * What SDKs feel of a large server while somebody changes a flag: `node --conditions=source bench/server.ts`. One process on
 * the embedded database; CPU time is what the process says of itself, stalls are those of its event loop.
 */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { SILENT } from '@burgee/kit/log/logger'
import { type OptionTable, parseOptions } from '@burgee/kit/options/options'
import { type BurgeeServer, createServer } from '@burgee/server'
import { openDatabase } from '@burgee/server/open-database'
import { SERVER_OPTIONS, type ServerOptions } from '@burgee/server/options'
import { describeMachine } from './machine.ts'
import { featureName, seedInstance } from './seed.ts'
import { median } from './statistics.ts'

const SIZE = { features: 10_000, environments: 5, strategies: 2, seed: 1 }
const SCOPES = 21
const ROUNDS = 11
const ADMIN = '*:*.admin-of-the-bench'
const TICK_MS = 1
/** For the event loop to come to rest. */
const SETTLE_MS = 10
const US_PER_MS = 1000

interface Cost {
  readonly cpuMs: number
  readonly stallMs: number
  readonly ms: number
}

const dataDir = mkdtempSync(join(tmpdir(), 'burgee-bench-'))
try {
  const options = parseOptions(SERVER_OPTIONS as OptionTable, {
    given: { dataDir, port: 0, defaultAdminPassword: 'a good password', initAdminApiTokens: [ADMIN] },
  }) as ServerOptions
  const db = await openDatabase(options, { clock: Date.now })
  await seedInstance(db, SIZE)
  await db.close()
  const server = await createServer({ options, clock: Date.now, random: randomBytes, logger: SILENT })
  console.log(describeMachine().join('\n'))
  console.log(`${SIZE.features} flags × ${SIZE.environments} environments, ${SCOPES} scopes of all flags\n`)
  await measure(server)
  await server.close()
} finally {
  rmSync(dataDir, { recursive: true, force: true })
}

async function measure(server: BurgeeServer): Promise<void> {
  const { call, tokens } = await prepare(server)
  const scopes = tokens.map((_token, index) => ({ environment: 'development', projects: ['default', `p${index}`] }))
  const [one] = tokens
  if (one === undefined) throw new Error('There is no token')
  report('first read of the environment', await cost(() => server.features({ ...scopes[0], projects: ['*'] } as never)))
  const before = memoryMb()
  await server.features(scopes[0] as never)
  const withOne = memoryMb()
  for (const scope of scopes) await server.features(scope)
  console.log(`memory: ${before} MB, with one scope ${withOne} MB, with ${SCOPES} scopes ${memoryMb()} MB`)
  let isOn = false
  const flip = async () => {
    isOn = !isOn
    await call('POST', `projects/default/features/${featureName(7)}/environments/development/${isOn ? 'on' : 'off'}`)
  }
  const views = async () => {
    for (const scope of scopes) await server.features(scope)
  }
  report(`a flip, and every one of ${SCOPES} views current`, await middle(() => flip().then(views)))
  const downloads = async () => {
    for (const token of tokens) await server.app.inject({ url: '/api/client/features', headers: headersOf(token) })
  }
  await downloads()
  report(`${SCOPES} downloads of an unchanged view (gzip)`, await middle(downloads))
  report(`${SCOPES} downloads after a flip (gzip)`, await middle(() => flip().then(downloads)))
  const { headers } = await server.app.inject({ url: '/api/client/features', headers: headersOf(one) })
  const condition = { ...headersOf(one), 'if-none-match': String(headers.etag) }
  report('a 304', await middle(() => server.app.inject({ url: '/api/client/features', headers: condition })))
}

function headersOf(authorization: string): Record<string, string> {
  return { authorization, 'accept-encoding': 'gzip' }
}

/** Projects and a client token for each, so that every token has a scope of its own. */
async function prepare(server: BurgeeServer) {
  const call = async (method: 'POST' | 'GET', path: string, payload?: object) => {
    const reply = await server.app.inject({
      ...{ method, url: `/api/admin/${path}`, headers: { authorization: ADMIN } },
      ...(payload === undefined ? {} : { payload }),
    })
    if (reply.statusCode >= 400) throw new Error(`${path}: ${reply.body}`)
    return reply
  }
  const tokens: string[] = []
  for (let index = 0; index < SCOPES; index += 1) {
    const [project, type] = [`p${index}`, 'client']
    await call('POST', 'projects', { id: project, name: project })
    const body = { tokenName: project, type, environment: 'development', projects: ['default', project] }
    tokens.push((await call('POST', 'api-tokens', body)).json().secret)
  }
  return { call, tokens }
}

async function cost(work: () => unknown): Promise<Cost> {
  let [last, stallMs] = [performance.now(), 0]
  const tick = () => {
    const now = performance.now()
    stallMs = Math.max(stallMs, now - last - TICK_MS)
    last = now
  }
  const ticking = setInterval(tick, TICK_MS)
  await sleep(SETTLE_MS)
  stallMs = 0
  const [cpu, since] = [process.cpuUsage(), performance.now()]
  await work()
  const ms = performance.now() - since
  const { user, system } = process.cpuUsage(cpu)
  await sleep(SETTLE_MS)
  clearInterval(ticking)
  return { cpuMs: (user + system) / US_PER_MS, stallMs, ms }
}

async function middle(work: () => unknown): Promise<Cost> {
  const costs: Cost[] = []
  for (let round = 0; round < ROUNDS; round += 1) costs.push(await cost(work))
  const of = (key: keyof Cost) => median(costs.map((one) => one[key]))
  return { cpuMs: of('cpuMs'), stallMs: of('stallMs'), ms: of('ms') }
}

function report(what: string, { cpuMs, stallMs, ms }: Cost): void {
  console.log(`${what}: ${cpuMs.toFixed(1)} ms of CPU, ${ms.toFixed(1)} ms, longest stall ${stallMs.toFixed(1)} ms`)
}

function memoryMb(): number {
  globalThis.gc?.()
  return Math.round(process.memoryUsage().heapUsed / 1024 / 1024)
}
