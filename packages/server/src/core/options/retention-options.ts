import type { OptionTable } from '@burgee/kit/options/options'
import { integer } from '@burgee/kit/options/parsers'

const MAX_DAYS = 36_500
const days = { parse: integer(0, MAX_DAYS), unit: 'days' } as const

/** Options that limit how long history, usage and similar data is stored. */
export const RETENTION_OPTIONS = {
  eventRetentionDays: {
    env: ['EVENT_RETENTION_DAYS'],
    ...days,
    default: 730,
    doc: 'How long the history is kept; 0: for ever.',
  },
  hourlyUsageRetentionDays: {
    env: ['HOURLY_USAGE_RETENTION_DAYS'],
    ...days,
    default: 7,
    doc: 'How long usage is kept by the hour; then it is summed up by the day (UTC). 0: as long as it is kept.',
  },
  usageRetentionDays: {
    env: ['USAGE_RETENTION_DAYS', 'DAILY_METRICS_STORAGE_DAYS'],
    ...days,
    default: 90,
    doc: 'How long usage is kept; 0: for ever.',
  },
  unseenRetentionDays: {
    env: ['UNSEEN_RETENTION_DAYS'],
    ...days,
    default: 30,
    doc: 'How long applications, their processes and unknown flags are kept after they were last heard of; 0: for ever. Applications that people have described stay.',
  },
  loginRetentionDays: {
    env: ['LOGIN_RETENTION_DAYS'],
    ...days,
    default: 30,
    doc: 'How long it is kept who has logged in, from where, and who tried; 0: for ever. The last 100,000 at most.',
  },
  expiredTokenRetentionDays: {
    env: ['EXPIRED_TOKEN_RETENTION_DAYS'],
    ...days,
    default: 30,
    doc: 'How long tokens that have run out are still listed; 0: for ever. Sessions and links that have run out go within the hour.',
  },
  changeRequestRetentionDays: {
    env: ['CHANGE_REQUEST_RETENTION_DAYS'],
    ...days,
    default: 730,
    doc: 'How long change requests are kept after they were applied, rejected or cancelled; 0: for ever. Their events are history.',
  },
} as const satisfies OptionTable
