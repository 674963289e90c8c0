import type { Inbox, InboxDelivery, InboxToken, UserDraft } from '@burgee/protocol/administration/inbox'
import type { Reader } from '@burgee/storage/database'
import { listPersonalTokens } from '@burgee/storage/queries/access/people'
import { listTokens } from '@burgee/storage/queries/access/tokens'
import { listChangedNames } from '@burgee/storage/queries/change-requests/changes'
import { listRequestRows } from '@burgee/storage/queries/change-requests/requests'
import { listLastAttempts } from '@burgee/storage/queries/integrations/deliveries'
import { listIntegrations } from '@burgee/storage/queries/integrations/integrations'
import { type Actor, hasPermission } from '../../core/access/rights/rights.ts'
import { filterPermittedTokens } from '../access/tokens/token-rights.ts'
import { MAX_LISTED } from '../change-requests/request-lists.ts'
import { type InboxTimes, listInboxFlags } from './inbox-flags.ts'
import { listInboxRequests } from './inbox-requests.ts'

/** Remaining lifetime in milliseconds below which a token appears in the inbox. */
const EXPIRY_NOTICE_MS = 14 * 86_400_000

/**
 * Returns the tasks that await the actor at a given time, and the actor's drafts. The number of queries is constant.
 */
export async function readInbox(reader: Reader, actor: Actor, times: InboxTimes): Promise<Inbox> {
  const requests = await listInboxRequests(reader, actor)
  const deliveries = await listFailedDeliveries(reader, actor)
  const tokens = await listExpiringTokens(reader, actor, times.now)
  const unusedFlags = await listInboxFlags(reader, actor, times)
  const drafts = await listUserDrafts(reader, actor)
  const total = requests.length + deliveries.length + tokens.length + unusedFlags.length
  return { total, requests, deliveries, tokens, unusedFlags, drafts }
}

/**
 * Returns the enabled integrations whose last delivery failed; returns none if the actor cannot change integrations.
 */
async function listFailedDeliveries(reader: Reader, actor: Actor): Promise<InboxDelivery[]> {
  if (!hasPermission(actor, 'UPDATE_ADDON')) return []
  const last = new Map((await listLastAttempts(reader)).map((row) => [row.integration_id, row]))
  return (await listIntegrations(reader)).flatMap((row) => {
    const attempt = last.get(row.id)
    const isHidden = row.only_projects.some((project) => actor.hidden.includes(project))
    if (row.enabled === 0 || isHidden || attempt?.state !== 'failed') return []
    const failedAt = new Date(Number(attempt.created_at)).toISOString()
    return [{ integrationId: row.id, provider: row.provider, description: row.description ?? '', failedAt }]
  })
}

/** Returns the API tokens that the actor can extend, and the actor's own personal tokens, that expire soon. */
async function listExpiringTokens(reader: Reader, actor: Actor, now: number): Promise<InboxToken[]> {
  const permitted = filterPermittedTokens(actor, 'UPDATE', await listTokens(reader))
  const own = await listPersonalTokens(reader, actor.userId)
  const all = [
    ...permitted.map(({ id, name, expires_at }) => ({ id, name, personal: false, expires_at })),
    ...own.map(({ id, description, expires_at }) => ({
      id: String(id),
      name: description,
      personal: true,
      expires_at,
    })),
  ]
  return all
    .flatMap(({ expires_at, ...token }) => {
      const at = expires_at === null ? undefined : Number(expires_at)
      const isSoon = at !== undefined && at > now && at <= now + EXPIRY_NOTICE_MS
      return isSoon ? [{ ...token, expiresAt: new Date(at).toISOString() }] : []
    })
    .sort((a, b) => a.expiresAt.localeCompare(b.expiresAt))
}

async function listUserDrafts(reader: Reader, { userId }: Actor): Promise<UserDraft[]> {
  const page = { asker: userId, limit: MAX_LISTED }
  const rows = await listRequestRows(reader, { states: ['Draft'], createdBy: userId }, page)
  const ids = rows.map(({ id }) => id)
  const changed = Map.groupBy(await listChangedNames(reader, ids), (one) => one.request_id)
  return rows.map(({ id, title, project, environment, created_at }) => {
    const names = changed.get(id) ?? []
    return {
      id,
      title,
      project,
      environment,
      createdAt: new Date(Number(created_at)).toISOString(),
      features: [...new Set(names.flatMap((one) => one.feature_name ?? []))],
      segments: [...new Set(names.flatMap((one) => one.segment_name ?? []))],
    }
  })
}
