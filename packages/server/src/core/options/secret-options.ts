import type { OptionTable } from '@burgee/kit/options/options'
import { list, oneOf, type Parser } from '@burgee/kit/options/parsers'
import { parseKeyBytes } from '../secrets/secret-key.ts'

/** Key of 32 bytes, encoded in base64 or hex. The parser returns the text unchanged. */
const secretKey: Parser<string> = {
  expects: '32 bytes in base64 or hex, as `openssl rand -base64 32` makes them',
  parse: (value) => {
    const text = typeof value === 'string' ? value.trim() : ''
    parseKeyBytes(text)
    return text
  },
}

/** Comma-separated list of keys of 32 bytes. */
const secretKeys: Parser<readonly string[]> = {
  expects: 'keys with commas between them, each 32 bytes in base64 or hex',
  parse: (value) => list.parse(value).map(secretKey.parse),
}

/** Ways to store API tokens: only a digest (`hashed`), or also the encrypted secret (`readable`). */
export const TOKEN_SECRETS = ['hashed', 'readable'] as const

/** Options for secrets that the server must be able to decrypt again. */
export const SECRET_OPTIONS = {
  secretKey: {
    env: ['BURGEE_SECRET_KEY'],
    parse: secretKey,
    secret: true,
    defaultDoc: 'embedded database: made at the first need, in the file secret-key of the data directory',
    doc: 'Key under which secrets are stored that must be read again (those of integrations, and of API tokens where they are readable): 32 bytes in base64 or hex. On PostgreSQL nothing of that kind is stored without it; all nodes need the same. Without the key that they were stored under, secrets have to be set anew.',
  },
  secretKeyPrevious: {
    env: ['BURGEE_SECRET_KEY_PREVIOUS'],
    parse: secretKeys,
    secret: true,
    doc: 'Keys under which secrets were stored before, to replace a key: they are read still, and a start stores them anew under the present key.',
  },
  apiTokenSecrets: {
    env: ['API_TOKEN_SECRETS'],
    parse: oneOf(TOKEN_SECRETS),
    default: 'hashed' as const,
    doc: 'hashed: secrets of API tokens are shown once, when they are made. readable: those of tokens that are made from now on are stored encrypted as well, and lists show them to whoever may read tokens; administrators see the secret of OpenID Connect too.',
  },
} as const satisfies OptionTable
