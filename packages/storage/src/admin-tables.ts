import type { LegalValue } from '@burgee/protocol/targeting/context-field'
import type { StrategyInput } from '@burgee/protocol/targeting/strategy'
import type { ParameterDefinition } from '@burgee/protocol/targeting/strategy-type'
import type { Generated } from 'kysely'
import type { Bit, Json, Millis } from './columns.ts'

/**
 * Tables of user preferences and credentials, and of the objects to which strategies refer, such as segments and
 * context fields.
 */
export interface AdminTables {
  feedback: { user_id: number; feedback_id: string; never_show: Bit; given: Millis | null }
  splash: { user_id: number; splash_id: string }
  /** Id of the last event up to which a user has read their notifications. */
  notification_reads: { user_id: number; read_up_to: number }
  /** Flag that a user is viewing. A row expires if it is not renewed within a minute. */
  flag_presences: { user_id: number; feature_name: string; seen_at: Millis }
  /** Users who have chosen to hide which flag they are viewing. */
  hidden_presences: { user_id: number }
  feature_favorites: { user_id: number; feature_name: string }
  project_favorites: { user_id: number; project: string }
  personal_tokens: {
    id: Generated<number>
    user_id: number
    description: string
    /** SHA-256 hash of the token, as hex digits. */
    hash: string
    expires_at: Millis
    created_at: Millis
    seen_at: Millis | null
  }
  reset_tokens: {
    /** SHA-256 hash of the token, as hex digits. */
    hash: string
    user_id: number
    /** User name of the person who created the link. */
    created_by: string
    created_at: Millis
    expires_at: Millis
    /** 1 if using the link also revokes the personal tokens of the user. */
    ends_tokens: Generated<Bit>
  }
  /** Links with which people can create an account for themselves. */
  invite_links: {
    id: Generated<number>
    /** `sha256:` followed by the SHA-256 hash of the secret, as hex digits. */
    secret: string
    /** Encrypted secret, so that lists can show the link; null if no encryption key is configured. */
    sealed_secret: Generated<string | null>
    name: string
    created_by: string
    created_at: Millis
    expires_at: Millis
    enabled: Bit
  }
  invite_link_users: { link_id: number; user_id: number }
  /** Roles that users get in projects when they sign up with a link. */
  invite_link_roles: {
    link_id: number
    project: string
    role_id: number
    /** User who granted the role; null if an admin token did. */
    granted_by_user_id: number | null
    /** Id of the admin token that granted the role; null if a user did. */
    granted_by_token_id: string | null
  }
  context_fields: {
    name: string
    description: string | null
    stickiness: Bit
    sort_order: number
    legal_values: Json<LegalValue[]>
    created_at: Millis
  }
  strategy_types: {
    name: string
    title: string | null
    description: string | null
    parameters: Json<ParameterDefinition[]>
    deprecated: Bit
    built_in: Bit
    sort_order: number
  }
  feature_types: {
    id: string
    name: string
    description: string
    /** Expected lifetime of flags of this type; null if such flags are permanent. */
    lifetime_days: number | null
    sort_order: number
  }
  project_environment_defaults: { project: string; environment: string; default_strategy: Json<StrategyInput> }
}
