import type { Notification } from '@burgee/protocol/administration/notification'
import { describe, expect, test } from 'vitest'
import { groupNotifications } from './entry-groups.ts'

const entry = (id: number, of: Partial<Notification>): Notification => ({
  id,
  createdAt: '2030-01-01T00:00:00Z',
  createdBy: 'ina',
  createdByUserId: 7,
  environment: null,
  type: 'feature-metadata-updated',
  project: 'default',
  featureName: 'a',
  data: null,
  preData: null,
  tags: [],
  reason: 'maker',
  ...of,
})
const request = (id: number, changeRequestId: number, type = 'change-request-approved') =>
  entry(id, {
    type,
    featureName: null,
    reason: 'your-request',
    data: { changeRequestId, changeRequestTitle: `Request ${changeRequestId}` },
  })

describe('entries in a row about the same are one group', () => {
  test.each([
    ['nothing', [], []],
    ['one flag', [entry(3, {}), entry(2, {})], [['a', [3, 2]]]],
    [
      'another flag between',
      [entry(3, {}), entry(2, { featureName: 'b' }), entry(1, {})],
      [
        ['a', [3]],
        ['b', [2]],
        ['a', [1]],
      ],
    ],
    [
      'another reason',
      [entry(3, {}), entry(2, { reason: 'favorite' })],
      [
        ['a', [3]],
        ['a', [2]],
      ],
    ],
    ['one request', [request(3, 1), request(2, 1, 'change-request-comment-added')], [['Request 1', [3, 2]]]],
    [
      'two requests',
      [request(3, 1), request(2, 2)],
      [
        ['Request 1', [3]],
        ['Request 2', [2]],
      ],
    ],
    ['a project', [entry(3, { type: 'project-updated', featureName: null })], [['default', [3]]]],
  ])('%s', (_what, entries, groups) => {
    expect(groupNotifications(entries).map(({ name, entries: own }) => [name, own.map(({ id }) => id)])).toEqual(groups)
  })

  test.each([
    ['a flag', entry(1, {}), '/projects/$project/features/$feature'],
    ['a flag that is gone', entry(1, { type: 'feature-deleted' }), undefined],
    ['a change request', request(1, 4), '/projects/$project/change-requests/$request'],
    ['a project', entry(1, { type: 'project-updated', featureName: null }), '/projects/$project/settings'],
    [
      'how a project takes changes',
      entry(1, { type: 'change-request-configuration-updated', featureName: null }),
      '/projects/$project/settings',
    ],
  ])('%s leads there', (_what, one, to) => {
    expect(groupNotifications([one])[0]?.link?.to).toBe(to)
  })
})
