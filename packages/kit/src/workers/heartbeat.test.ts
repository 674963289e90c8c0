import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { SILENT } from '../log/logger.ts'
import { watchHeartbeat } from './heartbeat.ts'
import type { ToPrimary, ToWorker } from './messages.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Creates a worker whose messages the test sends. */
function watched() {
  let hear = (_message: ToPrimary<unknown>): void => {}
  const end = Promise.withResolvers<string>()
  const sent: ToWorker<unknown>[] = []
  const worker = {
    channel: {
      send: (message: ToWorker<unknown>) => void sent.push(message),
      listen: (listener: typeof hear) => {
        hear = listener
      },
    },
    ended: end.promise,
    kill: vi.fn(() => end.resolve('SIGKILL')),
  }
  watchHeartbeat(worker, SILENT)
  return { worker, sent, end: end.resolve, says: (kind: 'hello' | 'beat') => hear({ kind }) }
}

test.each([
  ['answers each time', 20, () => true, 0],
  ['answers every fifth time', 20, (second: number) => second % 5 === 4, 0],
  ['falls silent', 20, (second: number) => second < 3, 1],
  ['never answers', 6, () => false, 1],
  ['has not had its time yet', 5, () => false, 0],
])('one that %s, %i s', async (_name, seconds, answers, kills) => {
  const { worker, says } = watched()
  says('hello')
  for (let second = 0; second < seconds; second += 1) {
    await vi.advanceTimersByTimeAsync(1000)
    if (answers(second)) says('beat')
  }
  expect(worker.kill).toHaveBeenCalledTimes(kills)
})

test('one that is only just starting, or has gone, is not asked', async () => {
  const { sent, says, end } = watched()
  await vi.advanceTimersByTimeAsync(20_000)
  says('hello')
  end('exit code 0')
  await vi.advanceTimersByTimeAsync(20_000)
  expect(sent).toEqual([])
})
