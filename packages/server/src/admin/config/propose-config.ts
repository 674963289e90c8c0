import type { ConfigApplyResult, ConfigSource } from '@burgee/protocol/administration/config-plan'
import { Problem } from '@burgee/protocol/problem'
import type { Tx } from '@burgee/storage/database'
import { findDraft, listRequestRows } from '@burgee/storage/queries/change-requests/requests'
import type { NewEvent } from '@burgee/storage/queries/events/events'
import type { Actor } from '../../core/access/rights/rights.ts'
import type { ChangeContext, Outcome } from '../../core/execute.ts'
import { proposeChanges, renameRequest } from '../change-requests/drafts.ts'
import { OPEN_STATES, requirePerson } from '../change-requests/request-ref.ts'
import { moveToState } from '../change-requests/state-transitions.ts'
import { type ConfigStep, type CreatedIds, resolveIds } from './config-steps.ts'

/** Steps to propose by environment, and the plan from which they come. */
export interface ProposedSteps {
  readonly actor: Actor
  readonly project: string
  readonly plan: string
  readonly source: ConfigSource | undefined
  readonly proposed: ReadonlyMap<string, readonly ConfigStep[]>
  readonly ids: CreatedIds
}

type ProposedRequest = ConfigApplyResult['changeRequests'][number]

/**
 * Creates a change request for each protected environment and sends it to review. Its title names the commit. Creates
 * no second request for the same commit while the first is open. Throws the errors of `proposeChanges`, and
 * ConflictError if the user has a draft in the environment, whose other changes would be sent as well.
 */
export async function proposeSteps(
  tx: Tx,
  order: ProposedSteps,
  context: ChangeContext,
): Promise<Outcome<ProposedRequest[]>> {
  const result: ProposedRequest[] = []
  const events: NewEvent[] = []
  let stores = 0
  for (const [environment, steps] of order.proposed) {
    const request = await proposeIn(tx, { ...order, environment, steps }, context)
    result.push(request.result)
    events.push(...request.events)
    stores += request.stores ?? 0
  }
  return { result, events, stores }
}

interface EnvironmentSteps extends ProposedSteps {
  readonly environment: string
  readonly steps: readonly ConfigStep[]
}

async function proposeIn(
  tx: Tx,
  { project, environment, steps, ids, plan, source, ...order }: EnvironmentSteps,
  context: ChangeContext,
): Promise<Outcome<ProposedRequest>> {
  const actor = requirePerson(order.actor)
  const place = { project, environment }
  const title = source === undefined ? `Apply plan ${plan}` : `Apply ${source.repository}@${source.commit}`
  const changes = steps.flatMap((step) =>
    step.changes.map((change) => {
      const { action, payload } = resolveIds(change, ids)
      return { action, payload, ...(step.flag === undefined ? {} : { feature: step.flag }) }
    }),
  )
  const open = await listRequestRows(
    tx,
    { ...place, createdBy: actor.userId, states: OPEN_STATES },
    { asker: actor.userId, limit: 1000 },
  )
  const known = open.find((request) => request.title === title)
  if (known !== undefined) return { result: { id: known.id, environment, changes: changes.length, title }, events: [] }
  if ((await findDraft(tx, place, actor.userId)) !== undefined) {
    const text = `You have a draft of a change request in "${environment}". Send it or discard it first, or apply with the token of a service account.`
    throw new Problem('ConflictError', text)
  }
  const proposal = await proposeChanges(tx, { ...place, actor, changes }, context)
  const act = { actor, project, id: proposal.result }
  const renamed = await renameRequest(tx, { ...act, title }, context)
  const sent = await moveToState(tx, { ...act, body: { state: 'In review' } }, context)
  return {
    result: { id: proposal.result, environment, changes: changes.length, title },
    events: [...proposal.events, ...renamed.events, ...sent.events],
    stores: proposal.stores ?? 0,
  }
}
