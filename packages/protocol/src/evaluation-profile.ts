/**
 * Evaluation profiles: how flags are decided where SDKs differ. `node` decides as the Node SDK, the client proxy and the
 * server do; `yggdrasil` as the engine of Unleash Edge and of the SDKs for Java, Python, Ruby, .NET and PHP.
 */
export const EVALUATION_PROFILES = ['node', 'yggdrasil'] as const

/** Name of an evaluation profile. */
export type EvaluationProfile = (typeof EVALUATION_PROFILES)[number]

/** Response header by which a server announces its evaluation profile to an edge or proxy in front of it. */
export const PROFILE_HEADER = 'x-burgee-evaluation-profile'

/** Returns the profile of this name, or undefined. */
export function profileNamed(name: string | null | undefined): EvaluationProfile | undefined {
  return EVALUATION_PROFILES.find((profile) => profile === name)
}
