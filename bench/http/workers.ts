import { pinnedTo } from '../measured-process.ts'
import { mixDocument } from '../mix.ts'
import { median } from '../statistics.ts'
import { startGenerator } from './generator-process.ts'
import type { Scene } from './scene.ts'
import { startTarget } from './target.ts'
import { serveDocument } from './upstream.ts'

/** Throughput of one worker and of two, on a machine shared with the generator. */
export interface ScalingResult {
  /** Requests per second of one worker that has a core to itself. */
  readonly oneRate: number
  /** Requests per second of two workers that share two cores with the generator. */
  readonly twoRate: number
  /** Fraction of the two cores' time that the load generator used. */
  readonly generatorShare: number
  /** Extrapolated speedup of two workers with two cores of their own over one worker with one core. */
  readonly factor: number
}

const FEATURES = 350
const SLICE_MS = 2000
const CONNECTIONS = 64
const CORES = 2
/**
 * Kind of request with compressed bodies. Uncompressed bodies would keep the generator as busy as the servers, and two
 * cores are not enough for both.
 */
const SCENE: Scene = { method: 'GET', contexts: 'different', isConditional: false, isCompressed: true }

/** Applies the same load to one worker and to two workers, alternately. */
export async function measureWorkers(rounds: number): Promise<ScalingResult> {
  const upstream = await serveDocument(mixDocument({ features: FEATURES, segmentValues: 0 }))
  const one = await startTarget('burgee', upstream.url)
  const two = await startTarget('burgee', upstream.url, { env: { FLAG_WORKERS: '2' }, pin: [] })
  const generators = { pinned: startGenerator(pinnedTo(1)), free: startGenerator([]) }
  let firstContext = 0
  const play = async (generator: keyof typeof generators, { port }: { readonly port: number }) => {
    const slice = { port, scene: SCENE, durationMs: SLICE_MS, connections: CONNECTIONS, firstContext, leastRequests: 1 }
    const { requests, elapsedMs, cpuUs } = await generators[generator].play(slice)
    firstContext += requests
    return { rate: (requests / elapsedMs) * 1000, share: cpuUs / 1000 / elapsedMs / CORES }
  }
  try {
    await play('pinned', one)
    await play('free', two)
    const ones: number[] = []
    const twos: { rate: number; share: number }[] = []
    for (let round = 0; round < rounds; round += 1) {
      ones.push((await play('pinned', one)).rate)
      twos.push(await play('free', two))
    }
    const oneRate = median(ones)
    const twoRate = median(twos.map(({ rate }) => rate))
    const generatorShare = median(twos.map(({ share }) => share))
    return { oneRate, twoRate, generatorShare, factor: twoRate / (1 - generatorShare) / oneRate }
  } finally {
    for (const generator of Object.values(generators)) generator.stop()
    await Promise.all([one.stop(), two.stop(), upstream.close()])
  }
}
