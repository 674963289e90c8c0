import type { ClientFeatures } from '@burgee/protocol/feature'
import { mixDocument } from '../mix.ts'
import { startGenerator } from './generator-process.ts'
import type { Scene } from './scene.ts'
import { startTarget } from './target.ts'
import { serveDocument } from './upstream.ts'

/** Stalls of the event loop while one flag among many changes repeatedly. */
export interface RefreshResult {
  readonly features: number
  readonly changes: number
  /** Longest stall while requests arrive and no flag changes. */
  readonly quietMs: number
  /** Longest stall while requests arrive and a flag changes every half second. */
  readonly changingMs: number
}

const POLL_MS = 200
const SLICE_MS = 4000
const CHANGE_EVERY_MS = 500
/** Few connections, so that the refresh is measured and not the queue of requests. */
const CONNECTIONS = 2
const SCENE: Scene = { method: 'GET', contexts: 'different', isConditional: false, isCompressed: false }

/**
 * Changes one flag in a large configuration every half second, while requests arrive. The server is not pinned to one
 * core: its garbage collector runs in parallel and would otherwise appear as a stall.
 */
export async function measureRefresh(features: number): Promise<RefreshResult> {
  const document = mixDocument({ features, segmentValues: 0 })
  const upstream = await serveDocument(document)
  const generator = startGenerator()
  const env = { UNLEASH_FETCH_INTERVAL: String(POLL_MS) }
  const target = await startTarget('burgee', upstream.url, { env, pin: [] })
  let firstContext = 0
  const play = async () => {
    const slice = { port: target.port, scene: SCENE, durationMs: SLICE_MS, connections: CONNECTIONS, firstContext }
    firstContext += (await generator.play({ ...slice, leastRequests: 1 })).requests
    return target.stall()
  }
  try {
    await play()
    const quietMs = await play()
    let changes = 0
    const timer = setInterval(() => {
      changes += 1
      upstream.serve(withOneChanged(document, changes))
    }, CHANGE_EVERY_MS)
    const changingMs = await play()
    clearInterval(timer)
    return { features, changes, quietMs, changingMs }
  } finally {
    generator.stop()
    await Promise.all([target.stop(), upstream.close()])
  }
}

function withOneChanged(document: ClientFeatures, change: number): ClientFeatures {
  const features = [...document.features]
  const index = Math.floor(features.length / 2) + change
  const feature = features[index]
  if (feature !== undefined) features[index] = { ...feature, enabled: !feature.enabled }
  return { ...document, features }
}
