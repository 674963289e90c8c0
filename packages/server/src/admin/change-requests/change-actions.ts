import { invalid } from '@burgee/kit/input/refusals'
import { compileValidator } from '@burgee/kit/input/validation'
import {
  CHANGE_PAYLOADS,
  type ChangeAction,
  type ChangeInput,
  type ChangePayload,
} from '@burgee/protocol/administration/change-request'
import { RESTRICTIONS } from '@burgee/protocol/targeting/restriction'
import type { Tx } from '@burgee/storage/database'
import type { NewEvent } from '@burgee/storage/queries/events/events'
import type { ChangeContext } from '../../core/execute.ts'
import { sortStrategies } from '../flags/copies.ts'
import { addDependency, removeDependency } from '../flags/dependencies.ts'
import type { FeatureEnvironmentRef } from '../flags/feature-ref.ts'
import { switchOffWithoutStrategy } from '../flags/last-enabled-strategy.ts'
import { archiveFeature } from '../flags/lifecycle.ts'
import { addStrategy, removeStrategy, replaceStrategy } from '../flags/strategies.ts'
import { setEnabled } from '../flags/switch-flag.ts'
import { setVariants } from '../flags/variants.ts'
import {
  addPlan,
  removePlan,
  removeProgression,
  resumeProgressions,
  setProgression,
  startMilestone,
} from '../releases/release-plans.ts'
import { removeSafeguard, setSafeguard } from '../releases/safeguards.ts'
import { removeSegment, replaceSegment } from '../targeting/segments.ts'

/** Change to a flag or a segment that a change request proposes, after validation. */
export interface CheckedChange<A extends ChangeAction = ChangeAction> {
  readonly action: A
  readonly payload: ChangePayload<A>
}

type Events = Promise<readonly NewEvent[]>
type ApplyAction<A extends ChangeAction> = (
  tx: Tx,
  ref: FeatureEnvironmentRef,
  payload: ChangePayload<A>,
  context: ChangeContext,
) => Promise<{ readonly events: readonly NewEvent[] }>

/** Maps each action to the change that it makes. */
const APPLY_BY_ACTION: { readonly [A in ChangeAction]: ApplyAction<A> } = {
  updateEnabled: (tx, ref, { enabled, shouldActivateDisabledStrategies: activate }, context) =>
    setEnabled(tx, { ...ref, enabled, activate }, context),
  addStrategy: (tx, ref, body, context) => addStrategy(tx, { ...ref, body }, context),
  updateStrategy: (tx, ref, { id, allowEmpty, ...strategy }, context) =>
    replaceStrategy(tx, { ...ref, id, body: strategy, allowEmpty }, context),
  deleteStrategy: (tx, ref, { id }, context) => removeStrategy(tx, { ...ref, id }, context),
  patchVariant: (tx, ref, { variants }, context) => setVariants(tx, { ...ref, variants }, context),
  reorderStrategy: (tx, ref, body, context) => sortStrategies(tx, { ...ref, body }, context),
  archiveFeature: (tx, { project, feature }, _none, context) => archiveFeature(tx, { project, feature }, context),
  addDependency: (tx, { project, feature }, body, context) => addDependency(tx, { project, feature, body }, context),
  deleteDependency: (tx, { project, feature }, _none, context) => removeDependency(tx, { project, feature }, context),
  updateSegment: (tx, _ref, { id, allowEmpty, ...segment }, context) =>
    replaceSegment(tx, { id, body: segment, allowEmpty }, context),
  deleteSegment: (tx, _ref, { id }, context) => removeSegment(tx, { id }, context),
  addReleasePlan: (tx, ref, { templateId }, context) => addPlan(tx, { ...ref, templateId }, context),
  deleteReleasePlan: (tx, ref, { planId }, context) => removePlan(tx, { ...ref, planId }, context),
  startMilestone: (tx, ref, { planId, milestoneId }, context) =>
    startMilestone(tx, { ...ref, planId, milestoneId }, context),
  changeMilestoneProgression: (tx, ref, { sourceMilestone: sourceMilestoneId, ...progression }, context) =>
    setProgression(tx, { ...ref, sourceMilestoneId, body: progression }, context),
  deleteMilestoneProgression: (tx, ref, { sourceMilestone: sourceMilestoneId }, context) =>
    removeProgression(tx, { ...ref, sourceMilestoneId }, context),
  resumeMilestoneProgression: (tx, ref, { planId }, context) => resumeProgressions(tx, { ...ref, planId }, context),
  changeSafeguard: (tx, ref, { planId, safeguard: body }, context) =>
    setSafeguard(tx, { ...ref, planId, body }, context),
  deleteSafeguard: (tx, ref, { planId, safeguardId }, context) =>
    removeSafeguard(tx, { ...ref, planId, safeguardId }, context),
}

/** Executes a proposed change as if it were made directly and returns its events. Throws the errors of that change. */
export async function applyProposedChange<A extends ChangeAction>(
  tx: Tx,
  { ref, action, payload }: CheckedChange<A> & { readonly ref: FeatureEnvironmentRef },
  context: ChangeContext,
): Events {
  const { events } = await APPLY_BY_ACTION[action](tx, ref, payload, context)
  return [...events, ...(await switchOffWithoutStrategy(tx, events, context.now))]
}

const SEGMENT_ACTIONS: ReadonlySet<ChangeAction> = new Set(['updateSegment', 'deleteSegment'])

/** Returns true if an action changes a segment and no flag. */
export function isOfSegment(action: ChangeAction): action is 'updateSegment' | 'deleteSegment' {
  return SEGMENT_ACTIONS.has(action)
}

/** Actions without payload; a payload in the request is discarded. */
const ACTIONS_WITHOUT_PAYLOAD: ReadonlySet<ChangeAction> = new Set(['archiveFeature', 'deleteDependency'])

const checks = new Map<ChangeAction, (value: unknown) => unknown>()

/**
 * Validates a change and its payload. The payload becomes null for actions without payload. Throws InvalidRequest, and
 * ValidationError if a flag change names no flag, or if a segment change names a flag.
 */
export function checkChange({
  feature,
  action,
  payload,
}: ChangeInput): CheckedChange & { readonly feature: string | null } {
  const check = checks.get(action) ?? compileValidator(CHANGE_PAYLOADS[action], 'body/payload', RESTRICTIONS)
  checks.set(action, check)
  if (isOfSegment(action)) {
    if (typeof feature === 'string') throw invalid(`"feature" must be omitted for ${action}`, 'body/feature')
  } else if (typeof feature !== 'string') {
    throw invalid(`"feature" is required for ${action}`, 'body/feature')
  }
  const fitting = ACTIONS_WITHOUT_PAYLOAD.has(action) ? null : check(payload)
  return { feature: feature ?? null, action, payload: fitting as ChangePayload<ChangeAction> }
}
