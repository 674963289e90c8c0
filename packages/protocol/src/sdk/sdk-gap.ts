import Type, { type Static } from 'typebox'
import { SDK_ABILITIES, type SdkAbility } from './sdk-abilities.ts'

/** A part of flags that an SDK does not know. */
export const SdkLackOfAbility = Type.Object({
  ability: Type.Enum(Object.keys(SDK_ABILITIES) as SdkAbility[]),
  /** What the SDK does instead: `off`, `on`, `throws` or `ignored`. */
  outcome: Type.Enum(['off', 'on', 'throws', 'ignored']),
  /** First version that knows it; null where none does yet. */
  knownFrom: Type.Union([Type.String(), Type.Null()]),
  /** Ids of the strategies of the flag in this environment that take it. */
  strategies: Type.Array(Type.String()),
  /** True if the flag takes it there: by one of these strategies, or by its parents. */
  isUsed: Type.Boolean(),
  /** What that means, in a sentence. */
  message: Type.String(),
})
export type SdkLackOfAbility = Static<typeof SdkLackOfAbility>

/** An application that has asked for a flag lately, by an SDK that does not know every part that a flag may have. */
export const SdkGap = Type.Object({
  appName: Type.String(),
  environment: Type.String(),
  sdkVersion: Type.String(),
  lacks: Type.Array(SdkLackOfAbility),
})
export type SdkGap = Static<typeof SdkGap>
