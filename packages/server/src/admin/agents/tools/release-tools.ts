import { invalid, notFound } from '@burgee/kit/input/refusals'
import type { ChangeInput } from '@burgee/protocol/administration/change-request'
import type { Reader } from '@burgee/storage/database'
import { findPlan, type PlanRow } from '@burgee/storage/queries/releases/release-plans'
import Type, { type Static } from 'typebox'
import type { FeatureEnvironmentRef } from '../../flags/feature-ref.ts'
import { changeAsAgent } from '../agent-changes.ts'
import { pauseAsAgent } from '../agent-releases.ts'
import { resolveFlagEnvironment } from './flag-lookup.ts'
import { defineTool, EnvironmentArguments, type Tool, WriteArguments, WriteResult } from './tool.ts'
import { toWritten } from './write-tools.ts'

const ReleaseInput = Type.Object(
  {
    ...EnvironmentArguments,
    action: Type.Enum(['start', 'pause', 'resume', 'back'], {
      description:
        'start: starts the next milestone, or milestoneId. pause and resume: stops and continues the automatic start of milestones. back: returns to the previous milestone.',
    }),
    milestoneId: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    ...WriteArguments,
  },
  { additionalProperties: false },
)

/** Returns the plan of a flag in an environment. Throws NotFoundError. */
export async function requirePlan(reader: Reader, ref: FeatureEnvironmentRef): Promise<PlanRow> {
  const plan = await findPlan(reader, ref)
  if (plan !== undefined) return plan
  throw notFound(`The flag "${ref.feature}" has no release plan in the environment "${ref.environment}".`)
}

async function listReleaseChanges(
  reader: Reader,
  ref: FeatureEnvironmentRef,
  { action, milestoneId }: Static<typeof ReleaseInput>,
): Promise<readonly ChangeInput[]> {
  const plan = await requirePlan(reader, ref)
  if (action === 'resume') return [{ action: 'resumeMilestoneProgression', payload: { planId: plan.id } }]
  const target = milestoneId ?? findNeighbor(plan, action === 'back' ? -1 : 1)
  return [{ action: 'startMilestone', payload: { planId: plan.id, milestoneId: target } }]
}

function findNeighbor({ milestones, active_milestone_id: active }: PlanRow, step: 1 | -1): string {
  const index = milestones.findIndex(({ id }) => id === active)
  const found = milestones[index + step]
  if (found !== undefined && index >= 0) return found.id
  throw invalid(`The release plan has no ${step === 1 ? 'next' : 'previous'} milestone`, 'arguments/action')
}

const releaseControl = defineTool({
  name: 'release_control',
  title: 'Control a release plan',
  description:
    'Starts a milestone of the release plan of a flag, pauses or resumes it, or goes back one milestone. A pause is applied at once unless agents may only read.',
  permissions: ['UPDATE_FEATURE_STRATEGY'],
  isDestructive: true,
  input: ReleaseInput,
  output: WriteResult,
  run: async (input, context) => {
    const { world, caller } = context
    const ref = await resolveFlagEnvironment(context, input)
    const intent = { tool: 'release_control', reason: input.reason, dryRun: input.dryRun ?? false }
    if (input.action === 'pause') return toWritten(ref, await pauseAsAgent(world, caller, { ...ref, ...intent }))
    const listChanges = (reader: Reader) => listReleaseChanges(reader, ref, input)
    return toWritten(ref, await changeAsAgent(world, caller, { ...ref, ...intent, listChanges }))
  },
})

/** Tools that control releases. */
export const releaseTools: readonly Tool[] = [releaseControl]
