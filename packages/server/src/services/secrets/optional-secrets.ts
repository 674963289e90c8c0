import { Problem } from '@burgee/protocol/problem'
import { type Secrets, SecretUnreadable } from './secrets.ts'

/** Seals a secret that the server can do without; null without a key. Throws what `Secrets.seal` throws otherwise. */
export function sealOptional(secrets: Secrets, text: string, purpose: string): string | null {
  try {
    return secrets.seal(text, purpose)
  } catch (error) {
    if (error instanceof Problem && error.name === 'ConflictError') return null
    throw error
  }
}

/** Opens what `sealOptional` gave; undefined if nothing was sealed, or if it cannot be read now. */
export function openOptional(secrets: Secrets, sealed: string | null, purpose: string): string | undefined {
  if (sealed === null) return undefined
  try {
    return secrets.open(sealed, purpose)
  } catch (error) {
    if (error instanceof SecretUnreadable) return undefined
    throw error
  }
}

/** Purpose of the sealed secret of an invite link, by its stored digest. */
export const inviteLinkPurpose = (digest: string) => `invite link ${digest}`
/** Purpose of the sealed ID token of a session, by the hash of the session id. */
export const idTokenPurpose = (session: string) => `ID token of session ${session}`
