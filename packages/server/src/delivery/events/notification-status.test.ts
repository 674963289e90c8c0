import { SILENT } from '@burgee/kit/log/logger'
import { monotonicClock } from '@burgee/kit/monotonic-clock'
import { expect, test } from 'vitest'
import { NotificationStatus } from './notification-status.ts'

test('ends a failure after ten seconds, whatever happens to the wall clock', () => {
  let [wallMs, monotonicMs] = [1_000_000, 0]
  const status = new NotificationStatus({
    clock: () => wallMs,
    monotonic: monotonicClock(() => monotonicMs),
    logger: SILENT,
    warn() {},
  })
  status.recordDisconnect()
  status.recordFailure(new Error('listen is refused'))
  status.recordNotification()
  wallMs += 3_600_000
  status.endIfStable()
  expect(status.failure).toMatchObject({ sinceMs: 1_000_000 })
  wallMs = 0
  monotonicMs += 10_000
  status.endIfStable()
  expect(status.failure).toBeUndefined()
})
