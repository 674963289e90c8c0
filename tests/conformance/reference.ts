import { createRequire } from 'node:module'
import type { FeatureDocument } from '@burgee/engine'
import { parseAddress } from '@burgee/protocol/address'
import type { Context } from '@burgee/protocol/context'
import type * as Client from 'unleash-client'

/** Host name reported to the official SDK. */
export const HOSTNAME = 'burgee-test'

const { InMemStorageProvider, Unleash } = load()

/** Loads the SDK, which reads the host name once, when it is loaded. */
function load(): typeof Client {
  const before = process.env.HOSTNAME
  process.env.HOSTNAME = HOSTNAME
  const client = createRequire(import.meta.url)('unleash-client') as typeof Client
  if (before === undefined) delete process.env.HOSTNAME
  else process.env.HOSTNAME = before
  return client
}

/**
 * Result of the official SDK. `broke` is true if a malformed document made the SDK throw an error or return a variant
 * without a name.
 */
export interface ReferenceAnswer {
  readonly enabled: boolean | 'broke'
  /** True if the SDK drew random numbers. */
  readonly drew: boolean
  readonly variant: { readonly name: string; readonly enabled: boolean; readonly payload?: unknown } | 'broke'
}

/** Official SDK that evaluates flags from one document. The SDK has no network, metrics or output. */
export interface Reference {
  ask(name: string, context: Context): ReferenceAnswer
  close(): void
}

/** Defaults that the SDK adds to every context. */
export const STATIC_CONTEXT = { appName: 'app', environment: 'default' } as const

/** Starts the official SDK from a document. Rejects if the SDK cannot load the document. */
export async function startReference(document: FeatureDocument): Promise<Reference> {
  const sdk = new Unleash({
    url: 'http://127.0.0.1:9/',
    appName: STATIC_CONTEXT.appName,
    bootstrap: { data: document.features as never, segments: (document.segments ?? []) as never },
    storageProvider: new InMemStorageProvider(),
    disableAutoStart: true,
    disableMetrics: true,
    refreshInterval: 0,
    skipInstanceCountWarning: true,
  })
  sdk.on('error', () => {})
  const ready = new Promise((resolve) => sdk.once('ready', resolve))
  await sdk.start()
  await ready
  return {
    ask: (name, context) => {
      const { result, drew } = watchingChance(() => askBoth(sdk, name, context as Client.Context))
      return { ...result, drew }
    },
    close: () => sdk.destroy(),
  }
}

/**
 * Returns true if a flag or one of its parents has a `remoteAddress` strategy that compares the caller's IPv6 address.
 * The SDK compares addresses as strings and does not support IPv6 ranges.
 */
export function isDecidedByIpv6({ features }: FeatureDocument, name: string, context: Context): boolean {
  if (!isIpv6(context.remoteAddress)) return false
  const all = features as readonly Readonly<Record<string, unknown>>[]
  const own = all.filter((feature) => feature.name === name)
  const parents = own.flatMap(({ dependencies }) => listOf(dependencies).map(({ feature }) => feature))
  return all
    .filter((feature) => feature.name === name || parents.includes(feature.name))
    .flatMap(({ strategies }) => listOf(strategies))
    .some((strategy) => strategy.name === 'remoteAddress' && hasIpv6(strategy.parameters))
}

function hasIpv6(parameters: unknown): boolean {
  const { IPs } = (parameters ?? {}) as { readonly IPs?: unknown }
  return typeof IPs === 'string' && IPs.split(',').some((text) => isIpv6(text.trim()))
}

function isIpv6(text: unknown): boolean {
  return typeof text === 'string' && parseAddress(text)?.version === 6
}

/** Returns the objects of a list, or an empty list for any other value. */
function listOf(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'object' && item !== null) : []
}

function askBoth(sdk: Client.Unleash, name: string, context: Client.Context) {
  return {
    enabled: attempt(() => Boolean(sdk.isEnabled(name, context))),
    variant: attempt(() => {
      const { name: variant, enabled, payload } = sdk.getVariant(name, context)
      if (typeof variant !== 'string') throw new TypeError('a variant without a name')
      return { name: variant, enabled, ...(payload !== undefined && { payload }) }
    }),
  }
}

function attempt<T>(ask: () => T): T | 'broke' {
  try {
    return ask()
  } catch {
    return 'broke'
  }
}

function watchingChance<T>(ask: () => T): { result: T; drew: boolean } {
  const { random } = Math
  let drew = false
  Math.random = () => {
    drew = true
    return random()
  }
  try {
    const result = ask()
    return { result, drew }
  } finally {
    Math.random = random
  }
}
