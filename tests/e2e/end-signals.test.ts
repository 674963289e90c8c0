import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { listenForEndSignals, shutDownGracefully } from '../../bin/src/shutdown.ts'

/**
 * Signals that end the shutdown delay early, and the order of the steps that follow. The test controls signals and
 * time.
 */
const listeners = new Map<string | symbol, () => void>()
beforeEach(() => {
  vi.useFakeTimers()
  vi.spyOn(process, 'on').mockImplementation((name, listener) => {
    listeners.set(name, listener as () => void)
    return process
  })
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

const DELAY_MS = 5000
const LIMIT_MS = 4500

test.each([
  ['SIGTERM', false, ['SIGTERM'], DELAY_MS],
  ['SIGTERM in a terminal', true, ['SIGTERM'], DELAY_MS],
  ['SIGINT of a supervisor', false, ['SIGINT'], DELAY_MS],
  ['Ctrl-C in a terminal', true, ['SIGINT'], 0],
  ['a second signal', false, ['SIGTERM', 'SIGTERM'], 0],
  ['a second signal of another kind', false, ['SIGTERM', 'SIGINT'], 0],
])('%s', async (_name, isTerminal, signals, closesAfterMs) => {
  const steps: string[] = []
  const running = {
    times: { delayMs: DELAY_MS, graceMs: 0, flushMs: 0, freeMs: 0, limitMs: LIMIT_MS },
    drain: () => void steps.push('drain'),
    close: async () => void steps.push(`close at ${Date.now() - begun}`),
    announce: (text: string) => void steps.push(text),
  }
  const ends = listenForEndSignals(isTerminal)
  for (const signal of signals) listeners.get(signal)?.()
  await ends.requested
  const begun = Date.now()
  const ended = shutDownGracefully(running, ends, () => void steps.push('left behind'))
  await vi.advanceTimersByTimeAsync(DELAY_MS + LIMIT_MS)
  await ended
  expect(steps).toEqual(['drain', `close at ${closesAfterMs}`, 'Burgee has stopped'])
})

test('a shutdown that hangs is abandoned after the delay and the limit', async () => {
  const giveUp = vi.fn()
  const running = {
    times: { delayMs: DELAY_MS, graceMs: 0, flushMs: 0, freeMs: 0, limitMs: LIMIT_MS },
    drain: () => {},
    close: () => new Promise<void>(() => {}),
    announce: () => {},
  }
  void shutDownGracefully(running, listenForEndSignals(false), giveUp)
  await vi.advanceTimersByTimeAsync(DELAY_MS + LIMIT_MS - 1)
  expect(giveUp).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(giveUp).toHaveBeenCalledOnce()
})
