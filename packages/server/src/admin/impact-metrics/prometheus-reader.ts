import { SecretUnreadable } from '../../core/secrets/secrets.ts'
import type { World } from '../../core/world.ts'
import type { CallGuard } from '../integrations/guarded-request.ts'
import { PrometheusFailure, type PrometheusSeries, type RangeQuery, readRange } from './prometheus-client.ts'
import { type PrometheusReads, type ReadPurpose, ReadRejected } from './prometheus-reads.ts'
import { PROMETHEUS_PURPOSE, readStoredPrometheus } from './prometheus-settings.ts'

/** Flag and environment that replace the variables of a query. */
export interface QuerySubject {
  readonly feature: string
  readonly environment: string
}

/** Maximum size of a reply, by purpose of the read. */
export type PrometheusWorld = Pick<World, 'db' | 'secrets'> & {
  readonly deliveryMeans: { readonly guard: CallGuard }
  readonly prometheusReads: PrometheusReads
}

/** Maximum size of a reply by purpose. A safeguard reads one value from each of a few series. */
const MAX_BYTES: Readonly<Record<ReadPurpose, number>> = { chart: 4 * 1024 * 1024, safeguard: 256 * 1024 }

/** Range query with variables, and the purpose of the read. */
export interface PrometheusQuery extends Omit<RangeQuery, 'maxBytes'> {
  readonly purpose: ReadPurpose
}

/**
 * Waits for its turn, replaces the variables in a range query with names, and runs the query. Throws PrometheusFailure.
 */
export async function readPrometheus(
  { db, secrets, deliveryMeans, prometheusReads }: PrometheusWorld,
  { query, purpose, ...time }: PrometheusQuery,
  subject: QuerySubject,
): Promise<PrometheusSeries[]> {
  const { url, sealed } = await db.view(readStoredPrometheus)
  if (url === '') throw new PrometheusFailure('No Prometheus server is configured')
  const authorization = sealed === undefined ? undefined : openHeader(secrets, sealed)
  const range = { query: replaceVariables(query, subject), ...time, maxBytes: MAX_BYTES[purpose] }
  const read = () => readRange({ url, authorization }, range, deliveryMeans.guard)
  return prometheusReads.run(purpose, read).catch((error: unknown) => {
    throw error instanceof ReadRejected ? new PrometheusFailure(error.message) : error
  })
}

function openHeader(secrets: World['secrets'], sealed: string): string {
  try {
    return secrets.open(sealed, PROMETHEUS_PURPOSE)
  } catch (error) {
    if (error instanceof SecretUnreadable) throw new PrometheusFailure(error.message)
    throw error
  }
}

/** Replaces `$flag` and `$environment`. Names are escaped in the same way as in a PromQL string. */
function replaceVariables(query: string, { feature, environment }: QuerySubject): string {
  const names: Readonly<Record<string, string>> = { flag: feature, environment }
  return query.replace(/\$(flag|environment)\b/g, (_all, name: string) => {
    return (names[name] ?? '').replaceAll(/["'\\`]/g, (character) => `\\${character}`)
  })
}
