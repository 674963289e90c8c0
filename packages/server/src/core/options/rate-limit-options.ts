import type { OptionTable } from '@burgee/kit/options/options'
import { integer } from '@burgee/kit/options/parsers'

/** Rate limits per address for costly operations. The variables have the names that operators know from Unleash. */
export const RATE_LIMIT_OPTIONS = {
  simpleLoginLimitPerMinute: {
    env: ['SIMPLE_LOGIN_LIMIT_PER_MINUTE'],
    parse: integer(1),
    default: 10,
    doc: 'Logins per minute of one account from one address; ten times as many of one account from anywhere, and from one address to any account. An IPv6 network (/64) counts as one address. An address from which the account has logged in before is exempt from the limit for anywhere.',
  },
  passwordResetLimitPerMinute: {
    env: ['PASSWORD_RESET_LIMIT_PER_MINUTE'],
    parse: integer(1),
    default: 10,
    doc: 'Passwords set by a link, and links asked for, per minute and address.',
  },
  createUserRateLimitPerMinute: {
    env: ['CREATE_USER_RATE_LIMIT_PER_MINUTE'],
    parse: integer(1),
    default: 20,
    doc: 'Users added per minute and address, by administrators and by invite links.',
  },
  registerClientRateLimitPerMinute: {
    env: ['REGISTER_CLIENT_RATE_LIMIT_PER_MINUTE'],
    parse: integer(1),
    default: 6000,
    doc: 'Registrations of server-side SDKs per minute and address.',
  },
  clientMetricsRateLimitPerMinute: {
    env: ['CLIENT_METRICS_RATE_LIMIT_PER_MINUTE'],
    parse: integer(1),
    default: 6000,
    doc: 'Metrics reports of server-side SDKs and proxies per minute and address.',
  },
  registerFrontendRateLimitPerMinute: {
    env: ['REGISTER_FRONTEND_RATE_LIMIT_PER_MINUTE'],
    parse: integer(1),
    default: 6000,
    doc: 'Registrations of front-end SDKs per minute and address.',
  },
  frontendMetricsRateLimitPerMinute: {
    env: ['FRONTEND_METRICS_RATE_LIMIT_PER_MINUTE'],
    parse: integer(1),
    default: 6000,
    doc: 'Metrics reports of front-end SDKs per minute and address.',
  },
  edgeValidateLimitPerMinute: {
    env: ['EDGE_VALIDATE_LIMIT_PER_MINUTE'],
    parse: integer(1),
    default: 600,
    doc: 'Questions of proxies which tokens are good, per minute and address.',
  },
  tokenGuessLimitPerMinute: {
    env: ['TOKEN_GUESS_LIMIT_PER_MINUTE'],
    parse: integer(1),
    default: 100,
    doc: 'Wrong tokens per minute and address, at whatever endpoint; more are answered 429, and good ones as always.',
  },
  readerStorageLimitPerHour: {
    env: ['READER_STORAGE_LIMIT_PER_HOUR'],
    parse: integer(1),
    default: 5000,
    doc: 'Maximum number of kilobytes that a user who may not change flags stores within an hour (change requests, comments, favorites, profile, personal tokens, with their events), per server; more is answered 429.',
  },
} as const satisfies OptionTable
