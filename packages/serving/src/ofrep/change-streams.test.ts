import { monotonicClock } from '@burgee/kit/monotonic-clock'
import type { EventMessage } from '@burgee/kit/streams/event-message'
import type { EventStream } from '@burgee/kit/streams/event-streams'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ChangeStreams } from './change-streams.ts'

beforeEach(() => void vi.useFakeTimers({ now: 1_000_000 }))
afterEach(() => void vi.useRealTimers())

/** Creates flags whose tag a test sets, with one stream that joined at the initial tag. */
function followed() {
  let [tag, told] = ['off', () => {}]
  const flags = {
    tag: () => tag,
    changedAtMs: () => 0,
    changedAgoMs: () => Date.now(),
    subscribe: (changed: () => void) => {
      told = changed
      return () => {
        told = () => {}
      }
    },
  }
  const group = new ChangeStreams(flags, monotonicClock(Date.now))
  const heard: string[] = []
  const send = ({ plain }: EventMessage) => {
    const [, id = '', type = ''] = /^id: (\S+)\n[\s\S]*"type":"(\w+)"/.exec(plain.toString()) ?? []
    heard.push(`${type} ${id}`)
    return true
  }
  const owner = group.join({ send } as unknown as EventStream, 'off')
  const become = (next: string) => {
    tag = next
    told()
  }
  return { group, heard, become, owner }
}

test('changes within 50 ms are sent as one event, later ones after a quarter of a second', () => {
  const { heard, become } = followed()
  become('on')
  vi.advanceTimersByTime(49)
  expect(heard).toEqual(['connected off'])
  vi.advanceTimersByTime(1)
  become('other')
  vi.advanceTimersByTime(249)
  expect(heard).toEqual(['connected off', 'refetchEvaluation on'])
  vi.advanceTimersByTime(1)
  expect(heard).toEqual(['connected off', 'refetchEvaluation on', 'refetchEvaluation other'])
})

test('flags that changed and changed back are reported, as a client may have read them in between', () => {
  const { heard, become } = followed()
  become('on')
  become('off')
  vi.advanceTimersByTime(50)
  expect(heard).toEqual(['connected off', 'refetchEvaluation off'])
})

test('flags that stay the same are not', () => {
  const { heard, become } = followed()
  become('off')
  vi.advanceTimersByTime(1000)
  expect(heard).toEqual(['connected off'])
})

test('a group without listeners stops following changes', () => {
  const { group, heard, become, owner } = followed()
  become('on')
  owner.ended(undefined as never)
  vi.advanceTimersByTime(1000)
  expect([heard, group.isIdle]).toEqual([['connected off'], true])
})

test('waits half a second for flags that were never here, and not at all for those that were', async () => {
  const { group, become } = followed()
  become('on')
  vi.advanceTimersByTime(50)
  for (const tag of ['off', '"on"', 'W/"off"']) expect(group.waitForTag(tag)).toBeUndefined()
  let done = 0
  void group.waitForTag('"new"')?.then(() => done++)
  await vi.advanceTimersByTimeAsync(499)
  expect(done).toBe(0)
  await vi.advanceTimersByTimeAsync(1)
  expect(done).toBe(1)
})
