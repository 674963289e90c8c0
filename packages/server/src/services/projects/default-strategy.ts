import type { DefaultStrategy } from '@burgee/protocol/project'
import type { Reader } from '../../store/database.ts'
import { defaultStrategyOf, type ProjectPlace } from '../../store/projects/environments.ts'

const EVERYBODY: DefaultStrategy = { name: 'flexibleRollout', parameters: { rollout: '100' } }

/** Whether a flag that is turned on has no enabled strategy then; `isActivating`: disabled ones are enabled by it. */
export function lacksStrategy(strategies: readonly { readonly disabled: number }[], isActivating: boolean): boolean {
  const disabled = strategies.filter((strategy) => strategy.disabled === 1).length
  return disabled === strategies.length && !(isActivating && disabled > 0)
}

/** What a flag gets that is turned on without a strategy: its project's default there, else everybody. */
export async function defaultStrategyFor(reader: Reader, place: ProjectPlace): Promise<DefaultStrategy> {
  return (await defaultStrategyOf(reader, place)) ?? EVERYBODY
}
