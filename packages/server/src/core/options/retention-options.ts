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
    doc: 'Retention of the history (events); 0: indefinitely.',
  },
  hourlyUsageRetentionDays: {
    env: ['HOURLY_USAGE_RETENTION_DAYS'],
    ...days,
    default: 7,
    doc: 'Retention of hourly usage, which is then aggregated per day (UTC); 0: as long as `usageRetentionDays`.',
  },
  usageRetentionDays: {
    env: ['USAGE_RETENTION_DAYS', 'DAILY_METRICS_STORAGE_DAYS'],
    ...days,
    default: 90,
    doc: 'Retention of usage; 0: indefinitely.',
  },
  impactRetentionDays: {
    env: ['IMPACT_RETENTION_DAYS'],
    ...days,
    default: 90,
    doc: 'Retention of impact metrics: by minute for two days, by 15 minutes for two weeks, then by three hours; 0: indefinitely.',
  },
  unseenRetentionDays: {
    env: ['UNSEEN_RETENTION_DAYS'],
    ...days,
    default: 30,
    doc: 'Retention of applications, their instances and unknown flags after their last report; 0: indefinitely. Applications with a description are kept.',
  },
  loginRetentionDays: {
    env: ['LOGIN_RETENTION_DAYS'],
    ...days,
    default: 30,
    doc: 'Retention of logins and failed logins, with their addresses; 0: indefinitely. At most the last 100,000.',
  },
  expiredTokenRetentionDays: {
    env: ['EXPIRED_TOKEN_RETENTION_DAYS'],
    ...days,
    default: 30,
    doc: 'Time that lists still contain expired tokens; 0: indefinitely. Expired sessions and links are deleted within an hour.',
  },
  changeRequestRetentionDays: {
    env: ['CHANGE_REQUEST_RETENTION_DAYS'],
    ...days,
    default: 730,
    doc: 'Retention of change requests after they were applied, rejected or cancelled; 0: indefinitely. Their events belong to the history.',
  },
} as const satisfies OptionTable
