import { inject } from 'vitest'
import type { TestDatabase } from '../../support/test-database.ts'

/** Text column, as `table.column`. */
export interface TextColumn {
  readonly name: string
  /** True if a row contains the word. */
  readonly hasWord: boolean
}

/** Finds every text column of every table, and whether one of its rows contains the word. */
export async function textColumnsOf(db: TestDatabase, word: string): Promise<TextColumn[]> {
  const columns = await db.rows(
    inject('driver') === 'postgres'
      ? `select table_name as table_name, column_name as column_name from information_schema.columns
         where table_schema = current_schema() and table_name not like 'kysely_%'
         and data_type in ('text', 'character varying', 'json', 'jsonb')`
      : `select m.name as table_name, c.name as column_name from sqlite_master m, pragma_table_info(m.name) c
         where m.type = 'table' and m.name not like 'kysely_%' and lower(c.type) = 'text'`,
  )
  const read: TextColumn[] = []
  for (const { table_name: table, column_name: column } of columns) {
    const [found] = await db.rows(
      `select 1 from "${table}" where cast("${column}" as text) like ? limit 1`,
      `%${word}%`,
    )
    read.push({ name: `${table}.${column}`, hasWord: found !== undefined })
  }
  return read
}

/** Columns that never contain user text of a project, by reason. */
export const WORDLESS: Readonly<Record<string, readonly string[]>> = {
  'made by the server: ids, hashes, sealed texts': [
    'api_token_aliases.hash',
    'api_token_aliases.token_id',
    'api_token_callers.token_id',
    'api_token_projects.token_id',
    'api_token_secrets.sealed',
    'api_token_secrets.token_id',
    'api_tokens.hash',
    'api_tokens.id',
    'database_epoch.epoch',
    'database_epoch.origin',
    'event_search_postings.postings',
    'feature_links.id',
    'feature_strategies.id',
    'feature_strategy_segments.strategy_id',
    'integration_lease.holder',
    'integration_lease.name',
    'integrations.sealed_parameters',
    'invite_links.sealed_secret',
    'invite_links.secret',
    'known_networks.network_hash',
    'personal_tokens.hash',
    'reset_tokens.hash',
    'sessions.hash',
    'sessions.id_token',
    'users.password_hash',
    'change_marks.name',
  ],
  'one of a list that the server knows': [
    'api_tokens.type',
    'change_request_changes.action',
    'change_request_opinions.opinion',
    'change_requests.state',
    'change_requests.state_times',
    'change_requests.schedule_status',
    'environments.type',
    'events.type',
    'events.reach',
    'feature_stages.stage',
    'feature_stages.status',
    'features.type',
    'feature_types.id',
    'feature_types.name',
    'feature_types.description',
    'feature_values.value_type',
    'integration_attempts.error',
    'integration_attempts.state',
    'integrations.event_types',
    'integrations.provider',
    'login_history.auth_type',
    'login_history.failure_reason',
    'projects.mode',
    'roles.type',
    'role_permissions.permission',
    'settings.name',
  ],
  'the name of an environment, which is of the installation': [
    'api_tokens.environment',
    'change_request_settings.environment',
    'change_requests.environment',
    'environments.name',
    'client_application_reach.environment',
    'client_instance_projects.environment',
    'client_instances.environment',
    'client_metrics.environment',
    'client_metrics_variants.environment',
    'events.environment',
    'sampled_environments.name',
    'feature_environments.environment',
    'feature_strategies.environment',
    'integrations.only_environments',
    'project_environment_defaults.environment',
    'project_environments.environment',
    'role_permissions.environment',
    'unknown_flag_projects.environment',
    'unknown_flags.environment',
  ],
  'a definition of the installation': [
    'context_fields.description',
    'context_fields.legal_values',
    'context_fields.name',
    'feature_strategies.name',
    'feature_tags.type',
    'projects.default_stickiness',
    'roles.description',
    'roles.name',
    'settings.value',
    'strategy_types.description',
    'strategy_types.name',
    'strategy_types.parameters',
    'strategy_types.title',
    'tag_types.description',
    'tag_types.icon',
    'tag_types.name',
    'tags.type',
    'integrations.description',
    'integrations.open_parameters',
    'invite_links.name',
  ],
  'about a person, a group or a network': [
    'change_request_changes.created_by',
    'change_request_comments.created_by',
    'change_requests.created_by',
    'client_instances.address',
    'events.address',
    'events.created_by',
    'feature_comments.created_by',
    'feedback.feedback_id',
    'feature_snoozes.created_by',
    'features.created_by',
    'group_members.created_by',
    'groups.created_by',
    'groups.name',
    'groups.description',
    'groups.mappings_sso',
    'groups.scim_external_id',
    'groups.scim_id',
    'invite_links.created_by',
    'login_history.ip',
    'login_history.username',
    'personal_tokens.description',
    'reset_tokens.created_by',
    'segments.created_by',
    'splash.splash_id',
    'sso_identities.issuer',
    'sso_identities.subject',
    'users.email',
    'users.image_url',
    'users.name',
    'users.scim_external_id',
    'users.scim_id',
    'users.username',
  ],
}
