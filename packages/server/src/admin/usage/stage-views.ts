import type { FeatureStage } from '@burgee/protocol/administration/feature-stage'
import type { FeatureRow } from '@burgee/storage/queries/flags/features'
import type { StageRow } from '@burgee/storage/queries/usage/stages'

type FlagLifetime = Pick<FeatureRow, 'created_at' | 'archived_at'>

/**
 * Returns the stages of a flag in order of time, from creation to archiving. `reached` contains the stages as stored.
 */
export function listStages({ created_at: born, archived_at: archived }: FlagLifetime, reached: readonly StageRow[]) {
  const stages: FeatureStage[] = [
    { stage: 'initial', enteredStageAt: formatTime(born) },
    ...reached.map(toFeatureStage),
  ]
  if (archived !== null) stages.push({ stage: 'archived', enteredStageAt: formatTime(archived) })
  return stages
}

const RANKS: readonly FeatureStage['stage'][] = ['initial', 'pre-live', 'live', 'completed', 'archived']

/**
 * Returns the stages that advanced the lifecycle, oldest first. Omits a stage that was entered after a later stage of
 * the lifecycle: for example, a completed flag can still be evaluated.
 */
export function listAdvancingStages(flag: FlagLifetime, reached: readonly StageRow[]): FeatureStage[] {
  let furthest = -1
  return listStages(flag, reached).filter(({ stage }) => {
    const rank = RANKS.indexOf(stage)
    if (rank <= furthest) return false
    furthest = rank
    return true
  })
}

/** Returns the furthest stage that a flag has reached. */
export function getCurrentStage(flag: FlagLifetime, reached: readonly StageRow[]): FeatureStage {
  return listAdvancingStages(flag, reached).at(-1) ?? { stage: 'initial', enteredStageAt: formatTime(flag.created_at) }
}

/** Converts a stored stage to its API form. */
export function toFeatureStage({ stage, entered_at, status, status_value }: StageRow): FeatureStage {
  return {
    stage,
    enteredStageAt: formatTime(entered_at),
    ...(status === null ? {} : { status: status === 'discarded' ? 'discarded' : 'kept' }),
    ...(status_value === null ? {} : { statusValue: status_value }),
  }
}

const formatTime = (millis: number) => new Date(Number(millis)).toISOString()
