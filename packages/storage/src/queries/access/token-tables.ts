import type { Bit, Millis } from '../../columns.ts'

/** Tables of API tokens. */
export interface TokenTables {
  api_tokens: {
    /** Public id of the token. The public id never changes. The UI and URLs may contain this id. */
    id: string
    /** SHA-256 of the whole token, hex; the token itself is not stored here. */
    hash: string
    /** Shortened secret for display in lists: `default:development.ab…`. */
    masked: string
    name: string
    type: string
    /** '*' for admin tokens. */
    environment: string
    /**
     * 1 if the token has access to all projects, including future projects. 0 if the token has access only to the
     * projects listed in api_token_projects, of which there may be none.
     */
    all_projects: Bit
    expires_at: Millis | null
    created_at: Millis
    seen_at: Millis | null
  }
  /** Encrypted token secrets, for lists that display them. They are encrypted with BURGEE_SECRET_KEY. */
  api_token_secrets: { token_id: string; sealed: string }
  /** SHA-256 hashes of the additional secrets of tokens. */
  api_token_aliases: { hash: string; token_id: string }
  api_token_projects: { token_id: string; project: string }
  /** SDK that last used each token, as reported by the SDK itself. */
  api_token_callers: {
    token_id: string
    app_name: string | null
    instance_id: string | null
    sdk_version: string | null
    seen_at: Millis
  }
}
