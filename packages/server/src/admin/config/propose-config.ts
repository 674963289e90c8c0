import { isDeepStrictEqual } from 'node:util'
import type { ChangeInput } from '@burgee/protocol/administration/change-request'
import type { ConfigApplyResult, ConfigSource } from '@burgee/protocol/administration/config-plan'
import { Problem } from '@burgee/protocol/problem'
import type { Reader, Tx } from '@burgee/storage/database'
import { listChanges } from '@burgee/storage/queries/change-requests/changes'
import { findDraft, listRequestRows, updateRequest } from '@burgee/storage/queries/change-requests/requests'
import type { NewEvent } from '@burgee/storage/queries/events/events'
import type { ProjectEnvironmentKey } from '@burgee/storage/queries/projects/environments'
import type { Actor } from '../../core/access/rights/rights.ts'
import type { ChangeContext, Outcome } from '../../core/execute.ts'
import { checkChange } from '../change-requests/change-actions.ts'
import { renameRequest } from '../change-requests/draft-edits.ts'
import { proposeChanges } from '../change-requests/drafts.ts'
import { OPEN_STATES, requirePerson } from '../change-requests/request-ref.ts'
import { moveToState } from '../change-requests/state-transitions.ts'
import { type ConfigStep, type CreatedIds, resolveIds } from './config-steps.ts'

/** Steps to propose, grouped by environment, and the plan that they belong to. */
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
 * Creates one change request per protected environment and sends it to review. The title of the request names the
 * commit. If an open request has the same title and changes, creates no second one. Throws the errors of
 * `proposeChanges`, and ConflictError if the open request has different changes, or if the user already has a draft in
 * the environment, because the draft's other changes would be sent to review as well.
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
  const known = await findSameRequest(tx, { ...place, userId: actor.userId, title, changes })
  if (known !== undefined) return { result: { id: known, environment, changes: changes.length, title }, events: [] }
  if ((await findDraft(tx, place, actor.userId)) !== undefined) {
    const text = `You have a draft of a change request in "${environment}". Send it or discard it first, or apply with the token of a service account.`
    throw new Problem('ConflictError', text)
  }
  const proposal = await proposeChanges(tx, { ...place, actor, changes }, context)
  await updateRequest(tx, proposal.result, { from_files: 1 })
  const act = { actor, project, id: proposal.result }
  const renamed = await renameRequest(tx, { ...act, title }, context)
  const sent = await moveToState(tx, { ...act, body: { state: 'In review' } }, context)
  return {
    result: { id: proposal.result, environment, changes: changes.length, title },
    events: [...proposal.events, ...renamed.events, ...sent.events],
    stores: proposal.stores ?? 0,
  }
}

interface WantedRequest extends ProjectEnvironmentKey {
  readonly userId: number
  readonly title: string
  readonly changes: readonly ChangeInput[]
}

/**
 * Returns the id of the user's open request with the same title and the same changes. Throws ConflictError if a request
 * with this title has different changes: otherwise, the changes of this plan would never be reviewed.
 */
async function findSameRequest(
  reader: Reader,
  { userId, title, changes, ...place }: WantedRequest,
): Promise<number | undefined> {
  const states = OPEN_STATES.filter((state) => state !== 'Draft')
  const open = await listRequestRows(reader, { ...place, createdBy: userId, states }, { asker: userId, limit: 1000 })
  const alike = open.filter((request) => request.title === title)
  const [first] = alike
  if (first === undefined) return undefined
  const wanted: unknown = JSON.parse(JSON.stringify(changes.map(checkChange)))
  const stored = Map.groupBy(
    await listChanges(
      reader,
      alike.map(({ id }) => id),
    ),
    (row) => row.request_id,
  )
  const same = alike.find(({ id }) => {
    const rows = stored.get(id) ?? []
    return isDeepStrictEqual(
      rows.map(({ feature_name: feature, action, payload }) => ({ feature, action, payload })),
      wanted,
    )
  })
  if (same !== undefined) return same.id
  const text = `The change request #${first.id} "${title}" is open in "${place.environment}" and has other changes. Apply or cancel it first.`
  throw new Problem('ConflictError', text)
}
