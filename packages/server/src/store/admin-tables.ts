import type { LegalValue } from '@burgee/protocol/targeting/context-field'
import type { StrategyInput } from '@burgee/protocol/targeting/strategy'
import type { ParameterDefinition } from '@burgee/protocol/targeting/strategy-type'
import type { Generated } from 'kysely'
import type { Bit, Json, Millis } from './columns.ts'

/** Tables around people and around what strategies are made of. */
export interface AdminTables {
  feedback: { user_id: number; feedback_id: string; never_show: Bit; given: Millis | null }
  splash: { user_id: number; splash_id: string }
  /** Up to which event a person has read what concerns them. */
  notification_reads: { user_id: number; read_up_to: number }
  /** Which flag a person looks at; one who is not heard of for a minute looks at none. */
  flag_presences: { user_id: number; feature_name: string; seen_at: Millis }
  /** People who do not want others to see which flag they look at. */
  hidden_presences: { user_id: number }
  feature_favorites: { user_id: number; feature_name: string }
  project_favorites: { user_id: number; project: string }
  personal_tokens: {
    id: Generated<number>
    user_id: number
    description: string
    /** SHA-256 of the token, hex. */
    hash: string
    expires_at: Millis
    created_at: Millis
    seen_at: Millis | null
  }
  reset_tokens: {
    /** SHA-256 of the token, hex. */
    hash: string
    user_id: number
    /** Who made the link. */
    created_by: string
    created_at: Millis
    expires_at: Millis
    /** Whether the personal tokens of the user end when it is used. */
    ends_tokens: Generated<Bit>
  }
  /** Links by which people make themselves an account. */
  invite_links: {
    id: Generated<number>
    /** `sha256:` and the SHA-256 of the secret, hex. */
    secret: string
    /** The secret, encrypted, for lists; null without a key. */
    sealed_secret: Generated<string | null>
    name: string
    created_by: string
    created_at: Millis
    expires_at: Millis
    enabled: Bit
  }
  invite_link_users: { link_id: number; user_id: number }
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
    /** Undefined lifetime: such flags are meant to stay. */
    lifetime_days: number | null
    sort_order: number
  }
  project_environment_defaults: { project: string; environment: string; default_strategy: Json<StrategyInput> }
}
