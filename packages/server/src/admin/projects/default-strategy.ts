import type { DefaultStrategy } from '@burgee/protocol/targeting/strategy'
import type { Reader } from '@burgee/storage/database'
import { findDefaultStrategy, type ProjectEnvironmentKey } from '@burgee/storage/queries/projects/environments'

const FULL_ROLLOUT: DefaultStrategy = { name: 'flexibleRollout', parameters: { rollout: '100' } }

/**
 * Returns true if a flag would be enabled without an enabled strategy. `isActivating` means that enabling the flag also
 * enables its disabled strategies.
 */
export function lacksStrategy(strategies: readonly { readonly disabled: number }[], isActivating: boolean): boolean {
  const disabled = strategies.filter((strategy) => strategy.disabled === 1).length
  return disabled === strategies.length && !(isActivating && disabled > 0)
}

/**
 * Returns the strategy for a flag that is enabled without a strategy: the default strategy of the project in the
 * environment or, if there is no default, a strategy for everyone.
 */
export async function readDefaultStrategy(reader: Reader, place: ProjectEnvironmentKey): Promise<DefaultStrategy> {
  return (await findDefaultStrategy(reader, place)) ?? FULL_ROLLOUT
}
