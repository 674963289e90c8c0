import type { ChangeInput } from '@burgee/protocol/administration/change-request'
import type { Tx } from '../../store/database.ts'
import type { ProjectPlace } from '../../store/projects/environments.ts'
import { type Change, execute, type Moment, rehearse } from '../execute.ts'
import { requireSegment } from '../targeting/segments.ts'
import type { World } from '../world.ts'
import { carryOutChange, checkedChange, isOfSegment } from './actions.ts'
import { editChange, type Proposal, proposeChanges, requireEditable } from './drafts.ts'
import { requirePlaceToPropose } from './proposers.ts'
import { requireChange } from './request-ref.ts'

const NOTHING = { result: undefined, events: [] }

/** Adds changes to the user's draft like `proposeChanges`, but rejects changes that could not be applied now. */
export async function propose(world: World, proposal: Proposal): Promise<number> {
  const rehearsal: Change<Proposal, void> = async (tx, { actor, changes, ...place }, moment) => {
    await requirePlaceToPropose(tx, actor, place)
    for (const change of changes) await tryChange(tx, { place, actor, change }, moment)
    return NOTHING
  }
  await rehearse(world, proposal.actor, rehearsal, { input: proposal, look: async () => undefined })
  return execute(world, proposal.actor, proposeChanges, proposal)
}

type Edit = Parameters<typeof editChange>[1]

/** Replaces a change like `editChange`, but rejects a change that could not be applied now. */
export async function proposeAnew(world: World, edit: Edit): Promise<void> {
  const rehearsal: Change<Edit, void> = async (tx, input, moment) => {
    const place = await requireEditable(tx, input)
    const { action, payload } = input.body
    const { feature_name } = await requireChange(tx, place, input.change)
    await tryChange(tx, { place, actor: input.actor, change: { action, payload, feature: feature_name } }, moment)
    return NOTHING
  }
  await rehearse(world, edit.actor, rehearsal, { input: edit, look: async () => undefined })
  await execute(world, edit.actor, editChange, edit)
}

async function tryChange(
  tx: Tx,
  { place, actor, change }: Pick<Proposal, 'actor'> & { readonly place: ProjectPlace; readonly change: ChangeInput },
  moment: Moment,
): Promise<void> {
  const { feature, action, payload } = checkedChange(change)
  const { project, environment } = place
  // check first: the errors of the dry run distinguish a segment of a hidden project from one that does not exist
  if (isOfSegment(action)) await requireSegment(tx, (payload as { readonly id: number }).id, actor.hidden)
  await carryOutChange(tx, { ref: { project, environment, feature: feature ?? '' }, action, payload }, moment)
}
