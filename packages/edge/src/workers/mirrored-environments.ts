import type { DebugLog, Logger } from '@burgee/kit/log/logger'
import { parseFeatureDocument } from '@burgee/serving/document/feature-document'
import type { ConfigurationListener, ConfigurationSource } from '@burgee/serving/upstream/configuration-source'
import { DocumentParser } from '@burgee/serving/upstream/document-text'
import { createEnvironments } from '../environments/edge-environments.ts'
import type { EnvironmentStatus, Environments } from '../environments/environments.ts'
import type { FetchingToken, FetchingTokens } from '../environments/fetching-tokens.ts'
import type { SentEnvironment } from './edge-messages.ts'

/** Dependencies of a worker's environments. */
export interface MirroredEnvironmentsDeps {
  readonly firstDataLimitMs: number
  readonly clock: () => number
  readonly random: () => number
  readonly logger: Logger
  readonly debug?: DebugLog | undefined
}

/** Environments of a worker. Messages of the primary process update these environments. */
export interface MirroredEnvironments {
  readonly environments: Environments
  /** Sets the environments that are fetched; `isSettled` is true if the list is final. */
  fetch(names: readonly string[], isSettled: boolean): void
  /** Replaces all flags of an environment. */
  accept(sent: SentEnvironment): void
  /** Stores the fetch status that the primary process has sent. */
  setStatuses(standings: readonly EnvironmentStatus[]): void
  /**
   * Returns true once the worker uses a document for every environment for which the primary process has sent flags.
   */
  isCaughtUp(): boolean
}

/**
 * Mirrors the environments of the primary process, as if each environment were fetched with a single token. Revisions
 * stay unchanged, so that all workers send the same ETags and numbers.
 */
export function mirrorEnvironments(deps: MirroredEnvironmentsDeps): MirroredEnvironments {
  const feeds = new Map<string, Feed>()
  const listeners = new Set<() => void>()
  let fetching: { readonly tokens: readonly FetchingToken[]; readonly isSettled: boolean } = {
    tokens: [],
    isSettled: false,
  }
  let standings: readonly EnvironmentStatus[] = []
  const feedOf = (environment: string): Feed => {
    const feed = feeds.get(environment) ?? new Feed()
    feeds.set(environment, feed)
    return feed
  }
  const tokens: FetchingTokens = {
    current: () => fetching.tokens,
    get isSettled() {
      return fetching.isSettled
    },
    subscribe(changed) {
      listeners.add(changed)
      return () => void listeners.delete(changed)
    },
  }
  const fetched = createEnvironments({ ...deps, fetching: tokens, createSource: feedOf })
  return {
    environments: withStatuses(fetched, () => standings),
    fetch(names, isSettled) {
      fetching = { tokens: names.map(toFetchingToken), isSettled }
      for (const name of feeds.keys()) if (!names.includes(name)) feeds.delete(name)
      for (const changed of [...listeners]) changed()
    },
    accept: (sent) => feedOf(sent.environment).accept(sent),
    setStatuses(next) {
      standings = next
      for (const { environment, lastError } of next) feeds.get(environment)?.updateError(lastError)
    },
    isCaughtUp: () => [...feeds].every(([name, feed]) => !feed.hasFlags || fetched.has(name)),
  }
}

/** Creates a token that stands for all tokens with which the primary process fetches an environment. */
function toFetchingToken(environment: string): FetchingToken {
  return { text: environment, id: environment, environment, projects: ['*'] }
}

function withStatuses(own: Environments, standings: Environments['listStatuses']): Environments {
  return {
    get: (environment) => own.get(environment),
    peek: (environment) => own.peek(environment),
    has: (environment) => own.has(environment),
    completeUpTo: (environment) => own.completeUpTo(environment),
    settled: (environment) => own.settled(environment),
    findTouchedSince: (environment, revision) => own.findTouchedSince(environment, revision),
    subscribe: (listener) => own.subscribe(listener),
    listStatuses: standings,
    findUpstreamNumber: (environment, revision) => own.findUpstreamNumber(environment, revision),
    documents: () => own.documents(),
    restore: (kept) => own.restore(kept),
    refresh: () => own.refresh(),
    close: () => own.close(),
  }
}

/**
 * Flags of one environment, as sent by the primary process. Messages are parsed one after the other, because parsing is
 * asynchronous.
 */
class Feed implements ConfigurationSource {
  readonly #texts = new DocumentParser()
  #listener: ConfigurationListener | undefined
  #last: SentEnvironment | undefined
  #lastErrorAtMs: number | undefined
  #passing: Promise<void> = Promise.resolve()

  get hasFlags(): boolean {
    return this.#last !== undefined
  }

  start(listener: ConfigurationListener): void {
    this.#listener = listener
    if (this.#last !== undefined) this.#pass(this.#last)
  }

  async stop(): Promise<void> {
    this.#listener = undefined
  }

  accept(sent: SentEnvironment): void {
    this.#last = sent
    if (this.#listener !== undefined) this.#pass(sent)
  }

  updateError(lastError: EnvironmentStatus['lastError']): void {
    if (lastError === undefined) this.#listener?.confirm()
    else if (lastError.atMs !== this.#lastErrorAtMs) this.#listener?.fail(new Error(lastError.message))
    this.#lastErrorAtMs = lastError?.atMs
  }

  #pass({ text, revision: { epoch, id } }: SentEnvironment): void {
    this.#passing = this.#passing
      .then(async () => {
        const value = await this.#texts.parse(text)
        this.#listener?.accept(parseFeatureDocument(value), 'upstream', { lineage: epoch, epoch, number: id })
      })
      .catch((error: Error) => this.#listener?.fail(error))
  }
}
