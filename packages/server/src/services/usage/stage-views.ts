import type { FeatureStage } from '@burgee/protocol/administration/feature-stage'
import type { FeatureRow } from '../../store/features/features.ts'
import type { StageRow } from '../../store/usage/stages.ts'

type Lived = Pick<FeatureRow, 'created_at' | 'archived_at'>

/** Returns the stages of a flag in order of time, from creation to archiving. `reached` contains the stored stages. */
export function stageViews({ created_at: born, archived_at: archived }: Lived, reached: readonly StageRow[]) {
  const stages: FeatureStage[] = [{ stage: 'initial', enteredStageAt: timeOf(born) }, ...reached.map(stageView)]
  if (archived !== null) stages.push({ stage: 'archived', enteredStageAt: timeOf(archived) })
  return stages
}

const RANKS: readonly FeatureStage['stage'][] = ['initial', 'pre-live', 'live', 'completed', 'archived']

/**
 * Returns the stages that advanced the lifecycle, oldest first: a stage that was entered late is omitted, because a
 * completed flag may still be evaluated.
 */
export function stageSteps(flag: Lived, reached: readonly StageRow[]): FeatureStage[] {
  let furthest = -1
  return stageViews(flag, reached).filter(({ stage }) => {
    const rank = RANKS.indexOf(stage)
    if (rank <= furthest) return false
    furthest = rank
    return true
  })
}

/** Returns the furthest stage that a flag has reached. */
export function stageNow(flag: Lived, reached: readonly StageRow[]): FeatureStage {
  return stageSteps(flag, reached).at(-1) ?? { stage: 'initial', enteredStageAt: timeOf(flag.created_at) }
}

/** Converts a stored stage. */
export function stageView({ stage, entered_at, status, status_value }: StageRow): FeatureStage {
  return {
    stage,
    enteredStageAt: timeOf(entered_at),
    ...(status === null ? {} : { status: status === 'discarded' ? 'discarded' : 'kept' }),
    ...(status_value === null ? {} : { statusValue: status_value }),
  }
}

const timeOf = (millis: number) => new Date(Number(millis)).toISOString()
