import { timingSafeEqual } from 'node:crypto'
import type { Reader } from '@burgee/storage/database'
import { findSignalEndpoint } from '@burgee/storage/queries/signals/signal-endpoints'
import type { World } from '../../world.ts'
import { hashSecret } from './tokens.ts'

const SECRET_BYTES = 32
const PREFIX = 'signal:'

/** Creates a token for a signal endpoint. Only the hash of the token is stored. */
export function createSignalToken(random: World['random']): { readonly token: string; readonly hash: string } {
  const token = `${PREFIX}${Buffer.from(random(SECRET_BYTES)).toString('hex')}`
  return { token, hash: hashSecret(token) }
}

/** Returns true if a secret is the token of the signal endpoint with this name. */
export async function opensSignalEndpoint(reader: Reader, name: string, secret: string): Promise<boolean> {
  const expected = Buffer.from((await findSignalEndpoint(reader, name))?.token_hash ?? '')
  const given = Buffer.from(hashSecret(secret))
  return expected.length === given.length && timingSafeEqual(expected, given)
}
