import type { Generated } from 'kysely'
import type { Millis } from '../../columns.ts'

/** Tables of single sign-on. */
export interface SsoTables {
  /** Identities of users at single sign-on providers. Unlike an e-mail address, an identity never changes. */
  sso_identities: { issuer: string; subject: string; user_id: number; created_at: Millis }
  sessions: {
    /** SHA-256 hash of the session id, in hexadecimal. */
    hash: string
    user_id: number
    created_at: Millis
    used_at: Millis
    expires_at: Millis
    /** Encrypted ID token from a single sign-on login. At logout, the token tells the provider which session to end. */
    id_token: Generated<string | null>
  }
}
