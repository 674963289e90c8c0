import type { EventNews } from '@burgee/protocol/event'

const FLAGS = ['feature-', 'strategy-order-changed']
const PLACES = ['project-', 'environment-']

/**
 * Answers of the server by the first word of their key, and what they follow: beginnings of the types of events. None: they
 * do not follow events, because they show counts, or what somebody has asked for at a moment.
 */
export const FOLLOWED: Readonly<Record<string, readonly string[]>> = {
  flags: [...FLAGS, ...PLACES, 'tag-'],
  flag: [...FLAGS, ...PLACES, 'tag-', 'segment-', 'strategy-', 'default-strategy-', 'context-field-'],
  restoration: [...FLAGS, ...PLACES, 'segment-'],
  comments: ['feature-comment-'],
  'flag-people': ['feature-favorited', 'feature-unfavorited', 'project-', 'user-', 'group-'],
  'presence-choice': [],
  'past-flag': [...FLAGS, ...PLACES, 'tag-', 'segment-'],
  archive: [...FLAGS, 'project-'],
  'archive-check': FLAGS,
  'unknown-flags': FLAGS,
  project: [...FLAGS, ...PLACES, 'default-strategy-'],
  comparison: [...FLAGS, ...PLACES, 'segment-'],
  'project-environments': [...PLACES, 'default-strategy-'],
  projects: [...FLAGS, 'project-'],
  members: ['project-', 'user-', 'group-', 'role-', 'service-account-'],
  environments: [...FLAGS, ...PLACES],
  'traffic-sampling': ['environment-'],
  segments: ['segment-', ...FLAGS],
  uses: ['segment-', 'strategy-', 'context-field-', ...FLAGS],
  'context-fields': ['context-field-', 'segment-', ...FLAGS],
  'strategy-types': ['strategy-', ...FLAGS],
  'feature-types': ['feature-type-'],
  'tag-types': ['tag-type-'],
  tags: ['tag-', 'feature-tagged', 'feature-untagged'],
  tokens: ['api-token-', ...PLACES],
  integrations: ['addon-config-'],
  'invite-links': ['public-signup-token-'],
  deliveries: [],
  'personal-tokens': ['pat-'],
  users: ['user-', 'role-'],
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
  usage: [],
}

/** What is said of a flag changes nothing of it: only what names these events follows them, and what follows all. */
const TALK = 'feature-comment-'

/** Whether an answer may be another one after what happened. */
export function isAffected(key: readonly unknown[], happened: readonly EventNews[]): boolean {
  if (!followsEvents(key)) return false
  // whatever there is may have come
  if (happened.some(({ type }) => type === 'instance-imported')) return true
  const [kind, ...more] = key
  const followed = FOLLOWED[String(kind)] ?? []
  return happened.some(
    (event) => followed.some((beginning) => isFollowed(event, beginning)) && !isOfOther(String(kind), more, event),
  )
}

function isFollowed({ type }: EventNews, beginning: string): boolean {
  return type.startsWith(beginning) && (!type.startsWith(TALK) || beginning === TALK || beginning === '')
}

/** Whether an answer follows events at all. What is shown of the log stays in its place: its news come beside it. */
export function followsEvents([kind, first]: readonly unknown[]): boolean {
  return (FOLLOWED[String(kind)] ?? []).length > 0 && !(kind === 'events' && first === 'log')
}

/** Whether it is about another flag than the answer. Which parents a flag can have depends on all flags. */
function isOfOther(kind: string, [first, second, third]: readonly unknown[], { featureName }: EventNews): boolean {
  if (featureName === null) return false
  if (kind === 'flag') return featureName !== second && third !== 'parents'
  if (kind === 'past-flag' || kind === 'restoration' || kind === 'comments' || kind === 'flag-people')
    return featureName !== second
  return kind === 'events' && first === 'flag' && featureName !== second
}
