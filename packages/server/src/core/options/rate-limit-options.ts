import type { OptionTable } from '@burgee/kit/options/options'
import { integer } from '@burgee/kit/options/parsers'

/** Rate limits per IP address for costly operations. The variables have the names that operators know from Unleash. */
export const RATE_LIMIT_OPTIONS = {
  simpleLoginLimitPerMinute: {
    env: ['SIMPLE_LOGIN_LIMIT_PER_MINUTE'],
    parse: integer(1),
    default: 10,
    doc: 'Maximum logins per minute to one account from one address. Ten times as many are allowed to one account from all addresses, and from one address to all accounts. An IPv6 network (/64) counts as one address. An address that has logged in to the account before is exempt from the limit for all addresses.',
  },
  passwordResetLimitPerMinute: {
    env: ['PASSWORD_RESET_LIMIT_PER_MINUTE'],
    parse: integer(1),
    default: 10,
    doc: 'Maximum password resets and requested reset links per minute and address.',
  },
  createUserRateLimitPerMinute: {
    env: ['CREATE_USER_RATE_LIMIT_PER_MINUTE'],
    parse: integer(1),
    default: 20,
    doc: 'Maximum users added per minute and address, by administrators and by invite links.',
  },
  registerClientRateLimitPerMinute: {
    env: ['REGISTER_CLIENT_RATE_LIMIT_PER_MINUTE'],
    parse: integer(1),
    default: 6000,
    doc: 'Maximum registrations of server-side SDKs per minute and address.',
  },
  clientMetricsRateLimitPerMinute: {
    env: ['CLIENT_METRICS_RATE_LIMIT_PER_MINUTE'],
    parse: integer(1),
    default: 6000,
    doc: 'Maximum metrics reports of server-side SDKs and proxies per minute and address.',
  },
  registerFrontendRateLimitPerMinute: {
    env: ['REGISTER_FRONTEND_RATE_LIMIT_PER_MINUTE'],
    parse: integer(1),
    default: 6000,
    doc: 'Maximum registrations of frontend SDKs per minute and address.',
  },
  frontendMetricsRateLimitPerMinute: {
    env: ['FRONTEND_METRICS_RATE_LIMIT_PER_MINUTE'],
    parse: integer(1),
    default: 6000,
    doc: 'Maximum metrics reports of frontend SDKs per minute and address.',
  },
  edgeValidateLimitPerMinute: {
    env: ['EDGE_VALIDATE_LIMIT_PER_MINUTE'],
    parse: integer(1),
    default: 600,
    doc: 'Maximum token validation requests from proxies and edges per minute and address.',
  },
  tokenGuessLimitPerMinute: {
    env: ['TOKEN_GUESS_LIMIT_PER_MINUTE'],
    parse: integer(1),
    default: 100,
    doc: 'Maximum invalid tokens per minute and address, at any endpoint; further ones get 429. Valid tokens are unaffected.',
  },
  readerStorageLimitPerHour: {
    env: ['READER_STORAGE_LIMIT_PER_HOUR'],
    parse: integer(1),
    default: 5000,
    doc: 'Maximum kilobytes that a user without permission to change flags can store per hour and server (change requests, comments, favorites, profile, personal tokens, with their events); further requests get 429.',
  },
} as const satisfies OptionTable
