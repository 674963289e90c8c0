import type { OptionTable } from '@burgee/kit/options/options'
import { list, text } from '@burgee/kit/options/parsers'
import { hostPatterns } from '@burgee/server/core/options/host-patterns'
import { SERVER_OPTIONS } from '@burgee/server/core/options/options'

/**
 * Options that cannot be set by environment variables, because a development server must never use the address or the
 * database of another server.
 */
const NO_VARIABLES = { env: [] } as const

/** Options of `burgee dev`. */
export const DEV_OPTIONS = {
  project: {
    parse: list,
    letter: 'p',
    default: ['default'],
    doc: 'Projects. With several projects, the files of each project are in a subfolder with its name.',
  },
  environment: { parse: text, default: 'development', doc: 'Environment whose flags SDKs get.' },
  clientToken: {
    parse: text,
    secret: true,
    defaultDoc: '`*:development.dev-client`, or random if other machines can connect',
    doc: 'Token for server-side SDKs.',
  },
  frontendToken: {
    parse: text,
    secret: true,
    defaultDoc: '`*:development.dev-frontend`, or random if other machines can connect',
    doc: 'Token for browser and mobile SDKs and for OpenFeature.',
  },
  port: { ...SERVER_OPTIONS.port, ...NO_VARIABLES },
  host: {
    ...SERVER_OPTIONS.host,
    ...NO_VARIABLES,
    default: '127.0.0.1',
    doc: 'Address to listen on; only this machine by default.',
  },
  allowHost: {
    parse: hostPatterns,
    default: [],
    doc: 'Other names of this machine to which requests, and pages that send them, may belong, such as `app.test`.',
  },
} as const satisfies OptionTable
