import { type EvaluationProfile, profileNamed } from '@burgee/protocol/evaluation-profile'

/** The evaluation profile in use, which may change while flags are served. */
export interface ProfileInUse {
  readonly current: EvaluationProfile
  /** Calls `changed` after each change; the result ends that. */
  follow(changed: () => void): () => void
}

/** Where a profile comes from, the first one first. */
export interface ProfileOrigins {
  /** By option. */
  readonly configured: EvaluationProfile | undefined
  /** In front of an upstream that announces none. */
  readonly fallback: EvaluationProfile
}

/**
 * Profile by option, else as the upstream announces it, so that everything in front of one server decides alike. An
 * announcement counts until the next one: some server behind a load balancer may not announce yet.
 */
export class AnnouncedProfile implements ProfileInUse {
  readonly #origins: ProfileOrigins
  readonly #followers = new Set<() => void>()
  #announced: EvaluationProfile | undefined

  constructor(origins: ProfileOrigins) {
    this.#origins = origins
  }

  get current(): EvaluationProfile {
    return this.#origins.configured ?? this.#announced ?? this.#origins.fallback
  }

  /** The last announcement; undefined before the first one. */
  get announced(): EvaluationProfile | undefined {
    return this.#announced
  }

  /** Takes the announcement of a reply, if there is one. Unknown names are ignored. */
  hear(name: string | null | undefined): void {
    const before = this.current
    this.#announced = profileNamed(name) ?? this.#announced
    if (this.current !== before) for (const changed of [...this.#followers]) changed()
  }

  follow(changed: () => void): () => void {
    const follower = () => changed()
    this.#followers.add(follower)
    return () => void this.#followers.delete(follower)
  }
}

/** Returns a profile that never changes. */
export function fixedProfile(profile: EvaluationProfile): ProfileInUse {
  return { current: profile, follow: () => () => {} }
}
