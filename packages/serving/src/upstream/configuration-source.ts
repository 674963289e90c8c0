import type { FeatureDocument } from '../document/feature-document.ts'
import type { Origin } from '../document/origin.ts'
import type { TaggedRevision } from '../document/revision-tag.ts'

// biome-ignore lint/suspicious/noConfusingVoidType: callbacks may return nothing
type Nothing = void
/**
 * Result of passing a new configuration to a listener. A promise that resolves with true means that the configuration
 * is used. Most listeners return nothing.
 */
export type AcceptResult = Nothing | Promise<boolean>

/** Listener that receives new configurations and the status of synchronization. */
export interface ConfigurationListener {
  /**
   * Receives a new configuration whose outer structure was already validated. The configuration comes from the upstream
   * unless `origin` says otherwise. `revision` is the revision at the upstream, if known. If the result resolves with
   * false, the configuration could not be used, and the source requests it again.
   */
  accept(document: FeatureDocument, origin?: Origin, revision?: TaggedRevision): AcceptResult
  /** Called after the upstream has confirmed the configuration in use. */
  confirm(): void
  /** Called after a request to the upstream has failed. The configuration in use remains unchanged. */
  fail(error: Error): void
}

/** Source of configurations: either an upstream over HTTP, or a server in the same process. */
export interface ConfigurationSource {
  /** True if a stream from the upstream delivers changes; undefined if no stream is wanted. */
  readonly isFollowing?: boolean
  start(listener: ConfigurationListener): void
  /** Retries immediately instead of at the next interval; called after a change that may make the request succeed. */
  refresh?(): void
  /** Stops the source. The listener is not called after this method returns. */
  stop(): Promise<void>
}

/** Stream through which the upstream sends changes. */
export interface FollowedStream {
  /** True if the stream is up to date, and has delivered something within the last half minute. */
  readonly isAlive: boolean
  /** Number of the latest change that the stream or a poll has delivered; 0 if unknown. */
  readonly revisionId: number
  /** True if the stream has delivered another configuration since the last poll that was reported. */
  readonly hasReplacedPoll: boolean
  /** Reports a poll: a new configuration with its ETag, or undefined if the configuration is unchanged. */
  recordPoll(answer: { readonly document: FeatureDocument; readonly etag: string | undefined } | undefined): void
}
