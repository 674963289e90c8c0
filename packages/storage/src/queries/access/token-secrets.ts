import { chunks } from '../../chunks.ts'
import type { Reader, Tx } from '../../database.ts'

/** Stores the encrypted secret of a token; it is deleted with the token. */
export async function putSealedSecret(tx: Tx, token_id: string, sealed: string): Promise<void> {
  await tx.insertInto('api_token_secrets').values({ token_id, sealed }).execute()
}

/**
 * Returns up to `most` encrypted secrets that were encrypted with a key other than `keyId`, sorted by token id.
 * Continues after the token id `after`.
 */
export function listSecretsWithOtherKeys(
  reader: Reader,
  keyId: string,
  after: string,
  most: number,
): Promise<{ token_id: string; sealed: string }[]> {
  return reader
    .selectFrom('api_token_secrets')
    .selectAll()
    .where('token_id', '>', after)
    .where('sealed', 'not like', `v1.${keyId}.%`)
    .orderBy('token_id')
    .limit(most)
    .execute()
}

/** Returns the encrypted secrets of the given tokens, if stored. */
export async function listSealedSecrets(
  reader: Reader,
  ids: readonly string[],
): Promise<{ token_id: string; sealed: string }[]> {
  const found = []
  for (const part of chunks(ids)) {
    found.push(...(await reader.selectFrom('api_token_secrets').selectAll().where('token_id', 'in', part).execute()))
  }
  return found
}
