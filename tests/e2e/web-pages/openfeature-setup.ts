import { OFREPWebProvider } from '@openfeature/ofrep-web-provider'
import { type EvaluationContext, OpenFeature, type Provider, ProviderEvents } from '@openfeature/web-sdk'

/** Configuration that a test encodes in the URL of a page. */
export interface OpenFeatureConfig {
  readonly baseUrl: string
  /** Sent as `Authorization`, if given. */
  readonly key?: string
  readonly context: EvaluationContext
  /** Seconds after which a hidden page closes its stream. */
  readonly inactivityDelaySec?: number
}

declare global {
  interface Window {
    /** Names of the provider's events. */
    heard: string[]
    details(key: string, fallback: unknown): unknown
    setContext(context: EvaluationContext): Promise<void>
  }
}

/** Starts the page's SDK with the configuration in the URL. Calls `changed` when values may have changed. */
export async function beginOpenFeature(changed: () => void): Promise<void> {
  const config = JSON.parse(new URLSearchParams(location.search).get('config') ?? '{}') as OpenFeatureConfig
  const { baseUrl, key, context, inactivityDelaySec } = config
  window.heard = []
  const client = OpenFeature.getClient()
  window.details = (name, fallback) => {
    if (typeof fallback === 'boolean') return client.getBooleanDetails(name, fallback)
    if (typeof fallback === 'string') return client.getStringDetails(name, fallback)
    if (typeof fallback === 'number') return client.getNumberDetails(name, fallback)
    return client.getObjectDetails(name, fallback as object as never)
  }
  window.setContext = (next) => OpenFeature.setContext(next)
  // until `hasBegun` is set, the SDK's own provider emits `ready` although it has no flags
  let hasBegun = false
  for (const event of Object.values(ProviderEvents)) {
    OpenFeature.addHandler(event, () => {
      window.heard.push(event)
      if (hasBegun) changed()
    })
  }
  await OpenFeature.setContext(context)
  const provider = new OFREPWebProvider({
    baseUrl,
    headers: key === undefined ? [] : [['Authorization', key]],
    ...(inactivityDelaySec === undefined ? {} : { inactivityDelaySec }),
  })
  // the provider's types require properties that the SDK's types make optional
  await OpenFeature.setProviderAndWait(provider as Provider).catch(() => {})
  hasBegun = true
  changed()
}
