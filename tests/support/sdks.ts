import { InMemStorageProvider, Unleash, type UnleashConfig } from 'unleash-client'
import { type IConfig, InMemoryStorageProvider, UnleashClient } from 'unleash-proxy-client'

/** Creates the official Node SDK for tests, with short intervals and without persistence. */
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

/** Creates the official web SDK for tests, with short intervals and without persistence. */
export function webSdk(config: Partial<IConfig> & Pick<IConfig, 'url' | 'clientKey'>): UnleashClient {
  return new UnleashClient({
    appName: 'web',
    refreshInterval: 0.05,
    metricsInterval: 0.1,
    metricsIntervalInitial: 0.1,
    // with such short intervals the SDK would abort its own requests yet store the ETag of the unread response
    createAbortController: () => null,
    storageProvider: new InMemoryStorageProvider(),
    ...config,
  })
}
