import { type AgentOutcome, MAX_AGENT_WRITES_PER_HOUR } from '@burgee/protocol/administration/agent'
import type { ChangeInput } from '@burgee/protocol/administration/change-request'
import { Problem } from '@burgee/protocol/problem'
import type { Reader, Tx } from '@burgee/storage/database'
import { countAgentWrites, deleteAgentWrites, insertAgentWrite } from '@burgee/storage/queries/agents/agent-writes'
import type { NewEvent } from '@burgee/storage/queries/events/events'
import { requirePermission } from '../../core/access/rights/rights.ts'
import { type Change, dryRun, execute, rehearse } from '../../core/execute.ts'
import { inMaintenance } from '../../core/http/maintenance.ts'
import type { ServerWorld } from '../../core/server-world.ts'
import { type CheckedChange, checkChange } from '../change-requests/change-actions.ts'
import { addComment } from '../change-requests/comments.ts'
import { getDirectPermission } from '../change-requests/direct-rights.ts'
import { proposeChanges } from '../change-requests/drafts.ts'
import { isGuardedFrom } from '../change-requests/guard.ts'
import { requireProposer } from '../change-requests/proposers.ts'
import { requireRequest } from '../change-requests/request-ref.ts'
import { moveToState } from '../change-requests/state-transitions.ts'
import type { FeatureEnvironmentRef, FeatureRef } from '../flags/feature-ref.ts'
import { applyPlannedChanges } from '../promotion/promotion.ts'
import { type AgentCaller, toAgentAuthor } from './agent-caller.ts'
import { hasDraftChange, requireNoSecondStrategy } from './agent-drafts.ts'
import { readAgentAccess, requireAgentAccess } from './agent-limits.ts'

const HOUR_MS = 3_600_000
/** Age at which the records of agents' writes are deleted. */
const MAX_AGE_MS = 90 * 24 * HOUR_MS

/** Tool call that makes a change: the tool, the reason that the agent gave, and true for a dry run. */
export interface AgentIntent {
  readonly tool: string
  readonly reason: string
  readonly dryRun: boolean
}

/** Changes to a flag in one environment. `listChanges` runs in the same transaction as the write. */
export interface AgentChange extends AgentIntent, FeatureEnvironmentRef {
  readonly listChanges: (reader: Reader) => Promise<readonly ChangeInput[]>
}

/** Result of a write. `unchanged` means that the flag already was in the requested state. */
export interface AgentResult {
  readonly outcome: AgentOutcome | 'unchanged'
  readonly dryRun: boolean
  readonly events: readonly string[]
  readonly changeRequest: { readonly id: number; readonly state: string } | null
}

/** Requested write, and the agent that requests it. */
interface AgentWrite<W> {
  readonly caller: AgentCaller
  readonly write: W
}

/**
 * Changes a flag in one environment for an agent. The agent limit of the environment decides whether the changes are
 * applied or become a change request. Changes to protected environments always become a change request, because agents
 * never skip the review. Throws the errors that the changes themselves throw, NoAccessError, and RateLimitError.
 */
export async function changeAsAgent(world: ServerWorld, caller: AgentCaller, write: AgentChange): Promise<AgentResult> {
  if (world.settings.isInMaintenance()) throw inMaintenance()
  const author = toAgentAuthor(caller, write.tool, write.reason)
  const input = { caller: { ...caller, actor: author }, write }
  // a token that has reached its limit must not occupy the writer lock while changes are planned
  await requireRoom(world.db.reader, caller, world.clock())
  const way = await planWrite(world, input)
  if (way === 'nothing') return toUnchanged(write).result
  return runAsAgent(world, input, way === 'propose' ? proposeWrite : applyWrite)
}

/** Makes a change for an agent; for a dry run, rolls it back. */
export async function runAsAgent<W extends AgentIntent>(
  world: ServerWorld,
  input: AgentWrite<W>,
  change: Change<AgentWrite<W>, AgentResult>,
): Promise<AgentResult> {
  if (world.settings.isInMaintenance()) throw inMaintenance()
  const { actor } = input.caller
  if (!input.write.dryRun) return execute(world, actor, change, input)
  const { result, events } = await rehearse(world, actor, change, input)
  return { ...result, events: [...new Set(events.map(({ type }) => type))] }
}

/**
 * Applies the changes in a dry run. Returns `apply` or `propose`, or `nothing` if they change nothing. A change to the
 * stored state is proposed if it replaces a change of the caller's draft. Throws any error that applying the changes
 * would cause, including exceeded list limits, so that a proposal contains only changes that could be applied now.
 */
async function planWrite(world: ServerWorld, input: AgentWrite<AgentChange>): Promise<'apply' | 'propose' | 'nothing'> {
  const { write, caller } = input
  let way: 'apply' | 'propose' | 'nothing' = 'nothing'
  const rehearsal: Change<AgentWrite<AgentChange>, void> = async (tx, _input, context) => {
    const access = await readAgentAccess(tx, write.environment)
    requireAgentAccess(write.environment, access, 'propose')
    const events = await applyPlannedChanges(tx, write, [await checkChanges(tx, write)], context)
    // a change back to the stored state writes no event, but must replace the change in the draft
    const isReturn = events.length === 0 && (await hasDraftChange(tx, write, caller.actor.userId))
    if (events.length === 0 && !isReturn) return { result: undefined, events: [] }
    const guarded = isReturn ? [toSwitchEvent(write)] : events
    const isProposal = access === 'propose' || (await isGuardedFrom(tx, NO_RIGHTS, guarded))
    if (isProposal) await requireProposer(tx, caller.actor, write)
    if (isProposal || !isReturn) way = isProposal ? 'propose' : 'apply'
    return { result: undefined, events }
  }
  await dryRun(world, caller.actor, rehearsal, { input, look: async () => undefined })
  return way
}

const NO_RIGHTS = { grants: [], hidden: [] }

/** Returns one of the events that requires a change request, if any of them does. */
function toSwitchEvent({ project, feature, environment }: FeatureEnvironmentRef): NewEvent {
  return { type: 'feature-environment-disabled', project, environment, featureName: feature }
}

async function checkChanges(tx: Tx, write: AgentChange): Promise<{ feature: string; changes: CheckedChange[] }> {
  const changes = (await write.listChanges(tx)).map((one) => checkChange({ ...one, feature: write.feature }))
  return { feature: write.feature, changes }
}

const applyWrite: Change<AgentWrite<AgentChange>, AgentResult> = async (tx, { caller, write }, context) => {
  const access = await readAgentAccess(tx, write.environment)
  requireAgentAccess(write.environment, access, 'write')
  const flag = await checkChanges(tx, write)
  for (const { action } of flag.changes) requirePermission(caller.actor, getDirectPermission(action), write)
  const events = await applyPlannedChanges(tx, write, [flag], context)
  // change requests were turned on after the dry run
  if (await isGuardedFrom(tx, NO_RIGHTS, events)) throw createMovedOn()
  return recordWrite(tx, { caller, write, outcome: 'applied', events, changeRequest: null }, context.now)
}

function createMovedOn(): Problem {
  return new Problem(
    'ConflictError',
    'Change requests have just been enabled for this environment. Call the tool again.',
  )
}

/**
 * Adds the changes to the account's draft. A service account's request is sent to review at once, because only the
 * author sees a draft and no one logs in as a service account. The agent's reason becomes a comment.
 */
const proposeWrite: Change<AgentWrite<AgentChange>, AgentResult> = async (tx, { caller, write }, context) => {
  const { actor } = caller
  const { project, environment } = write
  const access = await readAgentAccess(tx, environment)
  requireAgentAccess(environment, access, 'propose')
  const { changes } = await checkChanges(tx, write)
  if (changes.length === 0) return toUnchanged(write)
  await requireNoSecondStrategy(tx, { ...write, changes, userId: actor.userId })
  const inputs = changes.map((one) => ({ ...one, feature: write.feature }))
  const place = { project, environment }
  const { result: id, events, stores } = await proposeChanges(tx, { actor, changes: inputs, ...place }, context)
  if (events.length === 0) return toUnchanged(write, { id, state: 'Draft' })
  const ref = { project, id, actor }
  const comment = await addComment(
    tx,
    { request: await requireRequest(tx, ref, actor.userId), text: write.reason, by: actor },
    context,
  )
  const isService = actor.user.is_service === 1
  const sent = isService ? (await moveToState(tx, { ...ref, body: { state: 'In review' } }, context)).events : []
  const changeRequest = { id, state: isService ? 'In review' : 'Draft' }
  const all = [...events, comment, ...sent]
  const outcome = await recordWrite(tx, { caller, write, outcome: 'proposed', events: all, changeRequest }, context.now)
  return stores === undefined ? outcome : { ...outcome, stores }
}

function toUnchanged({ dryRun }: AgentIntent, changeRequest: AgentResult['changeRequest'] = null) {
  const result: AgentResult = { outcome: 'unchanged', dryRun, events: [], changeRequest }
  return { result, events: [] }
}

/** Finished write. `environment` is undefined for a new flag. */
interface FinishedWrite {
  readonly caller: AgentCaller
  readonly write: AgentIntent & FeatureRef & { readonly environment?: string }
  readonly outcome: AgentOutcome
  readonly events: readonly NewEvent[]
  readonly changeRequest: AgentResult['changeRequest']
}

/** Records a write and counts it against the hourly limit of its token. Throws RateLimitError. */
export async function recordWrite(
  tx: Tx,
  { caller, write, outcome, events, changeRequest }: FinishedWrite,
  now: number,
) {
  if (events.length === 0) return toUnchanged(write)
  await requireRoom(tx, caller, now)
  await deleteAgentWrites(tx, now - MAX_AGE_MS)
  await insertAgentWrite(tx, {
    token_id: caller.token,
    user_id: caller.actor.userId,
    tool: write.tool,
    outcome,
    project: write.project,
    environment: write.environment ?? null,
    feature_name: write.feature,
    client_name: caller.client.name,
    client_version: caller.client.version,
    created_at: now,
  })
  const types = [...new Set(events.map(({ type }) => type))]
  const result: AgentResult = { outcome, dryRun: write.dryRun, events: types, changeRequest }
  return { result, events }
}

/** Throws RateLimitError if a token has made the maximum number of changes in the last hour. */
async function requireRoom(reader: Reader, { token }: AgentCaller, now: number): Promise<void> {
  if ((await countAgentWrites(reader, token, now - HOUR_MS)) < MAX_AGENT_WRITES_PER_HOUR) return
  const message = `This token has made ${MAX_AGENT_WRITES_PER_HOUR} changes in the last hour, the maximum for agents.`
  throw new Problem('RateLimitError', message)
}
