import { createAddressReader } from '@burgee/kit/http/forwarded'
import type { Caller } from '@burgee/kit/http/route'
import { isObject } from '@burgee/kit/input/is-object'
import type { QueryValue } from '@burgee/kit/input/query-string'
import type { Logger } from '@burgee/kit/log/logger'
import type { TrustedProxies } from '@burgee/kit/options/trusted-proxies'
import type { Context } from '@burgee/protocol/context'
import { type Enricher, EnricherChain } from './enrichers.ts'

/** Settings that apply to the context of every request. */
export interface ContextSettings {
  /** Default app name for contexts that contain none. */
  readonly appName: string | undefined
  /** Environment from the configuration; overrides the environment that the caller sends. */
  readonly environment: string | undefined
  readonly trustProxy: TrustedProxies
  /** True to prefer `Forwarded` over `X-Forwarded-For`; false by default. */
  readonly isStandardFirst?: boolean
  /** True if the address determined by `trustProxy` overrides the address that the caller sends. */
  readonly trustedAddressWins: boolean
  /** Enrichers, called in order; each receives the result of the previous one. */
  readonly enrichers: readonly Enricher[]
  /**
   * Source of random numbers in [0, 1), used to generate a session id for contexts that have none. If undefined,
   * contexts without a session id get none, so that equal requests get equal responses.
   */
  readonly sessionChance: (() => number) | undefined
  readonly logger: Logger
}

/**
 * Builder of contexts from requests. Accepts the same forms of query and body as the Unleash proxy, which is checked in
 * tests/peer. Source: spec "Evaluation context".
 */
export class ContextReader {
  readonly #settings: ContextSettings
  readonly #getAddress: (caller: Caller) => string
  readonly #enrichers: EnricherChain

  constructor(settings: ContextSettings) {
    this.#settings = settings
    this.#enrichers = new EnricherChain(settings.enrichers, settings.logger)
    this.#getAddress = createAddressReader(settings.trustProxy, settings.isStandardFirst)
  }

  /**
   * Reads the context of a `GET` from query parameters. Unknown parameters become properties; `properties[x]` takes
   * precedence over `x`.
   */
  fromQuery(query: Readonly<Record<string, unknown>>, caller: Caller): Context | Promise<Context> {
    return this.#complete(collect(query, formatQueryValue as (value: unknown) => unknown), caller, true)
  }

  /**
   * Reads the context of a `POST` from the property `context` of the body. `inventSession` allows generating a missing
   * session id.
   */
  fromBody(
    context: Readonly<Record<string, unknown>> | undefined,
    caller: Caller,
    inventSession: boolean,
  ): Context | Promise<Context> {
    return this.#complete(collect(context ?? {}, keepValue), caller, inventSession)
  }

  /** Returns synchronously if there are no enrichers, which is the case for most requests. */
  #complete(own: Record<string, unknown>, caller: Caller, inventSession: boolean): Context | Promise<Context> {
    const { trustProxy, trustedAddressWins } = this.#settings
    const isForced = trustedAddressWins && trustProxy !== false
    if (isForced || own.remoteAddress === undefined) own.remoteAddress = this.#getAddress(caller)
    if (this.#enrichers.isEmpty) return this.#fill(own, inventSession)
    return this.#enrichers.enrich(own).then((context) => this.#fill({ ...context }, inventSession))
  }

  #fill(context: Record<string, unknown>, inventSession: boolean): Context {
    const { appName, environment, sessionChance } = this.#settings
    context.appName ??= appName
    context.environment = environment ?? context.environment ?? 'default'
    if (inventSession && sessionChance) context.sessionId ??= String(Math.floor(sessionChance() * SESSION_IDS))
    return context
  }
}

const SESSION_IDS = 1_000_000_000
const TEXT_FIELDS = new Set(['appName', 'environment', 'userId', 'sessionId', 'remoteAddress'])

/**
 * Separates the values that a caller sends into known fields and `properties`. Empty strings are treated as missing.
 */
function collect(
  sent: Readonly<Record<string, unknown>>,
  textOf: (value: unknown) => unknown,
): Record<string, unknown> {
  const context: Record<string, unknown> = {}
  const properties: Record<string, unknown> = {}
  for (const name of Object.keys(sent)) {
    const value = sent[name]
    if (TEXT_FIELDS.has(name)) {
      if (value !== '' && value !== null && value !== undefined) context[name] = value
    } else if (name === 'currentTime') context[name] = parseTime(value)
    else if (name !== 'properties') setProperty(properties, name, value)
  }
  const given = sent.properties
  if (isObject(given)) for (const name of Object.keys(given)) setProperty(properties, name, textOf(given[name]))
  context.properties = properties
  return context
}

/** Sets a property; `__proto__` is allowed as a name. */
function setProperty(properties: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') properties[name] = value
  else Object.defineProperty(properties, name, { value, enumerable: true, writable: true, configurable: true })
}

function keepValue(value: unknown): unknown {
  return value
}

/**
 * Parses a date in any format that the platform accepts. Returns undefined for other values, which then mean the
 * current time.
 */
function parseTime(value: unknown): Date | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  if (value === '' || value === 0) return undefined
  const time = new Date(value)
  return Number.isNaN(time.getTime()) ? undefined : time
}

/**
 * Converts the value of a query parameter to a string. Joins the elements of a list with commas, in the same way as
 * repeated parameters.
 */
function formatQueryValue(value: QueryValue): string {
  if (typeof value === 'string') return value
  return Array.isArray(value) ? value.map(formatQueryValue).join(',') : '[object Object]'
}
