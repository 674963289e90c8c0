import { setTimeout as sleep } from 'node:timers/promises'
import { initialize, type Unleash } from 'unleash-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ignoreLateErrors } from '../support/sdks.ts'
import { until } from '../support/wait.ts'
import type { AttackSize } from './hostile/attack.ts'
import { ATTACKS } from './hostile/attacks.ts'
import { type HostileSample, type HostileScene, startScene } from './hostile/scene.ts'
import { IS_LONG, report } from './report.ts'
import { TOKENS } from './server-node.ts'

/**
 * No attacker can deny service to the users of a server, edge or proxy: memory, disk usage and SDK latency stay within
 * bounds.
 */
const MIB = 2 ** 20
const MAX_RESIDENT_BYTES = 512 * MIB
/** Memory limit per attack, from its start to the peak. */
const MAX_MEMORY_GROWTH_BYTES = 256 * MIB
const MAX_DISK_GROWTH_BYTES = (IS_LONG ? 48 : 12) * MIB
/** Limit that only the long form of the test checks, because the short form shares its machine with other tests. */
const MAX_P99_MS = 500
const SAMPLE_INTERVAL_MS = 50
const SHORT: AttackSize = {
  connections: 60,
  holdMs: 1000,
  flood: { count: 120, connections: 8, limitMs: 3000 },
}
const LONG: AttackSize = {
  connections: 300,
  holdMs: 30_000,
  flood: { count: 20_000, connections: 16, limitMs: 20_000 },
}
const SIZE = IS_LONG ? LONG : SHORT
const ATTACK_LIMIT_MS = 180_000
const SETTLE_MS = IS_LONG ? 5000 : 500
const FLAG = 'projects/default/features/known/environments/development'

let scene: HostileScene
let sdk: Unleash
beforeAll(async () => {
  scene = await startScene()
  sdk = ignoreLateErrors(
    initialize({
      url: `${scene.node.base}/api`,
      appName: 'beside',
      customHeaders: { authorization: TOKENS.client },
      refreshInterval: 200,
      disableMetrics: true,
    }),
  )
  sdk.on('error', () => {})
  await until(() => sdk.isEnabled('known'))
  await sleep(SETTLE_MS)
  const { latenciesMs, failures } = await scene.measured()
  expect(failures).toEqual([])
  report(
    'P11',
    'before any attack',
    `p99 of ${latenciesMs.length} SDK requests ${percentile(latenciesMs).toFixed(1)} ms`,
  )
})
afterAll(async () => {
  sdk?.destroy()
  await scene?.close()
})

test.each(ATTACKS)(
  'SDKs are served and memory and disk stay within bounds under attack: $name',
  {
    timeout: ATTACK_LIMIT_MS,
  },
  async ({ name, run }) => {
    const samples = [scene.sample()]
    const sampling = setInterval(() => samples.push(scene.sample()), SAMPLE_INTERVAL_MS)
    await scene.measured()
    const seen = await run(scene, SIZE).finally(() => clearInterval(sampling))
    const { latenciesMs, failures } = await scene.measured()
    await expectChangeArrives()
    await sleep(SETTLE_MS)
    const figures = { before: samples[0] as HostileSample, samples, after: scene.sample() }
    const p99Ms = percentile(latenciesMs)
    report(
      'P11',
      name,
      `${seen}; ${figuresOf(figures)}; p99 of ${latenciesMs.length} SDK requests ${p99Ms.toFixed(1)} ms`,
    )
    expect(failures).toEqual([])
    expect(latenciesMs.length).toBeGreaterThan(0)
    for (const key of ['server', 'edge', 'proxy'] as const) {
      expect(peak(samples, key)).toBeLessThan(MAX_RESIDENT_BYTES)
      expect(peak(samples, key) - figures.before[key]).toBeLessThan(MAX_MEMORY_GROWTH_BYTES)
    }
    expect(figures.after.disk - figures.before.disk).toBeLessThan(MAX_DISK_GROWTH_BYTES)
    if (IS_LONG) expect(p99Ms).toBeLessThan(MAX_P99_MS)
  },
)

/** Checks that changes still reach an official SDK. */
async function expectChangeArrives(): Promise<void> {
  for (const state of ['off', 'on'] as const) {
    const reply = await scene.node.admin('POST', `${FLAG}/${state}`)
    expect(reply.status, await reply.text()).toBe(200)
    await until(() => sdk.isEnabled('known') === (state === 'on'))
  }
}

function percentile(values: readonly number[], share = 0.99): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN
}

function peak(samples: readonly HostileSample[], key: keyof HostileSample): number {
  return Math.max(...samples.map((sample) => sample[key]))
}

interface Figures {
  readonly before: HostileSample
  readonly samples: readonly HostileSample[]
  readonly after: HostileSample
}

function figuresOf({ before, samples, after }: Figures): string {
  const mib = (bytes: number) => Math.round(bytes / MIB)
  const memory = (key: 'server' | 'edge' | 'proxy') =>
    `${key} ${mib(before[key])} → ${mib(peak(samples, key))} → ${mib(after[key])} MiB`
  return `${memory('server')}; ${memory('edge')}; ${memory('proxy')}; disk + ${((after.disk - before.disk) / MIB).toFixed(1)} MiB`
}
