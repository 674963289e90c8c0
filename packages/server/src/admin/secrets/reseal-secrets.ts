import type { Tx } from '@burgee/storage/database'
import { listSecretsWithOtherKeys } from '@burgee/storage/queries/access/token-secrets'
import { listSessionsWithIdToken } from '@burgee/storage/queries/sso/identities'
import { getIdTokenPurpose, getInviteLinkPurpose } from '../../core/secrets/optional-secrets.ts'
import { getPurpose } from '../../core/secrets/readable-secrets.ts'
import { parseSealed } from '../../core/secrets/sealed-text.ts'
import { SecretUnreadable } from '../../core/secrets/secrets.ts'
import type { World } from '../../core/world.ts'
import { PROMETHEUS, PROMETHEUS_PURPOSE, readStoredPrometheus } from '../impact-metrics/prometheus-settings.ts'
import { SECRET_PURPOSE } from '../integrations/parameters.ts'
import { OIDC, OIDC_SECRET_PURPOSE, readStoredOidc } from '../sso/oidc-settings.ts'

type Deps = Pick<World, 'db' | 'secrets' | 'logger'>

/** Maximum number of secrets per transaction. */
const MAX_SECRETS_PER_TRANSACTION = 200

/** Progress of resealing. */
interface ResealProgress {
  /** Number of secrets that were encrypted again with the current key. */
  resealed: number
  /** Ids of missing keys. */
  readonly missing: Set<string>
}

/**
 * Encrypts secrets with the current key if another key was used before, for example after BURGEE_SECRET_KEY was set or
 * replaced. Unreadable secrets stay unchanged, and the ids of the missing keys are logged. An invalid key is logged as
 * well. An invalid key does not prevent the start, because SDKs can be served without a key.
 */
export async function resealSecrets({ db, secrets, logger }: Deps): Promise<void> {
  const keyId = findKeyId(secrets, logger)
  if (keyId === undefined) return
  const found: ResealProgress = { resealed: 0, missing: new Set() }
  const reseal = (sealed: string, purpose: string): string => {
    const under = parseSealed(sealed)?.keyId
    if (under === keyId) return sealed
    try {
      const text = secrets.open(sealed, purpose)
      found.resealed += 1
      return secrets.seal(text, purpose)
    } catch (error) {
      if (!(error instanceof SecretUnreadable)) throw error
      found.missing.add(under ?? 'unknown')
      return sealed
    }
  }
  await db.write((tx) => resealIntegrations(tx, reseal))
  await db.write((tx) => resealSignIn(tx, reseal))
  await db.write((tx) => resealPrometheus(tx, reseal))
  await db.write((tx) => resealInviteLinks(tx, reseal))
  for (let after: string | undefined = ''; after !== undefined; ) {
    const from: string = after
    after = await db.write((tx) => resealIdTokens(tx, from, reseal))
  }
  for (let after: string | undefined = ''; after !== undefined; ) {
    const from: string = after
    after = await db.write((tx) => resealTokens(tx, { keyId, from }, reseal))
  }
  const { resealed, missing } = found
  if (resealed > 0) logger.info(`Stored secrets are encrypted with the key ${keyId} now: ${resealed} were re-encrypted`)
  if (missing.size > 0) {
    const ids = [...missing].join(', ')
    logger.warn(`Stored secrets cannot be read: their keys are missing (${ids}); see BURGEE_SECRET_KEY_PREVIOUS`)
  }
}

function findKeyId(secrets: Deps['secrets'], logger: Deps['logger']): string | undefined {
  try {
    return secrets.keyId()
  } catch (error) {
    logger.warn(error instanceof Error ? error.message : String(error))
    return undefined
  }
}

type Reseal = (sealed: string, purpose: string) => string

async function resealIntegrations(tx: Tx, reseal: Reseal): Promise<void> {
  for (const { id, sealed_parameters: before } of await tx
    .selectFrom('integrations')
    .select(['id', 'sealed_parameters'])
    .execute()) {
    const entries = Object.entries(before).map(([name, sealed]) => [name, reseal(sealed, SECRET_PURPOSE)])
    const after = JSON.stringify(Object.fromEntries(entries))
    if (after === JSON.stringify(before)) continue
    await tx.updateTable('integrations').set({ sealed_parameters: after }).where('id', '=', id).execute()
  }
}

async function resealSignIn(tx: Tx, reseal: Reseal): Promise<void> {
  const { sealed, ...settings } = await readStoredOidc(tx)
  if (sealed === undefined) return
  const after = reseal(sealed, OIDC_SECRET_PURPOSE)
  if (after === sealed) return
  const value = JSON.stringify({ ...settings, sealed: after })
  await tx.updateTable('settings').set({ value }).where('name', '=', OIDC).execute()
}

async function resealPrometheus(tx: Tx, reseal: Reseal): Promise<void> {
  const { url, sealed } = await readStoredPrometheus(tx)
  if (sealed === undefined) return
  const after = reseal(sealed, PROMETHEUS_PURPOSE)
  if (after === sealed) return
  const value = JSON.stringify({ url, sealed: after })
  await tx.updateTable('settings').set({ value }).where('name', '=', PROMETHEUS).execute()
}

async function resealInviteLinks(tx: Tx, reseal: Reseal): Promise<void> {
  for (const { id, secret, sealed_secret: before } of await tx
    .selectFrom('invite_links')
    .select(['id', 'secret', 'sealed_secret'])
    .execute()) {
    if (before === null) continue
    const sealed_secret = reseal(before, getInviteLinkPurpose(secret))
    if (sealed_secret === before) continue
    await tx.updateTable('invite_links').set({ sealed_secret }).where('id', '=', id).execute()
  }
}

/** Reseals the ID tokens of some sessions, and returns the last session processed; undefined at the end. */
async function resealIdTokens(tx: Tx, from: string, reseal: Reseal): Promise<string | undefined> {
  const rows = await listSessionsWithIdToken(tx, from, MAX_SECRETS_PER_TRANSACTION)
  for (const { hash, id_token: before } of rows) {
    const id_token = reseal(before, getIdTokenPurpose(hash))
    if (id_token === before) continue
    await tx.updateTable('sessions').set({ id_token }).where('hash', '=', hash).execute()
  }
  return rows.length < MAX_SECRETS_PER_TRANSACTION ? undefined : rows.at(-1)?.hash
}

/** Reseals the secrets of some API tokens, and returns the last token processed; undefined at the end. */
async function resealTokens(
  tx: Tx,
  { keyId, from }: { readonly keyId: string; readonly from: string },
  reseal: Reseal,
): Promise<string | undefined> {
  const rows = await listSecretsWithOtherKeys(tx, keyId, from, MAX_SECRETS_PER_TRANSACTION)
  for (const { token_id, sealed: before } of rows) {
    const sealed = reseal(before, getPurpose(token_id))
    if (sealed === before) continue
    await tx.updateTable('api_token_secrets').set({ sealed }).where('token_id', '=', token_id).execute()
  }
  return rows.length < MAX_SECRETS_PER_TRANSACTION ? undefined : rows.at(-1)?.token_id
}
