import Type, { type Static } from 'typebox'
import { SDK_ABILITIES, type SdkAbility } from './sdk-abilities.ts'

/** Part of flags that an SDK does not support. */
export const SdkLackOfAbility = Type.Object({
  ability: Type.Enum(Object.keys(SDK_ABILITIES) as SdkAbility[]),
  /** Behavior of the SDK for this part: `off`, `on`, `throws` or `ignored`. */
  outcome: Type.Enum(['off', 'on', 'throws', 'ignored']),
  /** First version of the SDK that supports the part; null if no version supports it yet. */
  knownFrom: Type.Union([Type.String(), Type.Null()]),
  /**
   * Ids of the strategies of the flag in this environment that require the part. Includes strategies of milestones that
   * are not active.
   */
  strategies: Type.Array(Type.String()),
  /**
   * True if the flag requires the part in this environment, either through one of `strategies` or through a parent
   * flag.
   */
  isUsed: Type.Boolean(),
  /** Sentence that describes the consequence for users. */
  message: Type.String(),
})
export type SdkLackOfAbility = Static<typeof SdkLackOfAbility>

/** Application that has recently used a flag with an SDK that does not support all parts that flags can have. */
export const SdkGap = Type.Object({
  appName: Type.String(),
  environment: Type.String(),
  sdkVersion: Type.String(),
  lacks: Type.Array(SdkLackOfAbility),
})
export type SdkGap = Static<typeof SdkGap>
