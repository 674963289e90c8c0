import type { Generated } from 'kysely'
import type { Millis } from '../columns.ts'

/** Tables around single sign-on. */
export interface SsoTables {
  /** Who somebody is at a provider; that never changes there, other than the address. */
  sso_identities: { issuer: string; subject: string; user_id: number; created_at: Millis }
  sessions: {
    /** SHA-256 of the session id, hex. */
    hash: string
    user_id: number
    created_at: Millis
    used_at: Millis
    expires_at: Millis
    /** The ID token of a login by single sign-on, encrypted, by which its provider knows which session is to end. */
    id_token: Generated<string | null>
  }
}
