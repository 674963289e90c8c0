import type { OptionTable } from '@burgee/kit/options/options'
import { httpUrl, inHeader, text } from '@burgee/kit/options/parsers'

/** Options that select a server and the credentials for it. */
export const SERVER_ACCESS_OPTIONS = {
  url: {
    env: ['BURGEE_URL'],
    parse: httpUrl,
    default: 'http://localhost:4242',
    doc: 'URL of the server, with its base path.',
  },
  token: {
    env: ['BURGEE_TOKEN'],
    parse: inHeader(text),
    secret: true,
    letter: 't',
    doc: 'Personal token, or token of a service account.',
  },
} as const satisfies OptionTable
