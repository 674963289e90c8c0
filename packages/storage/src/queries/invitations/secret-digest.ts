import { hash } from 'node:crypto'

/** Prefix of the stored digest of an invite link's secret. */
export const SECRET_DIGEST_PREFIX = 'sha256:'

/** Returns the digest that is stored for the secret of an invite link, and by which the link is found. */
export function digestSecret(secret: string): string {
  return `${SECRET_DIGEST_PREFIX}${hash('sha256', secret)}`
}
