import type { FlagState } from '@burgee/protocol/administration/promotion'
import type { VariantDefinition } from '@burgee/protocol/feature'
import { Problem, type ProblemDetail } from '@burgee/protocol/problem'
import type { Reader } from '../../store/database.ts'
import { featuresNamed } from '../../store/features/features.ts'
import type { StrategyRow } from '../../store/features/strategies.ts'
import { statesIn, strategiesIn } from '../../store/transfer/feature-material.ts'
import { hashOf } from '../change-requests/bases.ts'
import { flagNotThere, live } from '../features/feature-ref.ts'
import { strategyView } from '../features/feature-views.ts'

/** A flag in an environment, as it is stored. */
export interface StateRows {
  readonly enabled: boolean
  /** In their order. */
  readonly strategies: readonly StrategyRow[]
  readonly variants: readonly VariantDefinition[]
}

const NOTHING: StateRows = { enabled: false, strategies: [], variants: [] }

/** What flags are in an environment, by name; two queries, and some more for many flags. */
export async function statesOf(
  reader: Reader,
  names: readonly string[],
  environment: string,
): Promise<(name: string) => StateRows> {
  const states = new Map((await statesIn(reader, names, environment)).map((row) => [row.feature_name, row]))
  const strategies = Map.groupBy(await strategiesIn(reader, names, environment), (row) => row.feature_name)
  return (name) => {
    const state = states.get(name)
    if (state === undefined) return NOTHING
    return { enabled: state.enabled === 1, variants: state.variants, strategies: strategies.get(name) ?? [] }
  }
}

/** The same for people. */
export function stateView({ enabled, strategies, variants }: StateRows): FlagState {
  return { enabled, strategies: strategies.map(strategyView), variants: variants as FlagState['variants'] }
}

/** Names a state: another one has another name. */
export function nameOfState({ enabled, strategies, variants }: StateRows): string {
  return hashOf([enabled, variants, strategies.map(({ created_at: _, ...row }) => row)])
}

/** Refuses names that are none of the flags of a project, or archived. Throws NotFoundError. */
export async function requireLiveFlags(reader: Reader, project: string, names: readonly string[]): Promise<void> {
  const rows = new Map((await featuresNamed(reader, names)).map((row) => [row.name, row]))
  for (const feature of names) {
    const row = rows.get(feature)
    if (row === undefined || row.project !== project) throw flagNotThere({ project, feature })
    live(row)
  }
}

/** Flags that are not any more as they were seen, each with what has changed. */
export function movedOn(details: readonly ProblemDetail[]): Problem {
  const [first] = details
  const more = details.length === 1 ? '' : ` And ${details.length - 1} more.`
  const message = `Nothing was changed, for flags have moved on since you looked: ${first?.message}${more}`
  return new Problem('ConflictError', message, { details })
}
