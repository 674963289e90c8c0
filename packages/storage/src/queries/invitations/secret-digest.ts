import { hash } from 'node:crypto'

/** Prefix of the stored digest of an invite link's secret. */
export const SECRET_DIGEST_PREFIX = 'sha256:'

/** Returns the digest under which the secret of an invite link is stored and looked up. */
export function digestSecret(secret: string): string {
  return `${SECRET_DIGEST_PREFIX}${hash('sha256', secret)}`
}
