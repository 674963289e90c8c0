import type { Tx } from '@burgee/storage/database'
import type { NewEvent } from '@burgee/storage/queries/events/events'
import { storeEnabled } from '@burgee/storage/queries/flags/features'
import { startPlanClock, stopPlanClock } from '@burgee/storage/queries/releases/release-plans'
import { inOneRoundTrip } from '../../core/in-one-round-trip.ts'
import type { FeatureEnvironmentRef } from './feature-ref.ts'

/**
 * Toggles a flag in one environment and returns the event. Also starts or stops the clock of a release plan, which runs
 * only while the flag is on. The caller must ensure that the current state differs from `enabled`.
 */
export async function setSwitch(
  tx: Tx,
  { project, feature, environment }: FeatureEnvironmentRef,
  { enabled, now }: { readonly enabled: boolean; readonly now: number },
): Promise<NewEvent> {
  await inOneRoundTrip([
    storeEnabled(tx, { feature, environment, enabled: Number(enabled) }),
    (enabled ? startPlanClock : stopPlanClock)(tx, { feature, environment, now }),
  ])
  const type = enabled ? 'feature-environment-enabled' : 'feature-environment-disabled'
  const states = { data: { enabled }, preData: { enabled: !enabled } }
  return { type, featureName: feature, project, environment, ...states }
}
