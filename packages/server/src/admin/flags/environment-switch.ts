import type { Tx } from '@burgee/storage/database'
import type { NewEvent } from '@burgee/storage/queries/events/events'
import { storeEnabled } from '@burgee/storage/queries/flags/features'
import type { FeatureEnvironmentRef } from './feature-ref.ts'

/**
 * Toggles a flag in one environment and returns the event. The caller must ensure that the current state differs from
 * `enabled`.
 */
export async function setSwitch(
  tx: Tx,
  { project, feature, environment }: FeatureEnvironmentRef,
  enabled: boolean,
): Promise<NewEvent> {
  await storeEnabled(tx, { feature, environment, enabled: Number(enabled) })
  const type = enabled ? 'feature-environment-enabled' : 'feature-environment-disabled'
  const states = { data: { enabled }, preData: { enabled: !enabled } }
  return { type, featureName: feature, project, environment, ...states }
}
