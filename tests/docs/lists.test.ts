import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  MAX_EVALUATION_WORK,
  MAX_PATTERN_SIZE,
  MAX_SEARCH_WORK,
  MAX_SEARCHED_LENGTH,
} from '@burgee/engine/rules/pattern'
import {
  MAX_BRANCHES,
  MAX_PLACES,
  MAX_REPOSITORIES,
  MAX_STORED_REFERENCES,
} from '@burgee/protocol/administration/code-references'
import { MAX_LINKS } from '@burgee/protocol/administration/feature-link'
import { MAX_FLAG_CHARTS, MAX_SHARED_CHARTS } from '@burgee/protocol/administration/impact-chart'
import { MAX_MILESTONE_STRATEGIES, MAX_MILESTONES } from '@burgee/protocol/administration/release-plan'
import { MAX_SAFEGUARDS } from '@burgee/protocol/administration/safeguard'
import { MAX_SELF_TARGETS } from '@burgee/protocol/administration/self-target'
import { MAX_SIGNAL_ENDPOINTS } from '@burgee/protocol/administration/signal-endpoint'
import { TEST_RUN_LIMITS } from '@burgee/protocol/administration/test-run'
import { SERVER_OPTIONS } from '@burgee/server/core/options/options'
import { RESOURCE_LIMITS, TABLE_LIMITS } from '@burgee/server/core/resource-limits'
import { JSON_COLUMNS, type Schema } from '@burgee/storage/database'
import { TABLE_NAMES } from '@burgee/storage/table-names'
import { expect, test } from 'vitest'
import { readConstant } from './source-constants.ts'

/**
 * Every list that callers can fill has a maximum length. A new table or JSON column needs a row here, and the page
 * about limits lists all maximum numbers.
 */
const PAGE = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'limits.md'), 'utf8')

type Limit =
  /** Maximum number of entries, and the row of the page that contains it. */
  | { readonly row: string; readonly max: number }
  /** At most one row per key, so that the list is no longer than the lists that its key refers to. */
  | { readonly onePer: string }
  /** Rows that the server removes when they are too old or too many. */
  | { readonly removed: string }
  /** Main objects of the installation, which only users with this permission can create. */
  | { readonly permission: string }

const constant = (row: string, file: string, name: string): Limit => ({ row, max: readConstant(file, name) })
const comments = (row: string) => constant(row, 'server/src/admin/comments/bounds.ts', 'MAX_COMMENTS')
const requests = (row: string, file: string, name: string) =>
  constant(row, `server/src/admin/change-requests/${file}.ts`, name)
const byRetention: Limit = { removed: 'docs/retention.md' }

const TABLES: Readonly<Record<keyof Schema, Limit>> = {
  agent_limits: { onePer: 'environment' },
  agent_writes: { removed: 'docs/agents.md' },
  api_token_aliases: { onePer: 'API token of an import' },
  api_token_callers: { onePer: 'API token' },
  api_token_projects: { onePer: 'API token and project' },
  api_token_secrets: { onePer: 'API token' },
  api_tokens: { row: 'API tokens', max: TABLE_LIMITS.api_tokens },
  change_marks: { onePer: 'kind of change' },
  change_request_approvers: { onePer: 'change request and user' },
  change_request_changes: requests('changes of a change request', 'request-limits', 'MAX_CHANGES'),
  change_request_comments: comments('comments on a flag or change request'),
  change_request_opinions: { onePer: 'change request and user' },
  change_request_settings: { onePer: 'project and environment' },
  change_requests: requests('open change requests of a user in an environment of a project', 'drafts', 'MAX_OPEN'),
  client_application_reach: byRetention,
  client_applications: byRetention,
  client_instance_projects: byRetention,
  client_instances: byRetention,
  client_metrics: byRetention,
  client_metrics_variants: byRetention,
  code_branches: { row: 'branches of a repository with code references', max: MAX_BRANCHES },
  code_extinctions: { onePer: 'repository and flag' },
  code_references: { row: 'code references of all branches', max: MAX_STORED_REFERENCES },
  code_repositories: { row: 'repositories with code references', max: MAX_REPOSITORIES },
  code_scans: { onePer: 'branch of a repository and project' },
  config_origins: { onePer: 'project and object that a file describes' },
  context_fields: { row: 'context fields', max: TABLE_LIMITS.context_fields },
  database_epoch: { onePer: 'installation' },
  environments: { row: 'environments', max: TABLE_LIMITS.environments },
  event_search_blocks: byRetention,
  event_search_postings: byRetention,
  events: byRetention,
  feature_comments: comments('comments on a flag or change request'),
  feature_dependencies: { onePer: 'flag' },
  feature_environments: { onePer: 'flag and environment' },
  feature_favorites: { onePer: 'user and flag' },
  feature_links: { row: 'links of a flag', max: MAX_LINKS },
  feature_snoozes: { onePer: 'flag' },
  feature_stages: { onePer: 'flag and stage' },
  feature_strategies: {
    row: 'strategies of a flag in an environment',
    max: SERVER_OPTIONS.featureEnvironmentStrategiesLimit.default,
  },
  feature_strategy_segments: { row: 'segments of a strategy', max: SERVER_OPTIONS.strategySegmentsLimit.default },
  feature_tags: { row: 'tags of a flag', max: RESOURCE_LIMITS.featureTags },
  feature_types: { onePer: 'built-in flag type' },
  feature_values: { onePer: 'flag' },
  features: { permission: 'CREATE_FEATURE' },
  feedback: constant(
    'splash ids and feedback ids of a user',
    'server/src/admin/access/people/own-notes.ts',
    'MAX_NOTES',
  ),
  flag_presences: { removed: 'a minute after the last renewal' },
  group_members: { onePer: 'group and user' },
  gauge_reports: { removed: 'a day after the minute that it describes' },
  groups: constant('groups', 'server/src/admin/access/groups/groups.ts', 'MAX_GROUPS'),
  hidden_presences: { onePer: 'user' },
  impact_charts: { row: 'saved charts of a flag', max: MAX_FLAG_CHARTS },
  impact_metrics: byRetention,
  impact_points: byRetention,
  impact_series: byRetention,
  integration_attempts: byRetention,
  integration_deliveries: byRetention,
  integration_lease: { onePer: 'installation' },
  integration_project_grants: { onePer: 'integration and project' },
  integrations: constant('integrations', 'server/src/admin/integrations/integrations.ts', 'MAX_INTEGRATIONS'),
  invite_link_roles: { onePer: 'invite link, project and role' },
  invite_link_users: constant(
    'sign-ups with an invite link',
    'server/src/admin/invitations/invite-links.ts',
    'MAX_USERS',
  ),
  invite_links: constant('invite links', 'server/src/admin/invitations/invite-links.ts', 'MAX_LINKS'),
  known_networks: constant('known networks of a user', 'storage/src/queries/access/known-networks.ts', 'MAX_NETWORKS'),
  login_history: byRetention,
  notification_reads: { onePer: 'user' },
  personal_tokens: { row: 'personal tokens of a user', max: SERVER_OPTIONS.personalTokensLimit.default },
  project_environment_defaults: { onePer: 'project and environment' },
  project_environments: { onePer: 'project and environment' },
  project_favorites: { onePer: 'user and project' },
  project_groups: { onePer: 'project, group and role' },
  project_members: { onePer: 'project, user and role' },
  projects: { permission: 'CREATE_PROJECT' },
  release_plan_segments: { onePer: 'release plan and segment' },
  release_plan_templates: constant(
    'release templates',
    'server/src/admin/releases/release-templates.ts',
    'MAX_TEMPLATES',
  ),
  release_plans: { onePer: 'flag and environment' },
  release_template_segments: { onePer: 'release template and segment' },
  removed_private_projects: { onePer: 'deleted private project' },
  reset_tokens: { onePer: 'user' },
  role_permissions: { onePer: 'role, permission and environment' },
  roles: constant('roles', 'server/src/admin/access/rights/roles.ts', 'MAX_ROLES'),
  safeguards: { row: 'safeguards of a flag in an environment', max: MAX_SAFEGUARDS },
  sampled_environments: { onePer: 'environment' },
  segments: { row: 'segments', max: TABLE_LIMITS.segments },
  self_targets: { row: 'users who get a flag in an environment for a limited time', max: MAX_SELF_TARGETS },
  sessions: { row: 'sessions of a user', max: SERVER_OPTIONS.maxParallelSessions.default },
  settings: { onePer: 'setting' },
  signal_endpoints: { row: 'signal endpoints', max: MAX_SIGNAL_ENDPOINTS },
  splash: constant('splash ids and feedback ids of a user', 'server/src/admin/access/people/own-notes.ts', 'MAX_NOTES'),
  sso_identities: { onePer: 'user and provider' },
  strategy_types: { row: 'strategy types', max: TABLE_LIMITS.strategy_types },
  tag_types: { row: 'tag types', max: TABLE_LIMITS.tag_types },
  tags: { row: 'tags', max: TABLE_LIMITS.tags },
  test_runs: { row: 'test runs of all projects at the same time', max: SERVER_OPTIONS.testRunsLimit.default },
  unknown_flag_projects: byRetention,
  unknown_flags: byRetention,
  users: { permission: 'ADMIN' },
}

const NOT_A_LIST = 'no list'

/** Lists in JSON columns. A value that is not a list is limited by the size of the request that stores it. */
const COLUMNS: Readonly<Record<(typeof JSON_COLUMNS)[number], Limit | typeof NOT_A_LIST>> = {
  agent: NOT_A_LIST,
  data: NOT_A_LIST,
  pre_data: NOT_A_LIST,
  undo: NOT_A_LIST,
  tags: { row: 'tags of a flag', max: RESOURCE_LIMITS.featureTags },
  overrides: { row: 'overrides of a test run', max: TEST_RUN_LIMITS.overrides },
  parameters: NOT_A_LIST,
  constraints: { row: 'constraints of a strategy or segment', max: RESOURCE_LIMITS.strategyConstraints },
  variants: { row: 'variants of a strategy, or of a flag in an environment', max: RESOURCE_LIMITS.variants },
  strategies: byRetention,
  legal_values: constant(
    'legal values of a context field',
    'server/src/admin/targeting/context-fields.ts',
    'MAX_VALUES',
  ),
  default_strategy: NOT_A_LIST,
  link_templates: { row: 'link templates of a project', max: MAX_LINKS / 2 },
  open_parameters: NOT_A_LIST,
  sealed_parameters: NOT_A_LIST,
  event_types: { row: 'names in a filter of an integration', max: 500 },
  only_projects: { row: 'names in a filter of an integration', max: 500 },
  only_environments: { row: 'names in a filter of an integration', max: 500 },
  mappings_sso: { row: 'names of a group at the single sign-on provider', max: 100 },
  state_times: NOT_A_LIST,
  payload: NOT_A_LIST,
  base: NOT_A_LIST,
  labels: byRetention,
  bounds: byRetention,
  source_projects: byRetention,
  milestones: { row: 'milestones of a release template or plan', max: MAX_MILESTONES },
  definition: NOT_A_LIST,
  trip: NOT_A_LIST,
  reports: { removed: 'a day after the minute that they describe' },
  places: { row: 'code references of a flag in a branch with a path and a line', max: MAX_PLACES },
}

/** Lists inside of stored values, and total numbers. */
const INNER: readonly Limit[] = [
  { row: 'saved charts that belong to no flag', max: MAX_SHARED_CHARTS },
  { row: 'strategies of a milestone', max: MAX_MILESTONE_STRATEGIES },
  { row: 'values of a constraint', max: RESOURCE_LIMITS.constraintValues },
  { row: 'RE2 instructions of a pattern', max: MAX_PATTERN_SIZE },
  constant(
    'RE2 instructions of all patterns of a strategy or segment',
    'server/src/admin/targeting/pattern-check.ts',
    'MAX_PATTERNS_SIZE',
  ),
  { row: 'safeguards of all flags', max: SERVER_OPTIONS.safeguardsLimit.default },
  { row: 'test runs of a project at the same time', max: SERVER_OPTIONS.projectTestRunsLimit.default },
  {
    row: 'RE2 instructions of a pattern, times characters of the value that it is compared with',
    max: MAX_SEARCH_WORK,
  },
  { row: 'characters of a value that a pattern is compared with', max: MAX_SEARCHED_LENGTH },
  { row: 'RE2 instructions times characters, in all searches of an evaluation', max: MAX_EVALUATION_WORK },
]

test('every table and every JSON column has a limit', () => {
  expect(Object.keys(TABLES).toSorted()).toEqual(TABLE_NAMES.toSorted())
  expect(Object.keys(COLUMNS).toSorted()).toEqual(JSON_COLUMNS.toSorted())
  expect(RESOURCE_LIMITS.segmentConstraints).toBe(RESOURCE_LIMITS.strategyConstraints)
})

const limits = [...Object.values(TABLES), ...Object.values(COLUMNS), ...INNER]
const numbers = limits.flatMap((limit) => (limit !== NOT_A_LIST && 'row' in limit ? [limit] : []))

test.each(numbers)('the page of limits names $max $row', ({ row, max }) => {
  const line = PAGE.split('\n').find((one) => one.startsWith(`| ${row} |`))
  expect(line).toMatch(new RegExp(`(?<![\\d,])${max.toLocaleString('en-US')}(?![\\d,]*\\d)`))
})

test('the page of limits lists nothing else', () => {
  const [, section = ''] = PAGE.split('## Lists')
  const rows = (section.split('\n## ')[0] ?? '')
    .split('\n')
    .flatMap((line) => /^\| ([^|]+) \| \d/.exec(line)?.[1] ?? [])
  expect(new Set(rows)).toEqual(new Set(numbers.map(({ row }) => row)))
})
