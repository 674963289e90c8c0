import { SDK_ABILITIES, type SdkAbility, type SdkOutcome } from './sdk-abilities.ts'

const IGNORED: Readonly<Partial<Record<SdkAbility, string>>> = {
  inverted: 'the constraint is evaluated without its inversion',
  strategyVariants: 'the flag has no variant of the strategy',
  parents: 'the flag is on regardless of its parent',
  parentVariants: 'the flag is on with any variant of its parent',
}

/** Describes what an SDK does with a part that it does not support. */
export function describeOutcome(ability: SdkAbility, outcome: SdkOutcome): string {
  if (outcome === 'off') return 'the strategy is off for everyone'
  if (outcome === 'on') return 'the constraint counts as met, so that the strategy may be on for everyone'
  if (outcome === 'throws') return 'the call fails'
  return IGNORED[ability] ?? 'it is skipped'
}

/** Describes a part of flags that an SDK does not support, and what the SDK does with it. */
export function describeLack({
  ability,
  outcome,
  knownFrom,
}: {
  readonly ability: SdkAbility
  readonly outcome: SdkOutcome
  readonly knownFrom: string | null
}): string {
  const from = knownFrom === null ? '' : ` (supported from ${knownFrom})`
  return `${SDK_ABILITIES[ability]}: not supported by this version of the SDK${from}; ${describeOutcome(ability, outcome)}`
}
