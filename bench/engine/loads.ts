import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { compile, compileSteps, type Engine } from '@burgee/engine'
import { runInSlices, runSync } from '@burgee/kit/slices'
import type { ClientFeatures } from '@burgee/protocol/feature'
import { Answers } from '@burgee/serving/replies/answers'
import { mixContext, mixDocument } from '../mix.ts'
import { median } from '../statistics.ts'
import { startPeer } from './peer.ts'

/** Costs of a large document other than its evaluation. */
export interface LoadRow {
  readonly features: number
  /**
   * Time of a full compilation in one step, and time to start the SDK with the same document. Each time is the shortest
   * of several runs.
   */
  readonly compileMs: number
  readonly peerLoadMs: number
  /**
   * Memory per flag, in addition to the parsed document. For our engine, this includes the flags' JSON, which is cached
   * after many responses.
   */
  readonly bytesPerFlag: number
  readonly peerBytesPerFlag: number
  readonly documentBytesPerFlag: number
  /** Time to compile, in one step, a document that differs in one flag. */
  readonly refreshMs: Spread
  /** Longest step when the same document is compiled in steps. */
  readonly longestStepMs: Spread
  /** Longest stall of the event loop when the same document is compiled in time slices. */
  readonly stallMs: Spread
}

/**
 * Result of several runs. The best run shows the cost of the work; the median also includes disturbances by other
 * processes.
 */
export interface Spread {
  readonly best: number
  readonly median: number
}

const REFRESHES = 15
/** After this many contexts, nearly every outcome of every flag has been serialized. */
const CONTEXTS = 200

/** Measures loading and refreshing a document from `mixDocument` without segments. */
export async function measureLoads(features: number): Promise<LoadRow> {
  const text = JSON.stringify(mixDocument({ features, segmentValues: 0 }))
  const read = () => JSON.parse(text) as ClientFeatures
  const loads: number[] = []
  const peerLoads: number[] = []
  for (let i = 0; i < 7; i++) {
    loads.push(measureTime(() => compile(read())))
    const { sdk, loadMs } = await startPeer(read())
    sdk.destroy()
    peerLoads.push(loadMs)
  }
  return {
    features,
    compileMs: Math.min(...loads),
    peerLoadMs: Math.min(...peerLoads),
    ...(await measureMemory(features, read)),
    ...(await measureRefreshes(read)),
  }
}

function measureTime(work: () => unknown): number {
  const since = performance.now()
  work()
  return performance.now() - since
}

async function measureMemory(features: number, read: () => ClientFeatures) {
  const empty = bytesInUse()
  const document = read()
  const parsed = bytesInUse()
  const answers = new Answers(compile(document).engine, { cacheBytes: 0 })
  runSync(answers.prepare())
  for (let user = 0; user < CONTEXTS; user++) {
    for (const kind of ['on', 'all'] as const) answers.list(kind, mixContext(user))
  }
  const compiled = bytesInUse()
  const { sdk } = await startPeer(document)
  const started = bytesInUse()
  sdk.destroy()
  const held = [document.features.length, answers.engine.names.length]
  return {
    documentBytesPerFlag: (parsed - empty) / features,
    bytesPerFlag: (compiled - parsed) / features,
    peerBytesPerFlag: (started - compiled) / (held[0] ?? features),
  }
}

/** Returns the memory in use; NaN unless Node.js was started with --expose-gc. */
function bytesInUse(): number {
  if (!globalThis.gc) return Number.NaN
  for (let i = 0; i < 4; i++) globalThis.gc()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

async function measureRefreshes(read: () => ClientFeatures) {
  let engine: Engine = compile(read()).engine
  const whole: number[] = []
  const longest: number[] = []
  const stalls: number[] = []
  for (let round = 0; round < REFRESHES; round++) {
    const whatWas = engine
    const next = withOneChanged(read(), round)
    whole.push(
      measureTime(() => {
        engine = compile(next, {}, whatWas).engine
      }),
    )
    const again = withOneChanged(read(), round + 1)
    longest.push(longestStep(again, engine))
    const delay = monitorEventLoopDelay({ resolution: 1 })
    await wait(20)
    delay.enable()
    engine = (await runInSlices(compileSteps(again, {}, engine))).engine
    await wait(5)
    delay.disable()
    stalls.push(delay.max / 1e6)
  }
  return { refreshMs: toSpread(whole), longestStepMs: toSpread(longest), stallMs: toSpread(stalls) }
}

function toSpread(values: readonly number[]): Spread {
  return { best: Math.min(...values), median: median(values) }
}

function longestStep(document: ClientFeatures, before: Engine): number {
  const steps = compileSteps(document, {}, before)
  let longest = 0
  for (let done = false; !done; ) {
    longest = Math.max(
      longest,
      measureTime(() => {
        done = steps.next().done === true
      }),
    )
  }
  return longest
}

function withOneChanged(document: ClientFeatures, index: number): ClientFeatures {
  const features = [...document.features]
  const feature = features[index % features.length]
  if (feature !== undefined) features[index % features.length] = { ...feature, enabled: !feature.enabled }
  return { ...document, features }
}
