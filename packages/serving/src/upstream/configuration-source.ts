import type { FeatureDocument } from '../document/feature-document.ts'
import type { Origin } from '../document/origin.ts'
import type { TaggedRevision } from '../document/revision-tag.ts'

// biome-ignore lint/suspicious/noConfusingVoidType: callbacks may return nothing
type Nothing = void
/**
 * Result of a listener for a new configuration. A promise resolves with true if the configuration is used. Most
 * listeners return nothing.
 */
export type AcceptResult = Nothing | Promise<boolean>

/** Listener to new configurations and to the status of synchronization. */
export interface ConfigurationListener {
  /**
   * Accepts a new configuration with a validated envelope. The configuration comes from the upstream unless `origin`
   * says otherwise.
   * `revision` is the upstream's revision, if known. If the result resolves to false, the configuration could not be
   * used for any reason, and the source requests it again.
   */
  accept(document: FeatureDocument, origin?: Origin, revision?: TaggedRevision): AcceptResult
  /** Called when the upstream has confirmed the configuration in use. */
  confirm(): void
  /** Called when an attempt has failed. The configuration in use stays. */
  fail(error: Error): void
}

/** Source of configurations: an upstream over HTTP, or a server in the same process. */
export interface ConfigurationSource {
  /** True if an upstream stream delivers changes; undefined if no stream is requested. */
  readonly isFollowing?: boolean
  start(listener: ConfigurationListener): void
  /** Retries now instead of at the next interval, because the request may succeed after a change. */
  refresh?(): void
  /** Stops the source. The listener is not called afterwards. */
  stop(): Promise<void>
}

/** A stream through which the upstream sends changes. */
export interface FollowedStream {
  /** True if the stream is up to date and has been active within the last half minute. */
  readonly isAlive: boolean
  /** Number of the newest change known from the stream or from polls; 0 if unknown. */
  readonly revisionId: number
  /** True if the stream has delivered a different configuration since the last reported poll. */
  readonly hasReplacedPoll: boolean
  /** Reports a poll: the new configuration with its ETag, or undefined if the current configuration stays. */
  recordPoll(answer: { readonly document: FeatureDocument; readonly etag: string | undefined } | undefined): void
}
