import { describe, expect, test } from 'vitest'
import { AnnouncedProfile } from './announced-profile.ts'

describe('the profile in use', () => {
  test.each<[string, 'node' | 'yggdrasil' | undefined, (string | null)[], string, number]>([
    ['by default', undefined, [], 'yggdrasil', 0],
    ['of a server that announces none', undefined, [null], 'yggdrasil', 0],
    ['as announced', undefined, ['node'], 'node', 1],
    ['as announced last', undefined, ['node', 'yggdrasil', 'node'], 'node', 3],
    ['stays when a later reply announces none', undefined, ['node', null], 'node', 1],
    ['stays when a later reply announces an unknown one', undefined, ['node', 'other'], 'node', 1],
    ['by option, whatever is announced', 'yggdrasil', ['node'], 'yggdrasil', 0],
  ])('%s', (_name, configured, announcements, expected, changes) => {
    const profile = new AnnouncedProfile({ configured, fallback: 'yggdrasil' })
    let changed = 0
    profile.subscribe(() => {
      changed += 1
    })
    for (const name of announcements) profile.applyAnnouncement(name)
    expect([profile.current, changed]).toEqual([expected, changes])
  })
})
