import type { Reader, Tx } from '../../database.ts'

/** Returns the names of the environments in which the contexts of frontend clients are sampled. */
export async function listSampledEnvironments(reader: Reader): Promise<string[]> {
  const rows = await reader.selectFrom('sampled_environments').select('name').orderBy('name').execute()
  return rows.map(({ name }) => name)
}

/** Enables or disables the sampling of contexts in an environment. The new setting must differ from the stored one. */
export async function putSampled(tx: Tx, name: string, isSampled: boolean): Promise<void> {
  if (isSampled) await tx.insertInto('sampled_environments').values({ name }).execute()
  else await tx.deleteFrom('sampled_environments').where('name', '=', name).execute()
}
