import type { OptionTable } from '@burgee/kit/options/options'
import { flag } from '@burgee/kit/options/parsers'

/** Options of integrations. */
export const INTEGRATION_OPTIONS = {
  integrationAllowPrivateAddresses: {
    env: ['INTEGRATION_ALLOW_PRIVATE_ADDRESSES', 'ALLOW_PRIVATE_URL_IN_INTEGRATION'],
    parse: flag,
    default: false,
    doc: 'Integrations may call private, loopback and link-local addresses, for receivers of your own network; so may imports from an address. Whoever may change integrations can then make the server call anything there.',
  },
} as const satisfies OptionTable
