/**
 * Evaluation profiles: sets of rules for cases in which SDKs decide differently. `node` matches the Node SDK, the
 * client proxy and the server. `yggdrasil` matches the engine of Unleash Edge and of the SDKs for Java, Python, Ruby,
 * .NET and PHP.
 */
export const EVALUATION_PROFILES = ['node', 'yggdrasil'] as const

/** Name of an evaluation profile. */
export type EvaluationProfile = (typeof EVALUATION_PROFILES)[number]

/** Response header in which a server sends the name of its evaluation profile to an edge or proxy. */
export const PROFILE_HEADER = 'x-burgee-evaluation-profile'

/** Returns the profile with the given name; undefined if there is none. */
export function findProfile(name: string | null | undefined): EvaluationProfile | undefined {
  return EVALUATION_PROFILES.find((profile) => profile === name)
}
