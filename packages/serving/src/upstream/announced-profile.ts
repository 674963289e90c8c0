import { type EvaluationProfile, findProfile } from '@burgee/protocol/evaluation-profile'

/** The evaluation profile in use, which can change at run time. */
export interface ProfileInUse {
  readonly current: EvaluationProfile
  /** Calls `changed` after each change. Returns a function that unsubscribes the listener. */
  subscribe(changed: () => void): () => void
}

/** Sources of the profile, in order of precedence. */
export interface ProfileOrigins {
  /** Set by option. */
  readonly configured: EvaluationProfile | undefined
  /** Used if the upstream announces no profile. */
  readonly fallback: EvaluationProfile
}

/**
 * Profile set by option, otherwise the profile that the upstream announces, so that all nodes of one server evaluate in
 * the same way. An announcement stays in effect until the next announcement, because behind a load balancer, some
 * servers may not announce a profile yet.
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

  /** Last announcement; undefined before the first announcement. */
  get announced(): EvaluationProfile | undefined {
    return this.#announced
  }

  /**
   * Applies the profile that a response announces. Does nothing if the response announces no profile. Ignores unknown
   * names.
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
