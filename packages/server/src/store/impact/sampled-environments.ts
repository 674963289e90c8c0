import type { Reader, Tx } from '../database.ts'

/** Names of the environments whose front ends' contexts are sampled. */
export async function sampledEnvironments(reader: Reader): Promise<string[]> {
  const rows = await reader.selectFrom('sampled_environments').select('name').orderBy('name').execute()
  return rows.map(({ name }) => name)
}

/** Notes that contexts of an environment are sampled, which they were not, or the other way round. */
export async function putSampled(tx: Tx, name: string, isSampled: boolean): Promise<void> {
  if (isSampled) await tx.insertInto('sampled_environments').values({ name }).execute()
  else await tx.deleteFrom('sampled_environments').where('name', '=', name).execute()
}
