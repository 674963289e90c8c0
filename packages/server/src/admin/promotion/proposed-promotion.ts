import type { PromotionResult } from '@burgee/protocol/administration/promotion'
import { type Change, dryRun, execute } from '../../core/execute.ts'
import type { World } from '../../core/world.ts'
import { proposeChanges } from '../change-requests/drafts.ts'
import type { RequestAct } from '../change-requests/request-ref.ts'
import { applyPlannedChanges, type ConfirmedPromotion, requireUnmovedFlags } from './promotion.ts'

/** Promotion by a user, who can have drafts. */
type ByPerson = ConfirmedPromotion & Pick<RequestAct, 'actor'>

/**
 * Adds the changes of a promotion to the actor's draft, atomically (all changes or none). Rejects changes that could
 * not be applied now. Throws the errors of `promote` and `proposeChanges`.
 */
export async function proposePromotion(world: World, promotion: ByPerson): Promise<PromotionResult> {
  const rehearsal: Change<ByPerson, void> = async (tx, input, context) => ({
    result: undefined,
    events: await applyPlannedChanges(tx, input, await requireUnmovedFlags(tx, input), context),
  })
  await dryRun(world, promotion.actor, rehearsal, { input: promotion, look: async () => undefined })
  return execute(world, promotion.actor, propose, promotion)
}

const propose: Change<ByPerson, PromotionResult> = async (tx, promotion, context) => {
  const { actor, project, environment } = promotion
  const flags = await requireUnmovedFlags(tx, promotion)
  const changes = flags.flatMap((flag) => flag.changes.map((one) => ({ feature: flag.feature, ...one })))
  if (changes.length === 0) return { result: { features: [], changeRequest: null }, events: [] }
  const { result: id, events } = await proposeChanges(tx, { actor, changes, project, environment }, context)
  return { result: { features: [], changeRequest: { id, changes: changes.length } }, events }
}
