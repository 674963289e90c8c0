import type { CompleteFeature, FeatureStage } from '@burgee/protocol/administration/feature-stage'
import type { Reader } from '@burgee/storage/database'
import { listStageRows } from '@burgee/storage/queries/usage/stages'
import type { Change } from '../../core/execute.ts'
import { type FeatureRef, requireFeature, requireLive } from '../flags/feature-ref.ts'
import { listStages, toFeatureStage } from './stage-views.ts'

/** Returns the stages of a flag in order of time, from creation to archiving. Throws NotFoundError. */
export async function readFeatureStages(reader: Reader, ref: FeatureRef): Promise<FeatureStage[]> {
  return listStages(await requireFeature(reader, ref), await listStageRows(reader, ref.feature))
}

/** Flag to mark as completed, with the instructions for removing it from the code, which the event contains. */
export interface Completion extends FeatureRef {
  readonly body: CompleteFeature
  readonly brief: string
}

/**
 * Marks a flag as completed, replacing an earlier mark. Creates no event if the mark is unchanged. Does not affect
 * SDKs. Throws NotFoundError.
 */
export const completeFeature: Change<Completion, void> = async (tx, { body, brief, ...ref }, { now }) => {
  await requireLive(tx, ref)
  const before = await findCompletion(tx, ref)
  const { status = 'kept', statusValue } = body
  const data = { status, ...(statusValue === undefined ? {} : { statusValue }) }
  if (JSON.stringify(before) === JSON.stringify(data)) return { result: undefined, events: [] }
  const columns = { status, status_value: statusValue ?? null }
  await tx
    .insertInto('feature_stages')
    .values({ feature_name: ref.feature, stage: 'completed', entered_at: now, ...columns })
    .onConflict((conflict) => conflict.columns(['feature_name', 'stage']).doUpdateSet(columns))
    .execute()
  const { project, feature: featureName } = ref
  const event = { type: 'feature-completed', project, featureName, data: { ...data, brief }, preData: before } as const
  return { result: undefined, events: [event] }
}

/** Removes the completed mark of a flag. Does nothing if the flag has no completed mark. Throws NotFoundError. */
export const uncompleteFeature: Change<FeatureRef, void> = async (tx, ref) => {
  await requireLive(tx, ref)
  const preData = await findCompletion(tx, ref)
  if (preData === undefined) return { result: undefined, events: [] }
  await tx
    .deleteFrom('feature_stages')
    .where('feature_name', '=', ref.feature)
    .where('stage', '=', 'completed')
    .execute()
  const { project, feature: featureName } = ref
  return { result: undefined, events: [{ type: 'feature-uncompleted', project, featureName, preData }] }
}

async function findCompletion(reader: Reader, { feature }: FeatureRef) {
  const row = (await listStageRows(reader, feature)).find(({ stage }) => stage === 'completed')
  if (row === undefined) return undefined
  const { status, statusValue } = toFeatureStage(row)
  return { status, ...(statusValue === undefined ? {} : { statusValue }) }
}
