import { OFREPWebProvider } from '@openfeature/ofrep-web-provider'
import { type EvaluationContext, OpenFeature, type Provider, ProviderEvents } from '@openfeature/web-sdk'

/** What a test writes into the address of a page. */
export interface OpenFeatureConfig {
  readonly baseUrl: string
  /** As `Authorization`; nothing where it is left out. */
  readonly key?: string
  readonly context: EvaluationContext
  /** After so many seconds a hidden page closes its stream. */
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

/** Begins with the configuration of the address; calls where something may be another one. */
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
  // until then the SDK's own provider is ready, which knows no flags
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
  // the provider's types leave out what the SDK's say may be left out
  await OpenFeature.setProviderAndWait(provider as Provider).catch(() => {})
  hasBegun = true
  changed()
}
