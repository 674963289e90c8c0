import type { OptionTable } from '@burgee/kit/options/options'
import { flag } from '@burgee/kit/options/parsers'
import { hostPatterns } from './host-patterns.ts'

/** Options of integrations. */
export const INTEGRATION_OPTIONS = {
  integrationAllowPrivateAddresses: {
    env: ['INTEGRATION_ALLOW_PRIVATE_ADDRESSES', 'ALLOW_PRIVATE_URL_IN_INTEGRATION'],
    parse: flag,
    default: false,
    doc: 'Allow integrations, and imports from a URL, to call private, loopback and link-local addresses, for receivers in your own network. Anyone who can change integrations can then make the server call any service in that network.',
  },
  integrationAllowedHosts: {
    env: ['INTEGRATION_ALLOWED_HOSTS'],
    parse: hostPatterns,
    default: [] as readonly string[],
    doc: 'Hosts that integrations, and imports from a URL, may call: names, addresses, or `*.example.com` for all names below it. Empty: all hosts. Names must still resolve to public addresses, unless private ones are allowed.',
  },
} as const satisfies OptionTable
