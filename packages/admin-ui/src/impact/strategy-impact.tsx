import type { AdminStrategy, StrategyInput } from '@burgee/protocol/targeting/strategy'
import { useQuery } from '@tanstack/react-query'
import type { FlagEnvironment } from '../api/flags.ts'
import { getFlagQuery } from '../api/queries.ts'
import { useCatalogue } from '../text/texts.tsx'
import { calculateEffect, type FlagSide, type StrategyRule } from './edit-effect.ts'
import { ImpactLine } from './impact-line.tsx'
import { IMPACT_TEXTS } from './texts.ts'

interface Props {
  readonly place: FlagEnvironment
  /** Id of the replaced strategy; undefined for a new strategy. */
  readonly id: string | undefined
  readonly strategy: StrategyInput
  /** True if the strategy is valid and can be saved. */
  readonly isReady: boolean
}

/** Effect of saving a strategy. */
export function StrategyImpact({ place, id, strategy, isReady }: Props) {
  const t = useCatalogue(IMPACT_TEXTS)
  const { data: flag } = useQuery(getFlagQuery(place))
  const there = flag?.environments.find(({ name }) => name === place.environment)
  const sentence =
    there === undefined
      ? undefined
      : t.effect(
          calculateEffect({ isOn: there.enabled, strategies: there.strategies }, getSideAfter(there, id, strategy)),
          place.environment,
        )
  const edit = { strategy: { ...strategy, ...(id === undefined ? {} : { id }) } }
  return <ImpactLine place={place} edit={edit} isReady={isReady} sentence={sentence} />
}

/** Returns the flag after the edit. Disabling the last enabled strategy turns the flag off. */
function getSideAfter(
  { enabled, strategies }: { readonly enabled: boolean; readonly strategies: readonly AdminStrategy[] },
  id: string | undefined,
  strategy: StrategyInput,
): FlagSide {
  const { name, parameters = {}, segments = [], disabled } = strategy
  const constraints = (strategy.constraints ?? []) as StrategyRule['constraints']
  const ruling: StrategyRule = { id, name, parameters, constraints, segments, disabled: disabled === true }
  const edited = id === undefined ? [...strategies, ruling] : strategies.map((one) => (one.id === id ? ruling : one))
  return { isOn: enabled && edited.some((one) => !one.disabled), strategies: edited }
}
