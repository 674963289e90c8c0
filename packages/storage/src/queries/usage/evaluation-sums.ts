import type { Reader } from '../../database.ts'

/** Selects the evaluations of a flag since the start of an hour, as reported by applications. */
export interface EvaluationFilter {
  readonly feature: string
  readonly environment: string
  /** Start of an hour, in milliseconds since 1970. */
  readonly since: number
  /** Names of the applications to include; all applications if omitted. */
  readonly apps?: readonly string[] | undefined
}

/** Returns the number of times that SDKs evaluated a flag as on, and as off. */
export async function readEvaluations(
  reader: Reader,
  { feature, environment, since, apps }: EvaluationFilter,
): Promise<{ readonly yes: number; readonly no: number }> {
  let query = reader
    .selectFrom('client_metrics')
    .select(({ fn }) => [fn.sum<number | null>('yes').as('yes'), fn.sum<number | null>('no').as('no')])
    .where('feature_name', '=', feature)
    .where('environment', '=', environment)
    .where('hour', '>=', since)
  if (apps !== undefined && !apps.includes('*')) query = query.where('app_name', 'in', [...apps])
  const row = await query.executeTakeFirst()
  return { yes: Number(row?.yes ?? 0), no: Number(row?.no ?? 0) }
}
