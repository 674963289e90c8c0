import type { StoredEvent } from '@burgee/storage/queries/events/events'
import { expect, test } from 'vitest'
import { CommittedFlags } from '../documents/committed-flags.ts'
import { UnpublishedEvents } from './unpublished-events.ts'

/** Number of events of a large import; more than a function call can take as arguments. */
const COUNT = 200_000

test('takes the events of a large import at once', () => {
  const events = Array.from({ length: COUNT }, (_, index) => ({ id: index + 1 }) as StoredEvent)
  const queue = new UnpublishedEvents()
  queue.add(events)
  expect(queue.take()).toHaveLength(COUNT)
  const changed = { environments: new Set<string>(), names: new Set<string>(), committed: new Map() }
  expect(() => new CommittedFlags().keep(events, changed as never)()).not.toThrow()
})
