import type { ChangeInput } from '@burgee/protocol/administration/change-request'
import type { Tx } from '@burgee/storage/database'
import type { NewEvent } from '@burgee/storage/queries/events/events'
import type { ProjectEnvironmentKey } from '@burgee/storage/queries/projects/environments'
import { type Change, type ChangeContext, dryRun, execute } from '../../core/execute.ts'
import type { World } from '../../core/world.ts'
import { requireSegment } from '../targeting/segments.ts'
import { applyProposedChange, checkChange, isOfSegment } from './change-actions.ts'
import { editChange, requireEditable } from './draft-edits.ts'
import { type Proposal, proposeChanges } from './drafts.ts'
import { requireProposer } from './proposers.ts'
import { requireChange } from './request-ref.ts'

/**
 * Works like `proposeChanges`, which adds changes to the user's draft, but also rejects changes that could not be
 * applied now.
 */
export async function propose(world: World, proposal: Proposal): Promise<number> {
  const rehearsal: Change<Proposal, void> = async (tx, { actor, changes, ...place }, context) => {
    await requireProposer(tx, actor, place)
    const events: NewEvent[] = []
    for (const change of changes) events.push(...(await tryChange(tx, { place, actor, change }, context)))
    return { result: undefined, events }
  }
  await dryRun(world, proposal.actor, rehearsal, { input: proposal, look: async () => undefined })
  return execute(world, proposal.actor, proposeChanges, proposal)
}

type Edit = Parameters<typeof editChange>[1]

/** Works like `editChange`, which replaces a change, but also rejects a change that could not be applied now. */
export async function replaceProposal(world: World, edit: Edit): Promise<void> {
  const rehearsal: Change<Edit, void> = async (tx, input, context) => {
    const place = await requireEditable(tx, input)
    const { action, payload } = input.body
    const { feature_name } = await requireChange(tx, place, input.change)
    const change = { action, payload, feature: feature_name }
    return { result: undefined, events: await tryChange(tx, { place, actor: input.actor, change }, context) }
  }
  await dryRun(world, edit.actor, rehearsal, { input: edit, look: async () => undefined })
  await execute(world, edit.actor, editChange, edit)
}

/** Applies a change in a dry run, and returns its events. */
async function tryChange(
  tx: Tx,
  {
    place,
    actor,
    change,
  }: Pick<Proposal, 'actor'> & { readonly place: ProjectEnvironmentKey; readonly change: ChangeInput },
  context: ChangeContext,
): Promise<readonly NewEvent[]> {
  const { feature, action, payload } = checkChange(change)
  const { project, environment } = place
  // check the segment before the dry run, whose errors would reveal whether a segment of a hidden project exists
  if (isOfSegment(action)) await requireSegment(tx, (payload as { readonly id: number }).id, actor.hidden)
  return applyProposedChange(tx, { ref: { project, environment, feature: feature ?? '' }, action, payload }, context)
}
