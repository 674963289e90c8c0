import type { ClientFeatures } from '@burgee/protocol/feature'
import { mixDocument } from '../mix.ts'
import { startGenerator } from './generator-process.ts'
import type { Scene } from './scene.ts'
import { startTarget } from './target.ts'
import { serveDocument } from './upstream.ts'

/** How long the event loop stood still while one flag of many changed again and again. */
export interface Refreshed {
  readonly features: number
  readonly changes: number
  /** The longest stall while requests went on, without any change. */
  readonly quietMs: number
  /** The longest stall while requests went on and configurations came. */
  readonly changingMs: number
}

const POLL_MS = 200
const SLICE_MS = 4000
const CHANGE_EVERY_MS = 500
/** Few: what is measured is the refresh, not how long requests wait for each other. */
const CONNECTIONS = 2
const SCENE: Scene = { method: 'GET', contexts: 'different', isConditional: false, isCompressed: false }

/**
 * Changes one flag of a large configuration every half second while requests are answered. The server is not kept on one
 * core: its garbage collector works beside it, and would only seem to hold it up there.
 */
export async function measureRefresh(features: number): Promise<Refreshed> {
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
