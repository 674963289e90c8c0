import { chunks } from '../chunks.ts'
import type { Reader, Tx } from '../database.ts'

/** Keeps the sealed secret of a token; it goes with the token. */
export async function putSealedSecret(tx: Tx, token_id: string, sealed: string): Promise<void> {
  await tx.insertInto('api_token_secrets').values({ token_id, sealed }).execute()
}

/** Sealed secrets that are not under a key; some of them, after a token. */
export function secretsUnderOthers(
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

/** Sealed secrets of these tokens, where they were kept. */
export async function sealedSecretsOf(
  reader: Reader,
  ids: readonly string[],
): Promise<{ token_id: string; sealed: string }[]> {
  const found = []
  for (const part of chunks(ids)) {
    found.push(...(await reader.selectFrom('api_token_secrets').selectAll().where('token_id', 'in', part).execute()))
  }
  return found
}
