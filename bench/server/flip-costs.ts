import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { SILENT } from '@burgee/kit/log/logger'
import { PROCESS_CLOCK } from '@burgee/kit/monotonic-clock'
import { type OptionTable, parseOptions } from '@burgee/kit/options/options'
import { type BurgeeServer, createServer } from '@burgee/server'
import { openDatabase } from '@burgee/server/boot/open-database'
import { SERVER_OPTIONS, type ServerOptions } from '@burgee/server/core/options/options'
import { featureName, seedInstance } from '../seed.ts'
import { median } from '../statistics.ts'
import { type Target, target } from '../target-table.ts'

const SIZE = { features: 10_000, environments: 5, strategies: 2, seed: 1 }
const SCOPES = 21
const ROUNDS = 11
const ADMIN = '*:*.admin-of-the-bench'
const TICK_MS = 1
/** Time for the event loop to become idle. */
const SETTLE_MS = 10
const US_PER_MS = 1000
const ms = (value: number) => `${value.toFixed(1)} ms`
const times = (value: number) => `${value.toFixed(2)} ×`

/** CPU time and duration of an action, and longest stall of the event loop during it. */
interface Cost {
  readonly cpuMs: number
  readonly stallMs: number
  readonly ms: number
}

/** Cost of a named action. */
export interface NamedCost extends Cost {
  readonly what: string
}

/** Results of a large server in this process, on the embedded database. */
export interface FlipCosts {
  readonly costs: readonly NamedCost[]
  /** Heap in MB: with the document alone, with one view of the document, and with all views. */
  readonly memory: { readonly none: number; readonly one: number; readonly all: number }
}

/** Size of the large server, as text. */
export const FLIP_SIZE = `${SIZE.features} flags × ${SIZE.environments} environments, ${SCOPES} scopes of all flags`

/**
 * Measures what flag changes cost a server with many SDKs. Reports CPU time and event loop stalls of this process. Run
 * it with --expose-gc.
 */
export async function measureFlips(): Promise<FlipCosts> {
  const dataDir = mkdtempSync(join(tmpdir(), 'burgee-bench-'))
  try {
    const options = parseOptions(SERVER_OPTIONS as OptionTable, {
      given: { dataDir, port: 0, defaultAdminPassword: 'a good password', initAdminApiTokens: [ADMIN] },
    }) as ServerOptions
    const db = await openDatabase(options, { clock: Date.now })
    await seedInstance(db, SIZE)
    await db.close()
    const server = await createServer({
      options,
      clock: Date.now,
      monotonic: PROCESS_CLOCK,
      random: randomBytes,
      logger: SILENT,
    })
    try {
      return await measure(server)
    } finally {
      await server.close()
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function measure(server: BurgeeServer): Promise<FlipCosts> {
  const { call, tokens } = await prepare(server)
  const scopes = tokens.map((_token, index) => ({ environment: 'development', projects: ['default', `p${index}`] }))
  const costs: NamedCost[] = []
  const note = (what: string, of: Cost) => costs.push({ what, ...of })
  const whole = { environment: 'development', projects: ['*'] }
  note('the first read of the environment', await measureCost(() => server.features(whole)))
  const none = memoryMb()
  for (const scope of scopes.slice(0, 1)) await server.features(scope)
  const one = memoryMb()
  for (const scope of scopes) await server.features(scope)
  const memory = { none, one, all: memoryMb() }
  let isOn = false
  const flip = async () => {
    isOn = !isOn
    await call('POST', `projects/default/features/${featureName(7)}/environments/development/${isOn ? 'on' : 'off'}`)
  }
  const views = async () => {
    for (const scope of scopes) await server.features(scope)
  }
  note(`a flip, and every one of ${SCOPES} views current`, await measureMedian(() => flip().then(views)))
  const downloads = async () => {
    for (const token of tokens) await server.app.inject({ url: '/api/client/features', headers: createHeaders(token) })
  }
  await downloads()
  note(`${SCOPES} downloads of an unchanged view (gzip)`, await measureMedian(downloads))
  note(`${SCOPES} downloads after a flip (gzip)`, await measureMedian(() => flip().then(downloads)))
  const headers = createHeaders(tokens[0] ?? '')
  const { etag } = (await server.app.inject({ url: '/api/client/features', headers })).headers
  const condition = { ...headers, 'if-none-match': String(etag) }
  note('a 304', await measureMedian(() => server.app.inject({ url: '/api/client/features', headers: condition })))
  return { costs, memory }
}

function createHeaders(authorization: string): Record<string, string> {
  return { authorization, 'accept-encoding': 'gzip' }
}

/** Creates projects and one client token for each, so that every token has a different scope. */
async function prepare(server: BurgeeServer) {
  const call = async (method: 'POST' | 'GET', path: string, payload?: object) => {
    const reply = await server.app.inject({
      method,
      url: `/api/admin/${path}`,
      headers: { authorization: ADMIN },
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

async function measureCost(work: () => unknown): Promise<Cost> {
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

async function measureMedian(work: () => unknown): Promise<Cost> {
  const costs: Cost[] = []
  for (let round = 0; round < ROUNDS; round += 1) costs.push(await measureCost(work))
  const of = (key: keyof Cost) => median(costs.map((one) => one[key]))
  return { cpuMs: of('cpuMs'), stallMs: of('stallMs'), ms: of('ms') }
}

/** Formats the results in Markdown. */
export function flipTable({ costs, memory }: FlipCosts): string {
  const lines = costs.map(
    ({ what, cpuMs, ms, stallMs }) => `| ${what} | ${cpuMs.toFixed(1)} | ${ms.toFixed(1)} | ${stallMs.toFixed(1)} |`,
  )
  return [
    '| What | CPU ms | ms | longest stall ms |',
    '|---|---:|---:|---:|',
    ...lines,
    '',
    `Heap: ${memory.none} MB; with one scope ${memory.one} MB, with ${SCOPES} scopes ${memory.all} MB.`,
  ].join('\n')
}

/** Returns the targets for a changed flag and for the memory per scope. */
export function flipTargets({ costs, memory }: FlipCosts): Target[] {
  const flip = costs.find(({ what }) => what.startsWith('a flip'))
  if (flip === undefined) return []
  const what = `A change, and the update of ${SCOPES} views of ${SIZE.features} flags`
  return [
    target(`${what}: CPU`, flip.cpuMs, '≤', 50, ms),
    target(`${what}: longest stall`, flip.stallMs, '≤', 20, ms),
    target(`Heap with ${SCOPES} scopes, relative to one scope`, memory.all / memory.one, '≤', 1.5, times),
  ]
}

function memoryMb(): number {
  globalThis.gc?.()
  return Math.round(process.memoryUsage().heapUsed / 1024 / 1024)
}
