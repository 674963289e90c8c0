import { createHash } from 'node:crypto'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { EnvironmentDocument } from '@burgee/serving/document/environment-document'
import { RunStates } from '@burgee/serving/test-runs/run-states'
import type { TestRunRow } from '@burgee/storage/queries/test-runs/test-runs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { until } from '../../support/wait.ts'
import { startServer, type TestServer } from '../scenario.ts'
import { openFlagStream } from '../sdk/streams/flag-stream.ts'

const FLAGS = '/api/admin/projects/default/features'
setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void
const RUNS = '/api/admin/projects/default/test-runs'
const COUNT = 1000
const FLIPS = 10
const FLAG_COUNT = 20
const MIB = 1024 * 1024
const HOUR_MS = 3_600_000
const queries: string[] = []
let server: TestServer
let url: string
const runs = Array.from({ length: COUNT }, (_, at) => {
  const id = at.toString(16).padStart(24, '0')
  const createToken = (secret: string) => `default:development!${id}.${secret.repeat(56)}`
  return { id, clientToken: createToken('c'), frontendToken: createToken('f') }
})
beforeAll(async () => {
  server = await startServer({}, Date.now, { onQuery: (text) => queries.push(text) })
  for (let at = 0; at < FLAG_COUNT; at += 1) await server.admin(`POST ${FLAGS}`, { name: `flag-${at}` })
  await insertRuns()
  ;({ url } = await server.server.listen())
}, 120_000)
afterAll(() => server.close())

const hashToken = (token: string) => createHash('sha256').update(token).digest('hex')

/** Inserts all runs in the form in which the server stores them. */
async function insertRuns(): Promise<void> {
  const rows = runs.map(({ id, clientToken, frontendToken }, at) => {
    const overrides = JSON.stringify({ [`flag-${at % FLAG_COUNT}`]: true })
    return `('${id}', 'default', 'development', '', '${hashToken(clientToken)}', '${hashToken(frontendToken)}', '${overrides}',
      1, 'ci', 0, ${Date.now() + HOUR_MS})`
  })
  await server.db.rows(`insert into test_runs (id, project, environment, name, client_hash, frontend_hash, overrides,
    version, created_by, created_at, expires_at) values ${rows.join(', ')}`)
}

const readHeap = () => {
  collectGarbage()
  return process.memoryUsage().heapUsed
}

const series = async (name: RegExp) => {
  const { body } = await server.call({ call: 'GET /internal-backstage/prometheus' })
  return [...body.matchAll(name)].map((match) => Number(match[1])).reduce((sum, value) => sum + value, 0)
}

test('1,000 runs have different flags at the same time, in bounded caches', async () => {
  const before = await series(/^burgee_cache_bytes\{cache="downloads"\} (\d+)$/gm)
  const heap = readHeap()
  for (const [at, { clientToken, frontendToken }] of runs.entries()) {
    const { features } = (await server.call({ as: clientToken, call: 'GET /api/client/features' })).json()
    const on = features.filter(({ enabled }: { enabled: boolean }) => enabled).map(({ name }: { name: string }) => name)
    expect(on).toEqual([`flag-${at % FLAG_COUNT}`])
    // the first evaluation of a run compiles its flags
    if (at % 4 > 0) continue
    const { toggles } = (await server.call({ as: frontendToken, call: 'GET /api/frontend' })).json()
    expect(toggles.map(({ name }: { name: string }) => name)).toEqual(on)
  }
  const downloads = (await series(/^burgee_cache_bytes\{cache="downloads"\} (\d+)$/gm)) - before
  const frontends = await series(/^burgee_cache_entries\{cache="frontend-documents"\} (\d+)$/gm)
  const toMebi = (bytes: number) => (bytes / MIB).toFixed(1)
  process.stdout.write(
    `${COUNT} runs of ${FLAG_COUNT} flags: heap of ${toMebi(heap)} MiB before and ${toMebi(readHeap())} MiB after, ${downloads} bytes of downloads, ${frontends} compiled documents\n`,
  )
  expect(downloads).toBeLessThan(32 * MIB)
  expect(frontends).toBeLessThan(100)
}, 120_000)

test('a change of a flag reads no run, whether or not runs have streams', async () => {
  const [run] = runs
  const stream = await openFlagStream(url, String(run?.clientToken), {})
  await until(() => stream.events.length > 0)
  queries.length = 0
  await server.admin(`POST ${FLAGS}/flag-19/environments/development/on`)
  await until(() => stream.holding().features.get('flag-19')?.enabled === true)
  stream.close()
  expect(queries).not.toEqual([])
  expect(queries.filter((text) => text.startsWith('select') && text.includes('test_runs'))).toEqual([])
}, 60_000)

test('a change of one of 1,000 runs reaches its stream', async () => {
  const run = runs[1]
  const stream = await openFlagStream(url, String(run?.clientToken), {})
  await until(() => stream.events.length > 0)
  const latencies: number[] = []
  for (let at = 0; at < FLIPS; at += 1) {
    const isOn = at % 2 === 0
    const begun = performance.now()
    const changed = server.admin(`PATCH ${RUNS}/${run?.id}`, { overrides: { 'flag-2': isOn } })
    await until(() => stream.holding().features.get('flag-2')?.enabled === isOn)
    latencies.push(performance.now() - begun)
    await changed
  }
  stream.close()
  const sorted = latencies.map((ms) => Math.round(ms)).sort((one, other) => one - other)
  process.stdout.write(`a change of a run reached its stream after ${sorted.join(', ')} ms\n`)
  expect(stream.events).toHaveLength(1 + FLIPS)
}, 60_000)

test('documents of runs share the flags without an override, and are bounded in bytes', () => {
  const document = new EnvironmentDocument()
  const flags = Array.from({ length: FLAG_COUNT }, (_, at) => ({
    feature: { name: `flag-${at}`, project: 'default', enabled: false, strategies: [] },
    tags: [],
  }))
  document.replace(flags, [], { epoch: 'e', id: 1 })
  const base = document.state
  if (base === undefined) throw new Error('The document is empty')
  const states = new RunStates()
  for (let at = 0; at < COUNT; at += 1) {
    const run = { id: `${at}`, project: 'default', version: 1, overrides: { 'flag-7': true } } as unknown as TestRunRow
    const state = states.get(run, base)
    expect(states.get(run, base)).toBe(state)
    expect(state.flags.filter((entry, index) => entry !== base.flags[index]).map(({ name }) => name)).toEqual([
      'flag-7',
    ])
  }
  process.stdout.write(
    `${COUNT} documents of ${FLAG_COUNT} flags: ${states.bytes} bytes cached, ${states.computed} computed\n`,
  )
  expect(states.computed).toBe(COUNT)
  expect(states.bytes).toBeLessThan(MIB)
})
