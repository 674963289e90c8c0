import { fileURLToPath } from 'node:url'
import { DOCUMENT } from './feature-document.ts'
import { ask, CLIENT_KEY, type Draft, post, SERVER_TOKEN } from './requests/build.ts'
import { BODY_REQUESTS, QUERY_REQUESTS } from './requests/evaluation.ts'
import { generatedRequests } from './requests/generated.ts'
import { KEY_REQUESTS, MEDIA_REQUESTS, PATH_REQUESTS } from './requests/refusals.ts'
import {
  ADDRESS_REQUESTS,
  CACHE_REQUESTS,
  CORS_REQUESTS,
  DOCS_REQUESTS,
  ENCODING_REQUESTS,
} from './requests/transport.ts'
import { USAGE_REQUESTS } from './requests/usage.ts'

/** Start options for both proxies, and the requests to send to them. */
export interface Configuration {
  readonly name: string
  /** Variables for both proxies, in addition to URL, token and keys. */
  readonly env: Readonly<Record<string, string>>
  readonly requests: readonly Draft[]
  readonly base?: string
  readonly keyHeader?: string
  /** True if the upstream rejects all requests. */
  readonly isUnready?: boolean
}

const fixture = (name: string) => fileURLToPath(new URL(`./fixtures/${name}`, import.meta.url))

/** Variables common to all configurations. */
export const COMMON = {
  UNLEASH_API_TOKEN: 'upstream-token',
  UNLEASH_PROXY_CLIENT_KEYS: `${CLIENT_KEY}, k2`,
  UNLEASH_APP_NAME: 'peer-app',
  UNLEASH_INSTANCE_ID: 'peer-instance',
} as const

const FULL = { ENABLE_ALL_ENDPOINT: 'true', EXP_SERVER_SIDE_SDK_CONFIG_TOKENS: `${SERVER_TOKEN}, s2` }
const names = DOCUMENT.features.map(({ name }) => name)

/** Returns one in `step` drafts, which is enough for configurations that should not change anything. */
const some = (drafts: readonly Draft[], step: number): Draft[] => drafts.filter((_draft, index) => index % step === 0)
const SAMPLE = [
  ...some(QUERY_REQUESTS, 9),
  ...some(BODY_REQUESTS, 9),
  ...some(KEY_REQUESTS, 3),
  ...some(PATH_REQUESTS, 3),
  ...some(USAGE_REQUESTS, 9),
]

const EVALUATIONS = [...QUERY_REQUESTS, ...BODY_REQUESTS, ...generatedRequests(names)]

const CORS_LIST = {
  CORS_ORIGIN: 'https://app.example,https://other.example',
  CORS_CREDENTIALS: 'true',
  CORS_ALLOWED_HEADERS: 'authorization,x-more',
  CORS_METHODS: 'GET',
  CORS_EXPOSED_HEADERS: 'ETag,X-More',
  CORS_MAX_AGE: '0',
  CORS_OPTIONS_SUCCESS_STATUS: '200',
}

/** All configurations to run. */
export const CONFIGURATIONS: readonly Configuration[] = [
  {
    name: 'as given',
    env: {},
    requests: [...KEY_REQUESTS, ...PATH_REQUESTS, ...MEDIA_REQUESTS, ...CORS_REQUESTS, ...SAMPLE],
  },
  {
    name: 'everything on',
    env: FULL,
    requests: [
      ...QUERY_REQUESTS,
      ...BODY_REQUESTS,
      ...USAGE_REQUESTS,
      ...KEY_REQUESTS,
      ...CACHE_REQUESTS,
      ...ENCODING_REQUESTS,
      ...generatedRequests(names),
    ],
  },
  {
    name: 'base path',
    env: { ...FULL, PROXY_BASE_PATH: 'base/path/' },
    base: '/base/path',
    requests: [...SAMPLE, ...PATH_REQUESTS, ...some(CORS_REQUESTS, 3)],
  },
  {
    name: 'own header for keys',
    env: { ...FULL, CLIENT_KEY_HEADER_NAME: 'X-Flag-Key' },
    keyHeader: 'x-flag-key',
    requests: [...KEY_REQUESTS, ...SAMPLE],
  },
  {
    name: 'environment',
    env: { ...FULL, UNLEASH_ENVIRONMENT: 'forced' },
    requests: [...SAMPLE, ...QUERY_REQUESTS.filter(({ path }) => path.includes('environment'))],
  },
  { name: 'one origin', env: { ...FULL, CORS_ORIGIN: 'https://app.example' }, requests: CORS_REQUESTS },
  { name: 'several origins', env: { ...FULL, ...CORS_LIST }, requests: CORS_REQUESTS },
  { name: 'any origin with credentials', env: { ...FULL, CORS_CREDENTIALS: 'true' }, requests: CORS_REQUESTS },
  { name: 'preflight goes on', env: { ...FULL, CORS_PREFLIGHT_CONTINUE: 'true' }, requests: CORS_REQUESTS },
  { name: 'all forwarders trusted', env: { ...FULL, TRUST_PROXY: 'true' }, requests: ADDRESS_REQUESTS },
  {
    name: 'some forwarders trusted',
    env: { ...FULL, TRUST_PROXY: 'loopback, 10.0.0.0/8' },
    requests: ADDRESS_REQUESTS,
  },
  { name: 'other forwarders trusted', env: { ...FULL, TRUST_PROXY: '10.0.0.1' }, requests: ADDRESS_REQUESTS },
  { name: 'no forwarder trusted', env: { ...FULL, TRUST_PROXY: 'false' }, requests: ADDRESS_REQUESTS },
  {
    name: 'another project',
    env: { ...FULL, UNLEASH_PROJECT_NAME: 'another' },
    requests: [ask('/proxy'), ask('/proxy/all'), post('/proxy', { context: {}, toggles: ['on', 'off', 'nobody'] })],
  },
  {
    name: 'own strategies',
    env: { ...FULL, UNLEASH_CUSTOM_STRATEGIES_FILE: fixture('strategies.cjs') },
    requests: some(EVALUATIONS, 3),
  },
  {
    name: 'own enrichers and strategies',
    env: {
      ...FULL,
      EXP_CUSTOM_ENRICHERS_FILE: fixture('enrichers.cjs'),
      UNLEASH_CUSTOM_STRATEGIES_FILE: fixture('strategies.cjs'),
    },
    requests: [...some(EVALUATIONS, 5), ask('/proxy?userId=fail'), post('/proxy', { context: { userId: 'fail' } })],
  },
  {
    name: 'documentation',
    env: { ...FULL, ENABLE_OAS: 'true' },
    requests: [...DOCS_REQUESTS, ...some(SAMPLE, 5)],
  },
  {
    name: 'documentation below a base path',
    env: { ...FULL, ENABLE_OAS: 'true', PROXY_BASE_PATH: '/base' },
    base: '/base',
    requests: DOCS_REQUESTS,
  },
  {
    name: 'not ready',
    env: FULL,
    isUnready: true,
    requests: [...SAMPLE, ...KEY_REQUESTS, ...some(USAGE_REQUESTS, 3), ...some(CORS_REQUESTS, 3)],
  },
]
