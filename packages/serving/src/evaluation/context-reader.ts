import { addressReader } from '@burgee/kit/http/forwarded'
import type { Caller } from '@burgee/kit/http/route'
import type { QueryValue } from '@burgee/kit/input/query-string'
import type { Logger } from '@burgee/kit/log/logger'
import type { Trust } from '@burgee/kit/options/trust'
import { Throttle } from '@burgee/kit/throttle'
import { within } from '@burgee/kit/within'
import type { Context } from '@burgee/protocol/context'
import { isObject } from '../document/feature-document.ts'

/** Completes or changes the context of a request, before it is evaluated. */
export type Enricher = (context: Context) => Context | Promise<Context>

/** What shapes every context. */
export interface ContextSettings {
  /** For callers that do not name theirs. */
  readonly appName: string | undefined
  /** Configured environment: wins over what the caller says. */
  readonly environment: string | undefined
  readonly trustProxy: Trust
  /** Whether `Forwarded` is believed before `X-Forwarded-For`; no by default. */
  readonly isStandardFirst?: boolean
  /** The address by `trustProxy` wins over the one that the caller sent. */
  readonly trustedAddressWins: boolean
  /** Asked in order, each gets what the one before answered. */
  readonly enrichers: readonly Enricher[]
  /**
   * Source of a session id, from 0 up to, not including, 1, for contexts without one. Undefined where a missing session
   * id stays missing, so that the same request has the same reply.
   */
  readonly sessionChance: (() => number) | undefined
  readonly logger: Logger
}

/**
 * Makes contexts from requests. Source: spec "Evaluation context"; forms of query and body as the established proxy reads
 * them (tests/peer).
 */
export class ContextReader {
  readonly #settings: ContextSettings
  readonly #addressOf: (caller: Caller) => string
  readonly #throttle = new Throttle()

  constructor(settings: ContextSettings) {
    this.#settings = settings
    this.#addressOf = addressReader(settings.trustProxy, settings.isStandardFirst)
  }

  /** Context of `GET`: query parameters; unknown names are properties, `properties[x]` wins over `x`. */
  fromQuery(query: Readonly<Record<string, unknown>>, caller: Caller): Context | Promise<Context> {
    return this.#complete(collect(query, queryText as (value: unknown) => unknown), caller, true)
  }

  /** Context of `POST`: the body's `context`. `inventSession`: whether a missing session id may be invented. */
  fromBody(
    context: Readonly<Record<string, unknown>> | undefined,
    caller: Caller,
    inventSession: boolean,
  ): Context | Promise<Context> {
    return this.#complete(collect(context ?? {}, asItIs), caller, inventSession)
  }

  /** Answers at once where there are no enrichers, as for most requests. */
  #complete(own: Record<string, unknown>, caller: Caller, inventSession: boolean): Context | Promise<Context> {
    const { trustProxy, trustedAddressWins, enrichers } = this.#settings
    const isForced = trustedAddressWins && trustProxy !== false
    if (isForced || own.remoteAddress === undefined) own.remoteAddress = this.#addressOf(caller)
    if (enrichers.length === 0) return this.#fill(own, inventSession)
    return this.#enrich(own).then((context) => this.#fill({ ...context }, inventSession))
  }

  #fill(context: Record<string, unknown>, inventSession: boolean): Context {
    const { appName, environment, sessionChance } = this.#settings
    context.appName ??= appName
    context.environment = environment ?? context.environment ?? 'default'
    if (inventSession && sessionChance) context.sessionId ??= String(Math.floor(sessionChance() * SESSION_IDS))
    return context
  }

  /** A failing enricher fails this request, with its name in the log (once a minute); never the process. */
  async #enrich(own: Context): Promise<Context> {
    let context = own
    for (const [index, enricher] of this.#settings.enrichers.entries()) {
      try {
        const answer: unknown = await within(ENRICHER_LIMIT_MS, enricher(context))
        if (!isObject(answer)) throw new Error('it answered no context')
        context = answer as Context
      } catch (error) {
        const more = this.#throttle.pass(String(index))
        if (more !== undefined)
          this.#settings.logger.error(`Context enricher "${enricher.name || index}" failed${more}`, error)
        throw new EnricherFailed(error)
      }
    }
    return context
  }
}

/** A context enricher threw, took too long or answered nonsense: the request cannot be answered. */
export class EnricherFailed extends Error {
  constructor(cause: unknown) {
    super('A context enricher failed', { cause })
    this.name = 'EnricherFailed'
  }
}

const ENRICHER_LIMIT_MS = 5000

const SESSION_IDS = 1_000_000_000
const TEXT_FIELDS = new Set(['appName', 'environment', 'userId', 'sessionId', 'remoteAddress'])

/** Sorts what was sent into the known fields and `properties`; empty texts count as not sent. */
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
    } else if (name === 'currentTime') context[name] = readTime(value)
    else if (name !== 'properties') define(properties, name, value)
  }
  const given = sent.properties
  if (isObject(given)) for (const name of Object.keys(given)) define(properties, name, textOf(given[name]))
  context.properties = properties
  return context
}

/** `__proto__` is a name like any other. */
function define(properties: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') properties[name] = value
  else Object.defineProperty(properties, name, { value, enumerable: true, writable: true, configurable: true })
}

function asItIs(value: unknown): unknown {
  return value
}

/** Any date the platform can read; undefined (now) for the rest. */
function readTime(value: unknown): Date | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  if (value === '' || value === 0) return undefined
  const time = new Date(value)
  return Number.isNaN(time.getTime()) ? undefined : time
}

/** Query values are text; a list is written with commas, as a form with several values of one name. */
function queryText(value: QueryValue): string {
  if (typeof value === 'string') return value
  return Array.isArray(value) ? value.map(queryText).join(',') : '[object Object]'
}
