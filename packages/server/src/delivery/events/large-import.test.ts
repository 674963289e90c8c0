import { SILENT } from '@burgee/kit/log/logger'
import { PROCESS_CLOCK } from '@burgee/kit/monotonic-clock'
import type { StoredEvent } from '@burgee/storage/queries/events/events'
import { expect, test } from 'vitest'
import { createTelemetry } from '../../core/telemetry.ts'
import { createBroadcast } from './broadcast.ts'
import { EventOrder } from './event-order.ts'
import type { OpenBroadcast } from './shared-broadcast.ts'
import { UnpublishedEvents } from './unpublished-events.ts'

/** Number of events of a large import; more than a function call can take as arguments. */
const COUNT = 200_000

const events = Array.from({ length: COUNT }, (_, index) => ({ id: index + 1, type: 'feature-created' }) as StoredEvent)

test('takes the events of a large import at once', () => {
  const queue = new UnpublishedEvents()
  queue.add(events)
  expect(queue.take()).toHaveLength(COUNT)
})

test('publishes a large import while the database cannot be read', () => {
  const received: number[] = []
  const notify = (published: readonly StoredEvent[]) => received.push(published.length)
  const order = new EventOrder({ notify }, { epoch: 'a', id: 0, madeAt: 0 }, () => false)
  order.publishOutOfOrder(events)
  expect(received).toEqual([COUNT])
  expect(order.lastReceived).toEqual({ epoch: 'a', id: COUNT })
})

test('metrics show the revision after a large import', async () => {
  const telemetry = createTelemetry({ limit: 10, monotonic: PROCESS_CLOCK })
  const failures: unknown[] = []
  const local = createBroadcast({ ...SILENT, error: (...line) => void failures.push(line) })
  telemetry.wrapBroadcast(local as unknown as OpenBroadcast, 0)
  local.notify(events)
  await local.settled()
  expect(failures).toEqual([])
  expect(await telemetry.text()).toContain(`burgee_revision ${COUNT}\n`)
})
