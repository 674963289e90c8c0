import type { FeatureDocument } from '../document/feature-document.ts'
import type { TaggedRevision } from '../document/revision-tag.ts'
import type { ConfigurationListener, ConfigurationSource } from './configuration-source.ts'
import { PollingSource, type PollingSourceDeps } from './polling-source.ts'
import { StreamFollower, type StreamFollowerDeps } from './stream-follower.ts'

/** Dependencies of a `FollowingSource`, both for polling and for the stream. */
export interface FollowingSourceDeps
  extends PollingSourceDeps,
    Pick<StreamFollowerDeps, 'namePrefix' | 'silenceMs' | 'tokens'> {}

/**
 * Source that polls an upstream at the normal interval until a stream delivers changes, and then only once a minute.
 * Returns to the normal interval when the stream is interrupted. If the upstream offers no stream, the interval stays
 * the same.
 */
export class FollowingSource implements ConfigurationSource {
  readonly #polling: PollingSource
  readonly #follower: StreamFollower
  #listener: ConfigurationListener | undefined
  #polledRevision: TaggedRevision | undefined

  constructor(deps: FollowingSourceDeps) {
    this.#follower = new StreamFollower(deps, (document) => {
      void this.#accept(document)
    })
    this.#polling = new PollingSource({ ...deps, stream: this.#follower })
  }

  get isFollowing(): boolean {
    return this.#follower.isAlive
  }

  start(listener: ConfigurationListener): void {
    this.#listener = listener
    this.#polling.start({
      accept: (document, origin, revision) => {
        this.#polledRevision = revision
        return listener.accept(document, origin, revision)
      },
      confirm: () => listener.confirm(),
      fail: (error) => listener.fail(error),
    })
  }

  refresh(): void {
    this.#polling.refresh()
    this.#follower.refresh()
  }

  async stop(): Promise<void> {
    this.#listener = undefined
    await Promise.all([this.#polling.stop(), this.#follower.stop()])
  }

  async #accept(document: FeatureDocument): Promise<void> {
    if ((await this.#listener?.accept(document, 'upstream', this.#getStreamRevision())) === false)
      this.#polling.forget()
  }

  /** Stream events and polls use the same numbers for changes, but only polls report the database epoch. */
  #getStreamRevision(): TaggedRevision | undefined {
    const number = this.#follower.revisionId
    return this.#polledRevision === undefined || number === 0 ? undefined : { ...this.#polledRevision, number }
  }
}
