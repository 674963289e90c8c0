/**
 * Evaluation profiles: decision rules for cases in which SDKs differ. `node` matches the Node SDK, the client proxy and
 * the server. `yggdrasil` matches the engine of Unleash Edge and of the SDKs for Java, Python, Ruby, .NET and PHP.
 */
export const EVALUATION_PROFILES = ['node', 'yggdrasil'] as const

/** Name of an evaluation profile. */
export type EvaluationProfile = (typeof EVALUATION_PROFILES)[number]

/** Response header in which a server announces its evaluation profile to an edge or proxy in front of it. */
export const PROFILE_HEADER = 'x-burgee-evaluation-profile'

/** Returns the profile with this name, or undefined. */
export function findProfile(name: string | null | undefined): EvaluationProfile | undefined {
  return EVALUATION_PROFILES.find((profile) => profile === name)
}
