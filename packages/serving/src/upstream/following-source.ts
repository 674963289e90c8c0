import {
  type ConfigurationListener,
  type ConfigurationSource,
  PollingSource,
  type PollingSourceDeps,
} from './configuration-source.ts'
import { StreamFollower, type StreamFollowerDeps } from './stream-follower.ts'

/** What a source that follows a stream needs besides what polling does. */
export interface FollowingSourceDeps extends PollingSourceDeps, Pick<StreamFollowerDeps, 'namePrefix' | 'silenceMs'> {}

/**
 * Polls an upstream until its stream tells of changes, and then once a minute; at the old pace as soon as the stream is
 * gone. An upstream without a stream is polled as ever.
 */
export class FollowingSource implements ConfigurationSource {
  readonly #polling: PollingSource
  readonly #follower: StreamFollower
  #listener: ConfigurationListener | undefined

  constructor(deps: FollowingSourceDeps) {
    this.#follower = new StreamFollower(deps, (document) => {
      this.#listener?.accept(document)
    })
    this.#polling = new PollingSource({ ...deps, stream: this.#follower })
  }

  get isFollowing(): boolean {
    return this.#follower.isAlive
  }

  start(listener: ConfigurationListener): void {
    this.#listener = listener
    this.#polling.start(listener)
  }

  refresh(): void {
    this.#polling.refresh()
    this.#follower.refresh()
  }

  async stop(): Promise<void> {
    this.#listener = undefined
    await Promise.all([this.#polling.stop(), this.#follower.stop()])
  }
}
