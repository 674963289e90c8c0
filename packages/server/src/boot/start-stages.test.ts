import { monotonicClock } from '@burgee/kit/monotonic-clock'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startStages } from './start-stages.ts'

const AWAY = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' })

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
afterEach(() => void vi.useRealTimers())

test.each(['2020-01-01', '2050-01-01'])(
  'waits for the database as long as configured while the clock is set to %s',
  async (setTo) => {
    let passedMs = 0
    let tries = 0
    const runStage = startStages(2, { monotonic: monotonicClock(() => passedMs) })
    const stage = async () => {
      vi.setSystemTime(new Date(setTo))
      tries += 1
      passedMs += 1500
      throw AWAY
    }
    await expect(runStage(stage)).rejects.toBe(AWAY)
    expect(tries).toBe(2)
  },
)
