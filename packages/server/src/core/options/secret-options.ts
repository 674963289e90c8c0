import type { OptionTable } from '@burgee/kit/options/options'
import { list, oneOf, type Parser } from '@burgee/kit/options/parsers'
import { parseKeyBytes } from '../secrets/secret-key.ts'

/** Key of 32 bytes, encoded in base64 or hex. The parser returns the key as text, unchanged. */
const secretKey: Parser<string> = {
  expects: '32 bytes in base64 or hex, as printed by `openssl rand -base64 32`',
  parse: (value) => {
    const text = typeof value === 'string' ? value.trim() : ''
    parseKeyBytes(text)
    return text
  },
}

/** Comma-separated list of keys of 32 bytes. */
const secretKeys: Parser<readonly string[]> = {
  expects: 'comma-separated keys, each 32 bytes in base64 or hex',
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
    defaultDoc: 'embedded database: created when first needed, in the file secret-key of the data directory',
    doc: 'Encryption key of stored secrets that the server must be able to read (secrets of integrations, and readable API tokens). PostgreSQL requires it to store such secrets, and all nodes need the same key. If the key is lost, the secrets must be set again.',
  },
  secretKeyPrevious: {
    env: ['BURGEE_SECRET_KEY_PREVIOUS'],
    parse: secretKeys,
    secret: true,
    doc: 'Previous encryption keys, for a rotation of the key. Secrets encrypted with them stay readable; at its start, the server encrypts them again with the current key.',
  },
  apiTokenSecrets: {
    env: ['API_TOKEN_SECRETS'],
    parse: oneOf(TOKEN_SECRETS),
    default: 'hashed' as const,
    doc: 'hashed: the secret of an API token is shown once, when it is created. readable: secrets of new tokens are also stored encrypted and shown in lists to users who may read tokens; administrators can also read the OpenID Connect secret.',
  },
} as const satisfies OptionTable
