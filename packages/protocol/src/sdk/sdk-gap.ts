import Type, { type Static } from 'typebox'
import { SDK_ABILITIES, type SdkAbility } from './sdk-abilities.ts'

/** Part of flags that an SDK does not support. */
export const SdkLackOfAbility = Type.Object({
  ability: Type.Enum(Object.keys(SDK_ABILITIES) as SdkAbility[]),
  /** Behavior of the SDK for this part: `off`, `on`, `throws` or `ignored`. */
  outcome: Type.Enum(['off', 'on', 'throws', 'ignored']),
  /** First version that supports the part; null if no version does yet. */
  knownFrom: Type.Union([Type.String(), Type.Null()]),
  /** Ids of the flag's strategies in this environment that require the part. */
  strategies: Type.Array(Type.String()),
  /**
   * True if the flag requires the part in this environment, through one of the listed strategies or through a parent.
   */
  isUsed: Type.Boolean(),
  /** Sentence that describes the consequence. */
  message: Type.String(),
})
export type SdkLackOfAbility = Static<typeof SdkLackOfAbility>

/** Application that has used a flag recently with an SDK that does not support every possible part of a flag. */
export const SdkGap = Type.Object({
  appName: Type.String(),
  environment: Type.String(),
  sdkVersion: Type.String(),
  lacks: Type.Array(SdkLackOfAbility),
})
export type SdkGap = Static<typeof SdkGap>
