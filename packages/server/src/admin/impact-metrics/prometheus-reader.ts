import { SecretUnreadable } from '../../core/secrets/secrets.ts'
import type { World } from '../../core/world.ts'
import type { CallGuard } from '../integrations/guarded-request.ts'
import { PrometheusFailure, type PrometheusSeries, type RangeQuery, readRange } from './prometheus-client.ts'
import { PROMETHEUS_PURPOSE, readStoredPrometheus } from './prometheus-settings.ts'

/** Flag in an environment, for the variables of a query. */
export interface QuerySubject {
  readonly feature: string
  readonly environment: string
}

/** Dependencies of reads from Prometheus. */
export type PrometheusWorld = Pick<World, 'db' | 'secrets'> & { readonly deliveryMeans: { readonly guard: CallGuard } }

/** Reads a range query, with names in place of its variables. Throws PrometheusFailure. */
export async function readPrometheus(
  { db, secrets, deliveryMeans }: PrometheusWorld,
  { query, ...time }: RangeQuery,
  subject: QuerySubject,
): Promise<PrometheusSeries[]> {
  const { url, sealed } = await db.view(readStoredPrometheus)
  if (url === '') throw new PrometheusFailure('No Prometheus server is set')
  const authorization = sealed === undefined ? undefined : openHeader(secrets, sealed)
  return readRange({ url, authorization }, { query: replaceVariables(query, subject), ...time }, deliveryMeans.guard)
}

function openHeader(secrets: World['secrets'], sealed: string): string {
  try {
    return secrets.open(sealed, PROMETHEUS_PURPOSE)
  } catch (error) {
    if (error instanceof SecretUnreadable) throw new PrometheusFailure(error.message)
    throw error
  }
}

/** Replaces `$flag` and `$environment`. Names are escaped as in a string of PromQL. */
function replaceVariables(query: string, { feature, environment }: QuerySubject): string {
  const names: Readonly<Record<string, string>> = { flag: feature, environment }
  return query.replace(/\$(flag|environment)\b/g, (_all, name: string) => {
    return (names[name] ?? '').replaceAll(/["'\\`]/g, (character) => `\\${character}`)
  })
}
