import { type EvaluationProfile, findProfile } from '@burgee/protocol/evaluation-profile'

/** Evaluation profile in use, which can change at run time. */
export interface ProfileInUse {
  readonly current: EvaluationProfile
  /** Calls `changed` after each change. Returns a function that unsubscribes the listener. */
  subscribe(changed: () => void): () => void
}

/** Places from which the profile can come, in order of precedence. */
export interface ProfileOrigins {
  /** Set by option. */
  readonly configured: EvaluationProfile | undefined
  /** Profile to use if the upstream announces none. */
  readonly fallback: EvaluationProfile
}

/**
 * Profile set by an option, or else the profile that the upstream announces, so that all nodes of one server evaluate
 * in the same way. An announced profile remains in effect until the next announcement, because some servers behind a
 * load balancer may not announce a profile yet.
 */
export class AnnouncedProfile implements ProfileInUse {
  readonly #origins: ProfileOrigins
  readonly #subscribers = new Set<() => void>()
  #announced: EvaluationProfile | undefined

  constructor(origins: ProfileOrigins) {
    this.#origins = origins
  }

  get current(): EvaluationProfile {
    return this.#origins.configured ?? this.#announced ?? this.#origins.fallback
  }

  /** Last announced profile; undefined before the first announcement. */
  get announced(): EvaluationProfile | undefined {
    return this.#announced
  }

  /**
   * Applies the evaluation profile that a response announces. Has no effect if the response announces no profile.
   * Ignores unknown names.
   */
  applyAnnouncement(name: string | null | undefined): void {
    const before = this.current
    this.#announced = findProfile(name) ?? this.#announced
    if (this.current !== before) for (const changed of [...this.#subscribers]) changed()
  }

  subscribe(changed: () => void): () => void {
    const follower = () => changed()
    this.#subscribers.add(follower)
    return () => void this.#subscribers.delete(follower)
  }
}

/** Returns a profile that never changes. */
export function createFixedProfile(profile: EvaluationProfile): ProfileInUse {
  return { current: profile, subscribe: () => () => {} }
}
