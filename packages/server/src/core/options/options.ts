import { LOG_LEVELS } from '@burgee/kit/log/logger'
import type { OptionTable, Parsed } from '@burgee/kit/options/options'
import { flag, httpUrl, integer, list, oneOf, text, textOrEmpty } from '@burgee/kit/options/parsers'
import { type TrustedProxies, trustList } from '@burgee/kit/options/trusted-proxies'
import { OTEL_OPTIONS } from '@burgee/kit/otel/otel-options'
import { IMPACT_OPTIONS } from '@burgee/serving/impact/impact-options'
import { SERVER_PROFILE_OPTION } from '@burgee/serving/profile-options'
import { AUDIT_EXPORT_OPTIONS } from './audit-export-options.ts'
import { DATABASE_OPTIONS, DATABASE_START_OPTIONS } from './database-options.ts'
import { ENCRYPTION_OPTIONS } from './encryption-options.ts'
import { FIRST_CONTENT_OPTIONS } from './first-content-options.ts'
import { INTEGRATION_OPTIONS } from './integration-options.ts'
import { LIMIT_OPTIONS } from './limit-options.ts'
import { MAIL_OPTIONS } from './mail-options.ts'
import { RATE_LIMIT_OPTIONS } from './rate-limit-options.ts'
import { RETENTION_OPTIONS } from './retention-options.ts'
import { SECRET_OPTIONS } from './secret-options.ts'
import { HTTP_OPTIONS, INERT_OPTIONS } from './server-http-options.ts'
import { SNAPSHOT_OPTIONS } from './snapshot-options.ts'
import { SSO_OPTIONS } from './sso-options.ts'
import { withVendorPrefix } from './vendor-prefix.ts'

/**
 * All options of the server. The variables have the names that operators know from Unleash, with and without its
 * prefix.
 */
export const SERVER_OPTIONS = withVendorPrefix({
  ...HTTP_OPTIONS,
  dataDir: {
    env: ['DATA_DIR'],
    parse: text,
    default: './data',
    doc: 'Directory of the embedded database; one server per directory.',
  },
  ...DATABASE_OPTIONS,
  ...DATABASE_START_OPTIONS,
  ...ENCRYPTION_OPTIONS,
  ...SNAPSHOT_OPTIONS,
  ...SECRET_OPTIONS,
  ...FIRST_CONTENT_OPTIONS,
  ...LIMIT_OPTIONS,
  ...IMPACT_OPTIONS,
  ...OTEL_OPTIONS,
  ...SERVER_PROFILE_OPTION,
  maintenanceMode: {
    env: ['MAINTENANCE_MODE', 'UNLEASH_EXPERIMENTAL_MAINTENANCE_MODE'],
    parse: flag,
    default: false,
    doc: 'Make the admin API read-only, overriding the setting made over the API.',
  },
  sessionTtlHours: {
    env: ['SESSION_TTL_HOURS'],
    parse: integer(1, 24 * 365),
    default: 48,
    unit: 'hours',
    doc: 'Maximum idle time of a login session; it lasts at most ten times as long.',
  },
  maxParallelSessions: {
    env: ['MAX_PARALLEL_SESSIONS'],
    parse: integer(1, 1000),
    default: 5,
    doc: 'Maximum number of sessions per user; a further login ends the oldest one.',
  },
  personalTokensLimit: {
    env: ['PERSONAL_TOKENS_LIMIT'],
    parse: integer(0, 10_000),
    default: 10,
    doc: 'Maximum number of unexpired personal tokens per user; 0 forbids personal tokens.',
  },
  personalTokenLifetimeDays: {
    env: ['PERSONAL_TOKEN_LIFETIME_IN_DAYS'],
    parse: integer(1, 3_000_000),
    default: 365,
    unit: 'days',
    doc: 'Maximum lifetime of new personal tokens.',
  },
  userInactivityThresholdDays: {
    env: ['USER_INACTIVITY_THRESHOLD_IN_DAYS'],
    parse: integer(1, 36_500),
    default: 180,
    unit: 'days',
    doc: 'Time without a login or a token request after which a user counts as inactive.',
  },
  unusedFlagDays: {
    env: ['UNUSED_FLAG_DAYS'],
    parse: integer(1, 36_500),
    unit: 'days',
    default: 7,
    doc: 'Time without an evaluation by an SDK after which a flag counts as unused and can be archived.',
  },
  deliveryOverdueMinutes: {
    env: ['DELIVERY_OVERDUE_MINUTES'],
    parse: integer(1, 1440),
    unit: 'minutes',
    default: 5,
    doc: 'Time after which a change that is not in effect everywhere causes the event `delivery-overdue`, if an integration receives it.',
  },
  clearSiteDataOnLogout: {
    env: ['SESSION_CLEAR_SITE_DATA_ON_LOGOUT'],
    parse: flag,
    default: true,
    doc: 'Clear cookies and storage of the whole site in the browser at logout.',
  },
  secureCookies: {
    env: ['SECURE_HEADERS'],
    parse: flag,
    defaultDoc: 'HSTS only if `serverUrl` begins with https',
    doc: 'Send the session cookie over HTTPS only, and set HSTS for one year. `false` sets no HSTS, also if `serverUrl` begins with https. The cookie is HTTPS-only in any case if a trusted proxy reports that the request came over HTTPS.',
  },
  hstsIncludeSubdomains: {
    env: ['HSTS_INCLUDE_SUBDOMAINS'],
    parse: flag,
    default: false,
    doc: 'Extend HSTS to all subdomains of the host. Browsers then reach none of them without HTTPS, for a year.',
  },
  enforcePasswordChange: {
    env: ['ENFORCE_PASSWORD_CHANGE'],
    parse: flag,
    default: true,
    doc: 'Require users to change a generated password before anything else; switch off for automated installations.',
  },
  frontendApiOrigins: {
    env: ['FRONTEND_API_ORIGINS'],
    parse: list,
    default: ['*'] as readonly string[],
    doc: 'Origins whose pages may call the frontend API (CORS), until set over the API; `*` allows all.',
  },
  trustProxy: {
    env: ['TRUST_PROXY'],
    parse: trustList,
    default: false as TrustedProxies,
    doc: 'Trusted proxies, whose X-Forwarded-For, X-Forwarded-Proto and X-Forwarded-Host are used: true (all), or IP addresses and CIDR ranges.',
  },
  serverUrl: {
    env: ['SERVER_URL', 'UNLEASH_URL'],
    parse: httpUrl,
    defaultDoc: 'http://localhost:<port>',
    doc: 'Public URL of the server; pages of its origin may make changes with a session.',
  },
  ...INTEGRATION_OPTIONS,
  ...AUDIT_EXPORT_OPTIONS,
  ...MAIL_OPTIONS,
  ...SSO_OPTIONS,
  ...RETENTION_OPTIONS,
  ...RATE_LIMIT_OPTIONS,
  logLevel: {
    env: ['LOG_LEVEL'],
    parse: oneOf(LOG_LEVELS),
    default: 'warn' as const,
    doc: 'Minimum log level.',
  },
  securityLog: {
    env: ['SECURITY_LOG'],
    parse: flag,
    default: true,
    doc: 'Log logins, denied requests and changes of access, regardless of the log level.',
  },
  useJsonLogger: { env: ['JSON_LOGGER'], parse: flag, default: false, doc: 'Log as one-line JSON.' },
  defaultAdminUsername: {
    env: ['DEFAULT_ADMIN_USERNAME'],
    parse: text,
    default: 'admin',
    doc: 'Username of the first administrator; used at the first start only.',
  },
  defaultAdminPassword: {
    env: ['DEFAULT_ADMIN_PASSWORD'],
    parse: textOrEmpty,
    secret: true,
    defaultDoc: 'random, shown once',
    doc: 'Password of the first administrator; used at the first start only, which fails if it is weak.',
  },
  initAdminApiTokens: {
    env: ['INIT_ADMIN_API_TOKENS'],
    parse: list,
    default: [] as readonly string[],
    secret: true,
    doc: 'Admin API tokens to create at the first start, `*:*.<secret>`.',
  },
  initClientApiTokens: {
    env: ['INIT_CLIENT_API_TOKENS', 'INIT_BACKEND_API_TOKENS'],
    parse: list,
    default: [] as readonly string[],
    secret: true,
    doc: 'Client API tokens to create at the first start, `<project>:<environment>.<secret>`.',
  },
  initFrontendApiTokens: {
    env: ['INIT_FRONTEND_API_TOKENS'],
    parse: list,
    default: [] as readonly string[],
    secret: true,
    doc: 'Frontend API tokens to create at the first start, `<project>:<environment>.<secret>`.',
  },
  ...INERT_OPTIONS,
} as const satisfies OptionTable)

/** Values of all options. */
export type ServerOptions = Parsed<typeof SERVER_OPTIONS>
