import { mixDocument } from '../mix.ts'
import { median } from '../statistics.ts'
import { type Generator, startGenerator } from './generator-process.ts'
import { REPEATED_CONTEXTS, SCENES, type Scene, type SliceResult } from './scene.ts'
import { startTarget, type Target, type TargetName } from './target.ts'
import { serveDocument } from './upstream.ts'

/** Result of one kind of request on one server; medians over the rounds. */
export interface Measured {
  readonly target: TargetName
  readonly requestsPerSecond: number
  /** CPU time of the server process per request, in microseconds. */
  readonly cpuUs: number
  readonly p50Us: number
  readonly p99Us: number
  /** Maximum resident memory at the end of a slice. */
  readonly rssBytes: number
  /** Average size of a response body on the wire. */
  readonly bodyBytes: number
  readonly statuses: string
}

/** Results of one kind of request with one number of flags, on all servers. */
export interface SceneRow {
  readonly features: number
  readonly scene: Scene
  readonly by: Readonly<Record<TargetName, Measured>>
}

/** Duration of each measurement, and number of measurements. */
export interface Effort {
  readonly sizes: readonly number[]
  readonly rounds: number
  readonly sliceMs: number
  readonly connections: number
}

/**
 * Measures every kind of request with every number of flags. Alternates between the minimal server, our proxy and the
 * Unleash proxy.
 */
export async function measureHttp(effort: Effort, report: (row: SceneRow) => void): Promise<SceneRow[]> {
  const generator = startGenerator()
  const rows: SceneRow[] = []
  try {
    for (const features of effort.sizes) {
      const upstream = await serveDocument(mixDocument({ features, segmentValues: 0 }))
      const targets = await Promise.all(NAMES.map((name) => startTarget(name, upstream.url)))
      try {
        const players = SCENES.map((scene) => createPlayer(effort, scene, generator))
        await warmUp(targets, players)
        for (const player of players) {
          const { scene } = player
          const row = { features, scene, by: await measureScene(effort, targets, player) }
          report(row)
          rows.push(row)
        }
      } finally {
        await Promise.all([...targets.map((target) => target.stop()), upstream.close()])
      }
    }
  } finally {
    generator.stop()
  }
  return rows
}

/**
 * Warms all servers up. A new process has to compile its code first, which would slow down only the first measurement.
 */
async function warmUp(targets: readonly Target[], players: readonly Player[]): Promise<void> {
  for (const target of targets) {
    for (const { play } of players) await play(target, WARM_UP_MS / players.length)
  }
}

/** Warm-up time of each server in milliseconds. */
export const WARM_UP_MS = 6000
const NAMES = ['floor', 'burgee', 'peer'] as const
/**
 * Distance between the context numbers of different kinds of requests. No kind uses contexts of another kind, because a
 * server may have cached the results for them.
 */
const CONTEXTS_OF_A_SCENE = 10_000_000

/** Measured slice, and what it cost the server. */
type Played = SliceResult & { readonly serverCpuUs: number; readonly rssBytes: number }

interface Player {
  readonly scene: Scene
  readonly play: (target: Target, durationMs: number) => Promise<Played>
}

function createPlayer({ connections }: Effort, scene: Scene, generator: Generator): Player {
  let firstContext = (SCENES.indexOf(scene) + 1) * CONTEXTS_OF_A_SCENE
  const play = async (target: Target, durationMs: number) => {
    const slice = { port: target.port, scene, durationMs, connections, firstContext, leastRequests: REPEATED_CONTEXTS }
    const before = await target.account()
    const result = await generator.play(slice)
    const after = await target.account()
    firstContext += result.requests
    return { ...result, serverCpuUs: after.cpuUs - before.cpuUs, rssBytes: after.rssBytes }
  }
  return { scene, play }
}

/**
 * Measures one kind of request on all servers. Our server goes first, because the minimal server returns as many bytes
 * as ours.
 */
async function measureScene(
  effort: Effort,
  targets: readonly Target[],
  { scene, play }: Player,
): Promise<SceneRow['by']> {
  const [floor, ours, peer] = targets
  if (!floor || !ours || !peer) throw new Error('A server is missing')
  for (const target of [ours, peer]) await play(target, effort.sliceMs)
  const sample = await play(ours, effort.sliceMs / 2)
  const isUnchanged = scene.isConditional && scene.contexts === 'repeated'
  const bytes = Math.round(sample.bodyBytes / sample.requests)
  await floor.ask({ answer: { bytes, status: isUnchanged ? 304 : 200 } })
  await play(floor, effort.sliceMs / 2)
  const slices: Record<TargetName, Played[]> = { floor: [], burgee: [], peer: [] }
  for (let round = 0; round < effort.rounds; round += 1) {
    for (const target of targets) slices[target.name].push(await play(target, effort.sliceMs))
  }
  const summary = (name: TargetName) => summarize(name, slices[name])
  return { floor: summary('floor'), burgee: summary('burgee'), peer: summary('peer') }
}

function summarize(target: TargetName, slices: readonly Played[]): Measured {
  const middle = (of: (slice: Played) => number) => median(slices.map(of))
  return {
    target,
    requestsPerSecond: middle((slice) => (slice.requests / slice.elapsedMs) * 1000),
    cpuUs: middle((slice) => slice.serverCpuUs / slice.requests),
    p50Us: middle((slice) => slice.p50Us),
    p99Us: middle((slice) => slice.p99Us),
    rssBytes: Math.max(...slices.map((slice) => slice.rssBytes)),
    bodyBytes: middle((slice) => slice.bodyBytes / slice.requests),
    statuses: [...new Set(slices.flatMap((slice) => Object.keys(slice.statuses)))].join(' '),
  }
}
