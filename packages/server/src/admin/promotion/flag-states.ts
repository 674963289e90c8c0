import type { FlagState } from '@burgee/protocol/administration/promotion'
import type { VariantDefinition } from '@burgee/protocol/feature'
import { Problem, type ProblemDetail } from '@burgee/protocol/problem'
import type { Reader } from '@burgee/storage/database'
import { listFeaturesByName } from '@burgee/storage/queries/flags/features'
import type { StrategyRow } from '@burgee/storage/queries/flags/strategies'
import { listLastingStrategies, listStatesInEnvironment } from '@burgee/storage/queries/transfer/feature-reads'
import { hashState } from '../change-requests/conflict-bases.ts'
import { createFlagNotFound, requireNotArchived } from '../flags/feature-ref.ts'
import { toAdminStrategy } from '../flags/feature-views.ts'

/** Stored state of a flag in an environment. */
export interface StateRows {
  readonly enabled: boolean
  /** Strategies in sort order. */
  readonly strategies: readonly StrategyRow[]
  readonly variants: readonly VariantDefinition[]
}

const NO_STATE: StateRows = { enabled: false, strategies: [], variants: [] }

/** Reads the states of flags in an environment, keyed by flag name. Runs two queries, and more for many flags. */
export async function readStates(
  reader: Reader,
  names: readonly string[],
  environment: string,
): Promise<(name: string) => StateRows> {
  const states = new Map(
    (await listStatesInEnvironment(reader, names, environment)).map((row) => [row.feature_name, row]),
  )
  const strategies = Map.groupBy(await listLastingStrategies(reader, names, environment), (row) => row.feature_name)
  return (name) => {
    const state = states.get(name)
    if (state === undefined) return NO_STATE
    return { enabled: state.enabled === 1, variants: state.variants, strategies: strategies.get(name) ?? [] }
  }
}

/** Converts a state to its API form. */
export function toFlagState({ enabled, strategies, variants }: StateRows): FlagState {
  return { enabled, strategies: strategies.map(toAdminStrategy), variants: variants as FlagState['variants'] }
}

/** Returns a hash of a state. The hash changes whenever the state changes. */
export function hashFlagState({ enabled, strategies, variants }: StateRows): string {
  return hashState([enabled, variants, strategies.map(({ created_at: _, ...row }) => row)])
}

/** Throws NotFoundError if a named flag is archived or not in the project. */
export async function requireLiveFlags(reader: Reader, project: string, names: readonly string[]): Promise<void> {
  const rows = new Map((await listFeaturesByName(reader, names)).map((row) => [row.name, row]))
  for (const feature of names) {
    const row = rows.get(feature)
    if (row === undefined || row.project !== project) throw createFlagNotFound({ project, feature })
    requireNotArchived(row)
  }
}

/** Creates the error for flags that have changed since they were read; `details` describes each change. */
export function createMovedOn(details: readonly ProblemDetail[]): Problem {
  const [first] = details
  const more = details.length === 1 ? '' : ` And ${details.length - 1} more.`
  const message = `Nothing was changed, because flags have changed since they were read: ${first?.message}${more}`
  return new Problem('ConflictError', message, { details })
}
