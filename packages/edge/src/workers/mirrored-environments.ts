import type { Debug, Logger } from '@burgee/kit/log/logger'
import { readDocument } from '@burgee/serving/document/feature-document'
import type { ConfigurationListener, ConfigurationSource } from '@burgee/serving/upstream/configuration-source'
import { DocumentTexts } from '@burgee/serving/upstream/document-text'
import { createEnvironments } from '../environments/edge-environments.ts'
import type { EnvironmentStanding, Environments } from '../environments/environments.ts'
import type { FetchingToken, FetchingTokens } from '../environments/fetching-tokens.ts'
import type { SentEnvironment } from './messages.ts'

/** What the environments of a worker need. */
export interface MirroredEnvironmentsDeps {
  readonly firstDataLimitMs: number
  readonly clock: () => number
  readonly random: () => number
  readonly logger: Logger
  readonly debug?: Debug | undefined
}

/** The environments of a worker, and what the primary process says of them. */
export interface MirroredEnvironments {
  readonly environments: Environments
  /** Flags are fetched for these, and it is known for certain or not. */
  fetch(names: readonly string[], isSettled: boolean): void
  /** All flags of an environment. */
  accept(sent: SentEnvironment): void
  /** How it stands with the upstream. */
  note(standings: readonly EnvironmentStanding[]): void
  /** Whether all flags that have come are in use. */
  isCaughtUp(): boolean
}

/**
 * Keeps the flags of the primary process's environments, each as if it were fetched with one token: revisions are passed
 * through, so that all workers give the same tags and numbers.
 */
export function mirrorEnvironments(deps: MirroredEnvironmentsDeps): MirroredEnvironments {
  const feeds = new Map<string, Feed>()
  const listeners = new Set<() => void>()
  let fetching: { readonly tokens: readonly FetchingToken[]; readonly isSettled: boolean } = {
    tokens: [],
    isSettled: false,
  }
  let standings: readonly EnvironmentStanding[] = []
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
  const fetched = createEnvironments({ ...deps, fetching: tokens, sourceOf: feedOf })
  return {
    environments: withStandings(fetched, () => standings),
    fetch(names, isSettled) {
      fetching = { tokens: names.map(tokenFor), isSettled }
      for (const name of feeds.keys()) if (!names.includes(name)) feeds.delete(name)
      for (const changed of [...listeners]) changed()
    },
    accept: (sent) => feedOf(sent.environment).accept(sent),
    note(next) {
      standings = next
      for (const { environment, lastError } of next) feeds.get(environment)?.note(lastError)
    },
    isCaughtUp: () => [...feeds].every(([name, feed]) => !feed.hasFlags || fetched.has(name)),
  }
}

/** The primary process has fetched it, with whichever tokens. */
function tokenFor(environment: string): FetchingToken {
  return { text: environment, id: environment, environment, projects: ['*'] }
}

function withStandings(own: Environments, standings: Environments['standings']): Environments {
  return {
    of: (environment) => own.of(environment),
    known: (environment) => own.known(environment),
    has: (environment) => own.has(environment),
    completeUpTo: (environment) => own.completeUpTo(environment),
    settled: (environment) => own.settled(environment),
    touchedAfter: (environment, revision) => own.touchedAfter(environment, revision),
    subscribe: (listener) => own.subscribe(listener),
    standings,
    documents: () => own.documents(),
    restore: (kept) => own.restore(kept),
    refresh: () => own.refresh(),
    close: () => own.close(),
  }
}

/** The flags of one environment as they come from the primary process, one after the other, because reading takes time. */
class Feed implements ConfigurationSource {
  readonly #texts = new DocumentTexts()
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

  note(lastError: EnvironmentStanding['lastError']): void {
    if (lastError === undefined) this.#listener?.confirm()
    else if (lastError.atMs !== this.#lastErrorAtMs) this.#listener?.fail(new Error(lastError.message))
    this.#lastErrorAtMs = lastError?.atMs
  }

  #pass({ text, revision: { epoch, id } }: SentEnvironment): void {
    this.#passing = this.#passing
      .then(async () => {
        const value = await this.#texts.read(text)
        this.#listener?.accept(readDocument(value), 'upstream', { lineage: epoch, epoch, number: id })
      })
      .catch((error: Error) => this.#listener?.fail(error))
  }
}
