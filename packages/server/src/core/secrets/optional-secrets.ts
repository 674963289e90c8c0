import { Problem } from '@burgee/protocol/problem'
import { type Secrets, SecretUnreadable } from './secrets.ts'

/**
 * Seals a secret that the server can do without. Returns null if there is no key. If there is a key, throws the same
 * errors as `Secrets.seal`.
 */
export function sealOptional(secrets: Secrets, text: string, purpose: string): string | null {
  try {
    return secrets.seal(text, purpose)
  } catch (error) {
    if (error instanceof Problem && error.name === 'ConflictError') return null
    throw error
  }
}

/**
 * Opens a secret sealed by `sealOptional`. Returns undefined if nothing was sealed, or if the secret cannot currently
 * be read.
 */
export function openOptional(secrets: Secrets, sealed: string | null, purpose: string): string | undefined {
  if (sealed === null) return undefined
  try {
    return secrets.open(sealed, purpose)
  } catch (error) {
    if (error instanceof SecretUnreadable) return undefined
    throw error
  }
}

/** Returns the encryption purpose for the secret of the invite link with the given stored digest. */
export const getInviteLinkPurpose = (digest: string) => `invite link ${digest}`
/** Returns the encryption purpose for the ID token of the session whose id has the given hash. */
export const getIdTokenPurpose = (session: string) => `ID token of session ${session}`
