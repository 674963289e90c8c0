import { isLogger, LOG_LEVELS, type LogLevel } from '@burgee/kit/log/logger'
import type { OptionTable } from '@burgee/kit/options/options'
import {
  basePath,
  flag,
  headerName,
  inCode,
  inHeader,
  integer,
  listenAddress,
  oneOf,
  type Parser,
  text,
  textOrEmpty,
} from '@burgee/kit/options/parsers'
import { addressRanges, trustList } from '@burgee/kit/options/trusted-proxies'
import { OTEL_OPTIONS } from '@burgee/kit/otel/otel-options'
import { CORS_OPTIONS } from '@burgee/serving/cors-options'
import { HTTP_OPTIONS, MAX_SDK_BODY_BYTES } from '@burgee/serving/http-options'
import { EDGE_PROFILE_OPTION } from '@burgee/serving/profile-options'

const MAX_PORT = 65_535
const MAX_SECONDS = 3600

const LEVELS: Readonly<Record<string, LogLevel>> = { trace: 'debug', warning: 'warn', off: 'fatal' }

/**
 * Parses a level, or a list of `RUST_LOG` directives such as `info,tower=warn`. Only the first level in a list is used.
 */
const logLevel: Parser<LogLevel> = {
  expects: `one of ${LOG_LEVELS.join(', ')}, or a list of directives that begins with one`,
  parse: (value) => {
    const [first = ''] = textOrEmpty.parse(value).split(',')
    const word = first
      .slice(first.indexOf('=') + 1)
      .trim()
      .toLowerCase()
    return LEVELS[word] ?? oneOf(LOG_LEVELS).parse(word)
  },
}

/** Creates the option that disables one of the operator pages. */
const page = (name: string, path: string, isClosed: boolean) =>
  ({
    env: [name],
    parse: flag,
    default: isClosed,
    doc: `Disable /internal-backstage/${path}, which needs no token.`,
  }) as const

/** Listening and serving options of a node, with an upstream or a file. Source: wire protocol "Edge", options. */
export const SERVING_OPTIONS = {
  port: {
    env: ['PORT', 'PROXY_PORT'],
    parse: integer(0, MAX_PORT),
    default: 3063,
    letter: 'p',
    doc: 'Listening port. `-p` with anything but a number means `--pretrusted-tokens`.',
  },
  interface: {
    env: ['INTERFACE', 'PROXY_HOST'],
    parse: listenAddress,
    defaultDoc: 'all addresses',
    letter: 'i',
    alias: 'host',
    doc: 'Address to listen on.',
  },
  basePath: {
    env: ['BASE_PATH', 'PROXY_BASE_PATH'],
    parse: basePath,
    default: '',
    doc: 'Base path of all endpoints.',
  },
  edgeAuthHeader: {
    env: ['EDGE_AUTH_HEADER', 'CLIENT_KEY_HEADER_NAME'],
    parse: headerName,
    defaultDoc: 'authorization',
    doc: 'Header in which SDKs send their token.',
  },
  tokenHeader: {
    env: ['TOKEN_HEADER'],
    parse: headerName,
    doc: 'Token header for SDKs and the upstream; replaces the two separate options.',
  },
  disableAllEndpoint: {
    env: ['DISABLE_ALL_ENDPOINT'],
    parse: flag,
    default: false,
    doc: 'Return 404 at /api/frontend/all and /api/proxy/all.',
  },
  enableAllEndpoint: {
    env: ['ENABLE_ALL_ENDPOINT'],
    parse: flag,
    default: false,
    doc: 'Expose /proxy/all as well, for client keys.',
  },
  trustProxy: {
    env: ['TRUST_PROXY'],
    parse: { ...trustList, isSwitch: true },
    default: false,
    doc: 'Trusted proxies, whose Forwarded and X-Forwarded-For are used: true (all, or those of proxyTrustedServers), false, or a list of IP addresses and CIDR ranges.',
  },
  proxyTrustedServers: {
    env: ['PROXY_TRUSTED_SERVERS'],
    parse: addressRanges,
    isRepeatable: true,
    doc: 'With trustProxy: the only trusted proxies.',
  },
  allowList: {
    env: ['ALLOW_LIST'],
    parse: addressRanges,
    isRepeatable: true,
    defaultDoc: 'everybody',
    doc: 'Addresses that may send requests; all others get 403, except at health and ready.',
  },
  denyList: {
    env: ['DENY_LIST'],
    parse: addressRanges,
    isRepeatable: true,
    defaultDoc: 'nobody',
    doc: 'Addresses that may not send requests; takes precedence over allowList.',
  },
  edgeRequestTimeout: {
    env: ['EDGE_REQUEST_TIMEOUT'],
    parse: integer(1, MAX_SECONDS),
    default: 5,
    unit: 'seconds',
    doc: 'Timeout for receiving a whole request; slower requests get 408.',
  },
  edgeKeepaliveTimeout: {
    env: ['EDGE_KEEPALIVE_TIMEOUT'],
    parse: integer(1, MAX_SECONDS),
    default: 72,
    unit: 'seconds',
    doc: 'Idle timeout of a connection between two requests; set it higher than the timeout of the load balancer in front.',
  },
  tlsEnable: {
    env: ['TLS_ENABLE'],
    parse: flag,
    default: false,
    doc: 'Listen with TLS as well; needs tlsServerKey and tlsServerCert.',
  },
  tlsServerKey: { env: ['TLS_SERVER_KEY'], parse: text, doc: 'File of the private key, PEM.' },
  tlsServerCert: { env: ['TLS_SERVER_CERT'], parse: text, doc: 'PEM file of the certificate chain, leaf first.' },
  tlsServerPort: { env: ['TLS_SERVER_PORT'], parse: integer(0, MAX_PORT), default: 3043, doc: 'Port for TLS.' },
  redirectHttpToHttps: {
    env: ['REDIRECT_HTTP_TO_HTTPS'],
    parse: flag,
    default: false,
    doc: 'With tlsEnable: the plain port redirects to TLS, except at health and ready; requests with a token get 403.',
  },
  logFormat: {
    env: ['LOG_FORMAT'],
    parse: oneOf(['plain', 'json', 'pretty']),
    defaultDoc: 'plain',
    letter: 'l',
    doc: 'Log format: plain, json, or pretty (same as plain).',
  },
  useJsonLogger: {
    env: ['JSON_LOGGER'],
    parse: flag,
    default: false,
    doc: 'Same as logFormat json, if logFormat is not set.',
  },
  logLevel: {
    env: ['LOG_LEVEL', 'RUST_LOG'],
    parse: logLevel,
    default: 'warn',
    doc: 'Minimum log level; in a list of directives the first level applies.',
  },
  logger: {
    codeOnly: true,
    parse: inCode('a logger with debug, info, warn, error and fatal', isLogger),
    doc: 'Custom logger.',
  },
  disableTokensEndpoint: page('DISABLE_TOKENS_ENDPOINT', 'tokens', true),
  disableFeaturesEndpoint: page('DISABLE_FEATURES_ENDPOINT', 'features', true),
  disableMetricsBatchEndpoint: page('DISABLE_METRICS_BATCH_ENDPOINT', 'metricsbatch', true),
  disableInstanceDataEndpoint: page('DISABLE_INSTANCE_DATA_ENDPOINT', 'instancedata', true),
  disableMetricsEndpoint: page('DISABLE_METRICS_ENDPOINT', 'metrics', false),
  enableOAS: {
    env: ['ENABLE_OAS'],
    parse: flag,
    default: true,
    doc: 'Serve the OpenAPI document and its pages.',
  },
  edgeValidateLimitPerMinute: {
    env: ['EDGE_VALIDATE_LIMIT_PER_MINUTE'],
    parse: integer(1),
    default: 600,
    doc: 'Maximum requests to /edge/validate per minute and network; further ones get 429.',
  },
  ...EDGE_PROFILE_OPTION,
  ...OTEL_OPTIONS,
  ...HTTP_OPTIONS,
  evaluationBodyLimit: { ...HTTP_OPTIONS.evaluationBodyLimit, default: MAX_SDK_BODY_BYTES },
  ...CORS_OPTIONS,
  'cors.allowedHeaders': { ...CORS_OPTIONS['cors.allowedHeaders'], isRepeatable: true },
  'cors.origin': { ...CORS_OPTIONS['cors.origin'], isRepeatable: true },
  'cors.exposedHeaders': { ...CORS_OPTIONS['cors.exposedHeaders'], parse: inHeader(textOrEmpty), isRepeatable: true },
  'cors.methods': { ...CORS_OPTIONS['cors.methods'], isRepeatable: true },
  workers: {
    env: ['WORKERS', 'FLAG_WORKERS'],
    parse: integer(1, 256),
    default: 1,
    letter: 'w',
    doc: 'Number of processes that serve requests; with more than one, an additional process connects to the upstream. With TLS and in offline mode, there is only one process.',
  },
} as const satisfies OptionTable
