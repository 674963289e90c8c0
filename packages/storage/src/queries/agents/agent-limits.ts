import type { AgentAccess } from '@burgee/protocol/administration/agent'
import type { Reader, Tx } from '../../database.ts'

/** Environment with its type and its stored limit; null if the default of the type applies. */
export interface AgentLimitRow {
  readonly name: string
  readonly type: string
  readonly access: AgentAccess | null
}

/** Returns all environments in their order, with their stored limits. */
export function listAgentLimits(reader: Reader): Promise<AgentLimitRow[]> {
  return reader
    .selectFrom('environments as e')
    .leftJoin('agent_limits as l', 'l.environment', 'e.name')
    .select(['e.name', 'e.type', 'l.access'])
    .orderBy('e.sort_order')
    .orderBy('e.name')
    .execute()
}

/** Stores the limit of an environment. */
export async function putAgentLimit(tx: Tx, environment: string, access: AgentAccess): Promise<void> {
  await tx
    .insertInto('agent_limits')
    .values({ environment, access })
    .onConflict((conflict) => conflict.column('environment').doUpdateSet({ access }))
    .execute()
}

/** Deletes the limit of an environment, so that the default of its type applies. */
export async function deleteAgentLimit(tx: Tx, environment: string): Promise<void> {
  await tx.deleteFrom('agent_limits').where('environment', '=', environment).execute()
}
