import type { Tx } from '@burgee/storage/database'
import { digestSecret, SECRET_DIGEST_PREFIX } from '@burgee/storage/queries/invitations/secret-digest'
import { listSessionsWithIdToken } from '@burgee/storage/queries/sso/identities'
import type { World } from '../world.ts'
import { getIdTokenPurpose, getInviteLinkPurpose, sealOptional } from './optional-secrets.ts'
import { parseSealed } from './sealed-text.ts'
import type { Secrets } from './secrets.ts'

const MAX_SESSIONS_PER_TRANSACTION = 200

/**
 * Replaces secrets that earlier versions stored unencrypted. For an invite link, stores the digest and the sealed
 * secret; for a session, stores the sealed ID token. If there is no key, stores only the digests. Does nothing if the
 * key file cannot be used.
 */
export async function sealPlainSecrets({ db, secrets }: Pick<World, 'db' | 'secrets'>): Promise<void> {
  if (!isKeyUsable(secrets)) return
  await db.write((tx) => sealInviteLinks(tx, secrets))
  for (let after: string | undefined = ''; after !== undefined; ) {
    const from: string = after
    after = await db.write((tx) => sealIdTokens(tx, secrets, from))
  }
}

function isKeyUsable(secrets: Secrets): boolean {
  try {
    secrets.keyId()
    return true
  } catch {
    // `resealSecrets` already reports the problem with the key file
    return false
  }
}

async function sealInviteLinks(tx: Tx, secrets: Secrets): Promise<void> {
  const rows = await tx
    .selectFrom('invite_links')
    .select(['id', 'secret'])
    .where('secret', 'not like', `${SECRET_DIGEST_PREFIX}%`)
    .execute()
  for (const { id, secret: plain } of rows) {
    const secret = digestSecret(plain)
    const sealed_secret = sealOptional(secrets, plain, getInviteLinkPurpose(secret))
    await tx.updateTable('invite_links').set({ secret, sealed_secret }).where('id', '=', id).execute()
  }
}

/** Seals the ID tokens of some sessions, and returns the last session processed; undefined at the end. */
async function sealIdTokens(tx: Tx, secrets: Secrets, from: string): Promise<string | undefined> {
  const rows = await listSessionsWithIdToken(tx, from, MAX_SESSIONS_PER_TRANSACTION)
  for (const { hash, id_token: before } of rows) {
    if (parseSealed(before) !== undefined) continue
    const id_token = sealOptional(secrets, before, getIdTokenPurpose(hash))
    await tx.updateTable('sessions').set({ id_token }).where('hash', '=', hash).execute()
  }
  return rows.length < MAX_SESSIONS_PER_TRANSACTION ? undefined : rows.at(-1)?.hash
}
