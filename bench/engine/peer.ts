import type { ClientFeatures } from '@burgee/protocol/feature'
import { InMemStorageProvider, Unleash } from 'unleash-client'

/** Starts the Unleash SDK from a document, without network or metrics; also returns the load time in ms. */
export async function startPeer(document: ClientFeatures): Promise<{ sdk: Unleash; loadMs: number }> {
  const sdk = new Unleash({
    url: 'http://127.0.0.1:9/',
    appName: 'bench',
    bootstrap: { data: document.features as never, segments: (document.segments ?? []) as never },
    storageProvider: new InMemStorageProvider(),
    disableAutoStart: true,
    disableMetrics: true,
    refreshInterval: 0,
    skipInstanceCountWarning: true,
  })
  sdk.on('error', () => {})
  const since = performance.now()
  const ready = new Promise((resolve) => sdk.once('ready', resolve))
  await sdk.start()
  await ready
  return { sdk, loadMs: performance.now() - since }
}
