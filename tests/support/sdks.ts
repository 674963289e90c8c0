import { InMemStorageProvider, Unleash, type UnleashConfig } from 'unleash-client'
import { type IConfig, InMemoryStorageProvider, UnleashClient } from 'unleash-proxy-client'

/** Creates the official Node SDK for tests, with short intervals and without persistence. */
export function nodeSdk(config: Partial<UnleashConfig> & Pick<UnleashConfig, 'url'>): Unleash {
  return ignoreLateErrors(
    new Unleash({
      appName: 'node-service',
      refreshInterval: 50,
      metricsInterval: 100,
      storageProvider: new InMemStorageProvider(),
      skipInstanceCountWarning: true,
      ...config,
    }),
  )
}

/**
 * Makes the official Node SDK ignore errors after `destroy`, and returns it. `destroy` removes all listeners, but does
 * not end a request that is running; if that request fails, the error has no listener and ends the process.
 */
export function ignoreLateErrors(sdk: Unleash): Unleash {
  const destroy = sdk.destroy.bind(sdk)
  sdk.destroy = () => {
    destroy()
    sdk['repository'].on('error', () => {})
  }
  return sdk
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
