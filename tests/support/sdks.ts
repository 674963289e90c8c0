import { InMemStorageProvider, Unleash, type UnleashConfig } from 'unleash-client'
import { type IConfig, InMemoryStorageProvider, UnleashClient } from 'unleash-proxy-client'

/** The official Node SDK as tests want it: it asks often and keeps nothing for the next one. */
export function nodeSdk(config: Partial<UnleashConfig> & Pick<UnleashConfig, 'url'>): Unleash {
  return new Unleash({
    appName: 'node-service',
    refreshInterval: 50,
    metricsInterval: 100,
    storageProvider: new InMemStorageProvider(),
    skipInstanceCountWarning: true,
    ...config,
  })
}

/** The official web SDK as tests want it: it asks often and keeps nothing for the next one. */
export function webSdk(config: Partial<IConfig> & Pick<IConfig, 'url' | 'clientKey'>): UnleashClient {
  return new UnleashClient({
    appName: 'web',
    refreshInterval: 0.05,
    metricsInterval: 0.1,
    metricsIntervalInitial: 0.1,
    // at such short intervals the SDK would abort its own requests and keep the tag of an answer it did not read
    createAbortController: () => null,
    storageProvider: new InMemoryStorageProvider(),
    ...config,
  })
}
