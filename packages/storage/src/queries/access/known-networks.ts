import type { Reader, Tx } from '../../database.ts'
import { isLogin } from './users.ts'

/** Maximum number of known networks per account; beyond it, the least recently used one is deleted. */
const MAX_NETWORKS = 10

/** Returns the id of the account with a login name, and the hashes of networks from which it has logged in. */
export function listNetworksOfLogin(
  reader: Reader,
  login: string,
): Promise<{ user_id: number; network_hash: string }[]> {
  return reader
    .selectFrom('known_networks as n')
    .innerJoin('users as u', 'u.id', 'n.user_id')
    .select(['n.user_id', 'n.network_hash'])
    .where('n.user_id', 'in', ({ selectFrom }) =>
      selectFrom('users')
        .select('id')
        .where((eb) => isLogin(eb, login)),
    )
    .execute()
}

/**
 * Records that an account has logged in from a network. Also deletes the account's least recently used networks beyond
 * the maximum.
 */
export async function recordNetwork(
  tx: Tx,
  row: { user_id: number; network_hash: string; seen_at: number },
): Promise<void> {
  await tx
    .insertInto('known_networks')
    .values(row)
    .onConflict((conflict) => conflict.columns(['user_id', 'network_hash']).doUpdateSet({ seen_at: row.seen_at }))
    .execute()
  await tx
    .deleteFrom('known_networks')
    .where('user_id', '=', row.user_id)
    .where('network_hash', 'not in', ({ selectFrom }) =>
      selectFrom('known_networks')
        .select('network_hash')
        .where('user_id', '=', row.user_id)
        .orderBy('seen_at', 'desc')
        .orderBy('network_hash')
        .limit(MAX_NETWORKS),
    )
    .execute()
}

/** Deletes all networks of an account, or of several accounts. */
export async function deleteNetworks(tx: Tx, of: number | readonly number[]): Promise<void> {
  await tx
    .deleteFrom('known_networks')
    .where('user_id', 'in', typeof of === 'number' ? [of] : of)
    .execute()
}
