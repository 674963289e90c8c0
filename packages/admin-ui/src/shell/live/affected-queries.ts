import type { EventSummary } from '@burgee/protocol/event'

const FLAGS = ['feature-', 'strategy-order-changed']
const PLACES = ['project-', 'environment-']

/**
 * Prefixes of event types that invalidate a query, keyed by the kind of query (the first part of its key). If the list
 * is empty, events do not invalidate the query: it shows counts, or results at a certain time.
 */
export const EVENT_PREFIXES: Readonly<Record<string, readonly string[]>> = {
  flags: [...FLAGS, ...PLACES, 'tag-', 'segment-', 'release-plan-'],
  flag: ['config-', ...FLAGS, ...PLACES, 'tag-', 'segment-', 'strategy-', 'default-strategy-', 'context-field-'],
  origins: ['config-', 'feature-deleted', 'project-'],
  restoration: [...FLAGS, ...PLACES, 'segment-'],
  comments: ['feature-comment-'],
  'flag-people': ['feature-favorited', 'feature-unfavorited', 'project-', 'user-', 'group-'],
  'presence-choice': [],
  'past-flag': [...FLAGS, ...PLACES, 'tag-', 'segment-'],
  archive: [...FLAGS, 'project-'],
  'archive-check': FLAGS,
  'flag-creators': FLAGS,
  'planned-changes': [...FLAGS, ...PLACES, 'segment-'],
  'unknown-flags': FLAGS,
  project: [...FLAGS, ...PLACES, 'default-strategy-'],
  comparison: [...FLAGS, ...PLACES, 'segment-'],
  'project-environments': [...PLACES, 'default-strategy-'],
  projects: [...FLAGS, 'project-'],
  members: ['project-', 'user-', 'group-', 'role-', 'service-account-'],
  environments: [...FLAGS, ...PLACES],
  'traffic-sampling': ['environment-'],
  'agent-limits': ['environment-'],
  'agent-writes': [...FLAGS, 'change-', 'release-plan-'],
  segments: ['segment-', ...FLAGS],
  uses: ['segment-', 'strategy-', 'context-field-', ...FLAGS],
  'context-fields': ['context-field-', 'segment-', ...FLAGS],
  'strategy-types': ['strategy-', ...FLAGS],
  'feature-types': ['feature-type-'],
  'signal-endpoints': ['signal-endpoint-'],
  'impact-metrics': [],
  'self-targets': ['feature-strategy-', 'feature-environment-'],
  'impact-charts': ['impact-metric-'],
  'impact-metric-data': [],
  'release-plan': ['release-plan-', 'milestone-progression-', 'safeguard-', 'feature-environment-', 'segment-'],
  'release-templates': ['release-plan-template-', 'segment-'],
  'tag-types': ['tag-type-'],
  tags: ['tag-', 'feature-tagged', 'feature-untagged'],
  tokens: ['api-token-', ...PLACES],
  'project-tokens': ['api-token-', ...PLACES],
  integrations: ['addon-config-'],
  'invite-links': ['public-signup-token-'],
  deliveries: [],
  delivery: [...FLAGS, 'segment-', 'project-environment-'],
  fleet: [],
  'personal-tokens': ['pat-'],
  users: ['user-', 'role-'],
  role: ['role-'],
  roles: ['role-'],
  permissions: ['environment-'],
  groups: ['group-', 'user-', 'project-access-'],
  'service-accounts': ['service-account-', 'pat-'],
  'sign-in': ['setting-'],
  maintenance: ['setting-'],
  people: ['user-', 'group-', 'service-account-'],
  guards: ['change-request-configuration-', 'project-environment-'],
  'change-requests': ['change-'],
  'change-request': ['change-', 'segment-', ...FLAGS],
  reviewers: ['change-request-configuration-', 'role-', 'user-', 'group-', 'project-'],
  profile: ['user-', 'project-', 'group-', 'role-'],
  me: ['user-', 'project-', 'environment-', 'setting-', 'group-', 'role-'],
  events: [''],
  news: [''],
  inbox: [
    'change-',
    'addon-config-',
    'api-token-',
    'pat-',
    'project-',
    'role-',
    'group-',
    'user-',
    'feature-environment-',
    'feature-archived',
    'feature-revived',
    'feature-deleted',
    'feature-snoozed',
    'feature-unsnoozed',
  ],
  notifications: [...FLAGS, 'project-', 'default-strategy-', 'change-request-'],
  application: [],
  applications: [],
  connection: [],
  stale: [...FLAGS, 'project-', 'feature-type-', 'environment-'],
  insights: [...FLAGS, 'project-'],
  constraint: [],
  health: [],
  impact: [],
  invitation: [],
  link: [],
  'login-ways': [],
  logins: [],
  opened: [],
  playground: [],
  'promotion-plan': [],
  statistics: [],
  sessions: ['user-'],
  'segment-draft': ['change-'],
  'usage-of-day': [],
  usage: [],
}

/**
 * Prefix of the types of comment events. Comments do not change a flag, so comment events only invalidate queries whose
 * list contains this prefix or all events.
 */
const COMMENT_PREFIX = 'feature-comment-'

/** Returns true if the events may have changed the result of a query. */
export function isAffected(key: readonly unknown[], happened: readonly EventSummary[]): boolean {
  if (!followsEvents(key)) return false
  // An import may have changed all resources.
  if (happened.some(({ type }) => type === 'instance-imported')) return true
  const [kind, ...more] = key
  const followed = EVENT_PREFIXES[String(kind)] ?? []
  return happened.some(
    (event) =>
      followed.some((beginning) => matchesPrefix(event, beginning)) && !isAboutOtherFlag(String(kind), more, event),
  )
}

function matchesPrefix({ type }: EventSummary, beginning: string): boolean {
  return (
    type.startsWith(beginning) && (!type.startsWith(COMMENT_PREFIX) || beginning === COMMENT_PREFIX || beginning === '')
  )
}

/**
 * Returns true if events invalidate a query. The displayed event log is not invalidated, because it handles new events
 * itself.
 */
export function followsEvents([kind, first]: readonly unknown[]): boolean {
  return (EVENT_PREFIXES[String(kind)] ?? []).length > 0 && !(kind === 'events' && first === 'log')
}

/** Returns true if the event is about a different flag. Queries for possible parents depend on all flags. */
function isAboutOtherFlag(
  kind: string,
  [first, second, third]: readonly unknown[],
  { featureName }: EventSummary,
): boolean {
  if (featureName === null) return false
  if (kind === 'flag') return featureName !== second && third !== 'parents'
  if (
    kind === 'past-flag' ||
    kind === 'restoration' ||
    kind === 'comments' ||
    kind === 'flag-people' ||
    kind === 'release-plan'
  )
    return featureName !== second
  return kind === 'events' && first === 'flag' && featureName !== second
}
