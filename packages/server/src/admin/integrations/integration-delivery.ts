import type { Event } from '@burgee/protocol/event'
import type { Reader } from '@burgee/storage/database'
import { toEvent } from '@burgee/storage/queries/events/events'
import type { IntegrationRow } from '@burgee/storage/queries/integrations/integrations'
import { type Secrets, SecretUnreadable } from '../../core/secrets/secrets.ts'
import { buildCalls, type OutgoingCall } from './calls.ts'
import { type CallGuard, type CallResult, callGuarded } from './guarded-request.ts'
import { decryptParameters } from './parameters.ts'

/** Dependencies of deliveries. */
export interface DeliveryMeans {
  readonly guard: CallGuard
  readonly secrets: Secrets
  /** Address of the admin UI, without a trailing slash. */
  readonly baseUrl: string
  /** Milliseconds since 1970. */
  readonly clock: () => number
}

/** Result of the HTTP calls that deliver an event. */
export interface DeliveryResult extends CallResult {
  readonly durationMs: number
  /** Number of calls completed so far for this event. A retry starts with the next call. */
  readonly part: number
}

/**
 * Delivers an event to an integration, starting with the call at index `part`. Stops at the first failure. Never
 * rejects.
 */
export async function deliver(
  integration: IntegrationRow,
  { event, part }: { readonly event: Event; readonly part: number },
  { guard, secrets, baseUrl, clock }: DeliveryMeans,
): Promise<DeliveryResult> {
  const begun = performance.now()
  const ended = (result: CallResult, done: number): DeliveryResult => {
    return { ...result, durationMs: Math.round(performance.now() - begun), part: done }
  }
  let calls: OutgoingCall[]
  try {
    const parameters = decryptParameters(integration, secrets)
    calls = buildCalls({ provider: integration.provider, parameters, event, baseUrl, now: clock() })
  } catch (error) {
    return ended(describePreparationError(error), part)
  }
  let last: CallResult = { status: undefined, error: undefined, retry: 'never' }
  for (let index = part; index < calls.length; index += 1) {
    last = await callGuarded(calls[index] as OutgoingCall, guard)
    if (last.error !== undefined) return ended(last, index)
  }
  return ended(last, calls.length)
}

/**
 * Describes why the calls for an event could not be built. If the key of a secret is missing, the delivery is retried
 * until the key is configured. If a secret is damaged, the delivery is retried for a limited time, so that an
 * administrator can replace the secret.
 */
function describePreparationError(error: unknown): CallResult {
  if (!(error instanceof SecretUnreadable)) {
    const text = 'The message could not be created from the event and the parameters'
    return { status: undefined, error: text, retry: 'never' }
  }
  const retry = error.reason === 'key-missing' ? 'unlimited' : 'limited'
  return { status: undefined, error: error.message, retry }
}

/** Returns an event in the form that receivers get; undefined if it is no longer stored. */
export async function findEvent(reader: Reader, id: number): Promise<Event | undefined> {
  const row = await reader.selectFrom('events').selectAll().where('id', '=', id).executeTakeFirst()
  return row === undefined ? undefined : toEvent(row)
}

/** Returns a test event of a type that the integration accepts. */
export function buildTestEvent(
  { event_types: [type = 'feature-created'] }: IntegrationRow,
  by: string,
  now: number,
): Event {
  return {
    id: 0,
    type,
    createdAt: new Date(now).toISOString(),
    createdBy: by,
    createdByUserId: 0,
    data: null,
    preData: null,
    tags: [],
    featureName: 'test-of-this-integration',
    project: 'default',
    environment: 'development',
  }
}
