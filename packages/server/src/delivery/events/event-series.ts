import type { SeriesRegistry } from '@burgee/kit/series/series'
import type { StoredEvent } from '@burgee/storage/queries/events/events'
import type { OpenBroadcast } from './shared-broadcast.ts'

const MS_PER_SECOND = 1000
const PROPAGATION_SECONDS = [0.025, 0.05, 0.075, 0.1, 0.15, 0.25, 0.5, 1, 2.5, 5]
const DELIVERY_SECONDS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30, 60, 120, 300]

/** Adds the time from a commit to the sockets, and returns a function that records it. */
export function countPropagation(registry: SeriesRegistry): (durationMs: number) => void {
  const seconds = registry.histogram(
    'burgee_propagation_seconds',
    'Time from the commit of a change on any node until it was written to the sockets of all streams of this node.',
    PROPAGATION_SECONDS,
  )
  return (durationMs) => seconds.observe(durationMs / MS_PER_SECOND)
}

/** Adds the time from a commit to a connection that has it, and returns a function that records it. */
export function countDeliveries(registry: SeriesRegistry): (durationMs: number) => void {
  const seconds = registry.histogram(
    'burgee_delivery_seconds',
    'Time from the commit of a change until it was sent to a connection that has it.',
    DELIVERY_SECONDS,
  )
  return (durationMs) => seconds.observe(durationMs / MS_PER_SECOND)
}

/**
 * Adds metrics of events. Returns a function that wraps a broadcast, so that the events that it publishes are counted.
 */
export function countEvents(
  registry: SeriesRegistry,
  recordChanges: (written: readonly StoredEvent[]) => void,
): (broadcast: OpenBroadcast, lastEvent: number) => OpenBroadcast {
  const events = registry.counter('burgee_events_total', 'Events that this server wrote, by type.')
  let revision: number | undefined
  registry.gauge('burgee_revision', 'Id of the last event that this server has read.', () => revision)
  return (broadcast, lastEvent) => {
    revision = lastEvent
    broadcast.subscribe(
      (received) => {
        revision = Math.max(revision ?? 0, received.at(-1)?.id ?? 0)
      },
      (now) => {
        revision = now.id
      },
    )
    const publish = (written: readonly StoredEvent[]) => {
      for (const { type } of written) events.add(1, { type })
      recordChanges(written)
      return broadcast.publish(written)
    }
    return { ...broadcast, publish }
  }
}
