import { SILENT } from '@burgee/kit/log/logger'
import type { EventStream } from '@burgee/kit/streams/event-streams'
import type { StoredEvent } from '@burgee/storage/queries/events/events'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createBroadcast, type LocalBroadcast } from '../../../delivery/events/broadcast.ts'
import { StreamHolders } from './stream-holders.ts'

const NOW_MS = 1_000_000
const DAY_MS = 86_400_000
const RUN = 'a'.repeat(24)
const RUN_TOKEN = `${RUN}-client`
let broadcast: LocalBroadcast
let holders: StreamHolders
beforeEach(() => {
  vi.useFakeTimers({ now: NOW_MS })
  broadcast = createBroadcast(SILENT)
  holders = new StreamHolders({ clock: Date.now, broadcast })
})
afterEach(() => {
  holders.close()
  vi.useRealTimers()
})

/** Opens a stream for a holder; `ended` becomes true when the stream ends. */
function hold(id: string, more: { readonly projects?: string[]; readonly expires_at?: number | null } = {}) {
  const stream = { ended: false, end: () => Object.assign(stream, { ended: true }) }
  const holder = { id, projects: ['*'], expires_at: null, ...more }
  const forget = holders.register(stream as unknown as EventStream, holder)
  return { stream, forget }
}
const tell = (type: string, more: object = {}) => broadcast.notify([{ id: 1, type, ...more } as unknown as StoredEvent])

const modes = (before: string, after: string) => ({ project: 'p', preData: { mode: before }, data: { mode: after } })

describe('streams of these credentials end, and no others', () => {
  test.each<[string, string, object, string[]]>([
    ['a token is deleted', 'api-token-deleted', { preData: { id: 't1' } }, ['t1']],
    ['a token changes', 'api-token-updated', { data: { id: 't2' }, preData: { id: 't2' } }, ['t2']],
    ['a token is made', 'api-token-created', { data: { id: 't3' } }, []],
    ['a project is deleted', 'project-deleted', { project: 'p' }, ['t2']],
    ['a token of a person is deleted', 'pat-deleted', { preData: { id: 7 } }, ['personal 7']],
    ['a person changes', 'user-updated', {}, ['personal 7']],
    ['a person is deleted', 'user-deleted', {}, ['personal 7']],
    ['an account of a program changes', 'service-account-updated', {}, ['personal 7']],
    ['an account of a program is deleted', 'service-account-deleted', {}, ['personal 7']],
    ['a user leaves a group', 'group-user-removed', {}, ['personal 7']],
    ['a group goes', 'group-deleted', {}, ['personal 7']],
    ['a role changes', 'role-updated', {}, ['personal 7']],
    ['a user leaves a project', 'project-access-user-roles-deleted', { project: 'p' }, ['personal 7']],
    ['a group leaves a project', 'project-access-group-roles-deleted', { project: 'p' }, ['personal 7']],
    ['a project is made private', 'project-updated', modes('open', 'private'), ['personal 7']],
    ['a project changes otherwise', 'project-updated', modes('open', 'open'), []],
    ['a flag changes', 'feature-updated', { data: { id: 't1' } }, []],
    ['another test run ends', 'test-run-deleted', { preData: { id: 'b'.repeat(24) } }, []],
    ['a test run changes', 'test-run-updated', { data: { id: RUN }, preData: { id: RUN } }, []],
    ['a test run ends', 'test-run-deleted', { preData: { id: RUN } }, [RUN_TOKEN]],
    ['a project is archived', 'project-archived', { project: 'q' }, [RUN_TOKEN]],
    ['an environment leaves a project', 'project-environment-removed', { project: 'q' }, [RUN_TOKEN]],
    ['an environment is deleted', 'environment-deleted', {}, [RUN_TOKEN]],
  ])('%s', (_name, type, more, expected) => {
    const all = [hold('t1'), hold('t2', { projects: ['p'] }), hold('personal 7'), hold(RUN_TOKEN, { projects: ['q'] })]
    tell(type, more)
    const ended = ['t1', 't2', 'personal 7', RUN_TOKEN].filter((_id, index) => all[index]?.stream.ended)
    expect(ended).toEqual(expected)
  })

  test('a restore ends all', async () => {
    const all = [hold('t1'), hold('personal 7')]
    await broadcast.notifyRestored({ epoch: 'other', id: 1 })
    expect(all.map(({ stream }) => stream.ended)).toEqual([true, true])
  })

  test('credentials run out, however late that is', () => {
    const soon = hold('t1', { expires_at: NOW_MS + 1000 })
    const late = hold('t2', { expires_at: NOW_MS + 60 * DAY_MS })
    const never = hold('t3')
    const second = hold('t1', { expires_at: NOW_MS + 1000 })
    vi.advanceTimersByTime(999)
    expect(soon.stream.ended).toBe(false)
    vi.advanceTimersByTime(1)
    expect([soon, second, late, never].map(({ stream }) => stream.ended)).toEqual([true, true, false, false])
    vi.advanceTimersByTime(60 * DAY_MS)
    expect([late, never].map(({ stream }) => stream.ended)).toEqual([true, false])
  })

  test('ended streams are forgotten', () => {
    const { stream, forget } = hold('t1', { expires_at: NOW_MS + 1000 })
    forget()
    expect(vi.getTimerCount()).toBe(0)
    tell('api-token-deleted', { preData: { id: 't1' } })
    expect(stream.ended).toBe(false)
  })
})
