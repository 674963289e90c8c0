/**
 * Rules for each field in the replies of the documented endpoints. `docs/compatibility-server/bodies.md` has a row for
 * each field.
 */

/** Rule for one field. In paths, `[]` means each item of a list, and `{}` each value of a map. */
export interface FieldRow {
  readonly field: string
  readonly is: (value: unknown) => boolean
  /** Description of the field in the document. */
  readonly holds: string
  /** `map`: its keys are chosen by callers; `open`: the content of the object is not checked. */
  readonly shape?: 'map' | 'open'
}

const text = (value: unknown): boolean => typeof value === 'string'
const bool = (value: unknown): boolean => typeof value === 'boolean'
const whole = (value: unknown): boolean => Number.isInteger(value)
const object = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value)
const list = (value: unknown): boolean => Array.isArray(value)
const texts = (value: unknown): boolean => Array.isArray(value) && value.every(text)
const time = (value: unknown): boolean => text(value) && new Date(String(value)).toISOString() === value
const is =
  (...values: readonly unknown[]) =>
  (value: unknown): boolean =>
    values.includes(value)
const orNull =
  (check: (value: unknown) => boolean) =>
  (value: unknown): boolean =>
    value === null || check(value)
const tags = (value: unknown): boolean =>
  Array.isArray(value) && value.every((tag) => Object.keys(tag).sort().join() === 'type,value')

/** Matches operator names such as `NOT_IN` and `SEMVER_LT`. */
const operator = (value: unknown): boolean => /^[A-Z]+(_[A-Z]+)*$/.test(String(value))
const row = (field: string, check: FieldRow['is'], holds: string, shape?: FieldRow['shape']): FieldRow => ({
  field,
  is: check,
  holds,
  ...(shape === undefined ? {} : { shape }),
})

const constraintRows = (of: string): FieldRow[] => [
  row(`${of}.contextName`, text, 'Context field of the constraint.'),
  row(`${of}.operator`, operator, 'One of the fifteen operators of Unleash, or an addition of the engine.'),
  row(`${of}.caseInsensitive`, bool, 'Default `false`.'),
  row(`${of}.inverted`, bool, 'Default `false`; inverts the result.'),
  row(`${of}.values`, texts, 'For operators with several values; otherwise empty.'),
  row(`${of}.value`, text, 'For operators with one value; otherwise omitted.'),
  row(`${of}.result`, bool, 'True if the context matches.'),
]

const variantRows = (of: string): FieldRow[] => [
  row(`${of}.name`, text, 'Unique within the flag.'),
  row(`${of}.weight`, (value) => whole(value) && Number(value) >= 0 && Number(value) <= 1000, '0 to 1000.'),
  row(`${of}.weightType`, is('variable', 'fix'), '`variable` or `fix`.'),
  row(`${of}.stickiness`, text, 'Context field whose hash selects the variant.'),
  row(`${of}.payload`, object, 'Omitted if there is none.'),
  row(`${of}.payload.type`, is('json', 'csv', 'string', 'number'), '`json`, `csv`, `string` or `number`.'),
  row(`${of}.payload.value`, text, 'Always a string.'),
]

const chosenRows = (of: string): FieldRow[] => [
  row(`${of}.name`, text, '`disabled` if there is none.'),
  row(`${of}.enabled`, bool, '`false` if the flag is off or has no variants.'),
  row(`${of}.payload`, object, 'Omitted if there is none.'),
  row(`${of}.payload.type`, text, 'As defined.'),
  row(`${of}.payload.value`, text, 'As defined.'),
]

const RESULT = 'features[].environments{}[]'
const STRATEGY = `${RESULT}.strategies.data[]`

const PLAYGROUND: readonly FieldRow[] = [
  row('input', object, 'The request, with numbers converted to strings where strings are expected.'),
  row('input.environments', texts, 'As sent.'),
  row(
    'input.projects',
    (value) => value === '*' || texts(value),
    'As sent: a list, or `*` for all; omitted if it was omitted.',
  ),
  row('input.context', object, 'As sent, including fields that were not evaluated.', 'open'),
  row('features', list, 'Flags of the selected projects, without archived flags.'),
  row('features[].name', text, 'Name of the flag.'),
  row('features[].projectId', text, 'Project of the flag.'),
  row('features[].environments', object, 'Results by environment, one for each combination of values.', 'map'),
  row(`${RESULT}.name`, text, 'Name of the flag.'),
  row(`${RESULT}.environment`, text, 'Name of the environment.'),
  row(`${RESULT}.projectId`, text, 'Project of the flag.'),
  row(`${RESULT}.context`, object, 'The evaluated combination, with `properties` merged into it.', 'open'),
  row(`${RESULT}.strategies`, object, 'Result of the strategies.'),
  row(
    `${RESULT}.strategies.result`,
    is(true, false, 'unknown'),
    '`unknown` only if one strategy is unknown and no other matches.',
  ),
  row(`${RESULT}.strategies.data`, list, 'Every strategy; empty if there is none.'),
  row(`${RESULT}.isEnabledInCurrentEnvironment`, bool, 'True if SDKs get the flag as enabled in this environment.'),
  row(`${RESULT}.isEnabled`, bool, 'Result of an SDK; `false` if the result is unknown.'),
  row(`${RESULT}.hasUnsatisfiedDependency`, bool, 'Addition: true if a parent keeps the flag off.'),
  row(
    `${RESULT}.unsatisfiedDependencies`,
    list,
    'Addition: the parents that keep the flag off, each `{feature, reason}`; omitted if there is none.',
    'open',
  ),
  row(`${RESULT}.variant`, object, 'Variant for the context, or the disabled variant; never null.'),
  ...chosenRows(`${RESULT}.variant`),
  row(`${RESULT}.variant.feature_enabled`, bool, 'True if the flag is on.'),
  row(`${RESULT}.feature_enabled`, bool, 'True if the flag is on; this copy is next to the variant.'),
  row(`${RESULT}.variants`, list, 'Variants of the flag in the environment.'),
  ...variantRows(`${RESULT}.variants[]`),
  row(
    `${RESULT}.variants[].overrides`,
    list,
    'Users who get this variant regardless of its weight; omitted if there are none.',
    'open',
  ),
  row(`${RESULT}.variantDecision`, object, 'Addition: how the variant was selected.', 'open'),
  row(`${STRATEGY}.name`, text, 'Type of the strategy.'),
  row(`${STRATEGY}.title`, text, 'Omitted if the strategy has no title.'),
  row(`${STRATEGY}.id`, text, 'Id of the strategy.'),
  row(
    `${STRATEGY}.result`,
    (value) => bool(value) || object(value),
    'A boolean, or an object if it was not fully evaluated.',
  ),
  row(
    `${STRATEGY}.result.evaluationStatus`,
    is('incomplete', 'unevaluated'),
    '`incomplete` for a custom strategy, `unevaluated` for a disabled one.',
  ),
  row(`${STRATEGY}.result.enabled`, is(false, 'unknown'), '`false` or `unknown`.'),
  row(`${STRATEGY}.disabled`, bool, 'True if the strategy is disabled, and so not evaluated.'),
  row(`${STRATEGY}.parameters`, object, 'Strings by name.', 'open'),
  row(`${STRATEGY}.constraints`, list, 'Its own constraints.'),
  ...constraintRows(`${STRATEGY}.constraints[]`),
  row(`${STRATEGY}.segments`, list, 'Its segments.'),
  row(`${STRATEGY}.segments[].id`, whole, 'Id of the segment.'),
  row(`${STRATEGY}.segments[].name`, text, 'Name of the segment.'),
  row(`${STRATEGY}.segments[].result`, bool, 'True if all of its constraints match.'),
  row(`${STRATEGY}.segments[].constraints`, list, 'Its constraints, with the result of each.'),
  ...constraintRows(`${STRATEGY}.segments[].constraints[]`),
  row(`${STRATEGY}.links`, object, 'Links to the admin UI.'),
  row(
    `${STRATEGY}.links.edit`,
    (value) => String(value).startsWith('/projects/'),
    'Page of the UI that edits the strategy.',
  ),
  row(`${STRATEGY}.variant`, object, 'Addition: the variant of this strategy.'),
  ...chosenRows(`${STRATEGY}.variant`),
  row(`${STRATEGY}.variants`, list, 'Addition: variants of this strategy.'),
  ...variantRows(`${STRATEGY}.variants[]`),
  row(`${STRATEGY}.decision`, object, 'Addition: bucket and limit of a rollout.', 'open'),
  row(`${STRATEGY}.variantDecision`, object, 'Addition: how its variant was selected.', 'open'),
  row('warnings', object, 'Omitted if there are no warnings.'),
  row('warnings.invalidContextProperties', texts, 'Top-level context fields that are not strings.'),
]

const userRows = (of: string): FieldRow[] => [
  row(`${of}id`, whole, 'Id of the user.'),
  row(`${of}isAPI`, is(false), '`false`: a user.'),
  row(`${of}name`, text, 'Omitted if not set.'),
  row(`${of}email`, text, 'Omitted if not set.'),
  row(`${of}username`, text, 'Unique; omitted if not set.'),
  row(
    `${of}imageUrl`,
    (value) => String(value).startsWith('https://'),
    'Avatar, by a hash of the e-mail address or name.',
  ),
  row(`${of}loginAttempts`, whole, 'Logins that failed since the last successful login.'),
  row(`${of}rootRole`, whole, '1 Admin, 2 Editor, 3 Viewer, or a custom role.'),
  row(
    `${of}seenAt`,
    orNull(time),
    'Time of the last login; in the response to a login, of the previous one. Null if there is none.',
  ),
  row(`${of}createdAt`, time, 'Time of creation.'),
  row(`${of}accountType`, is('User', 'Service Account'), '`User` or `Service Account`.'),
  row(`${of}scimId`, orNull(text), 'External id in the directory; null if no directory manages the user.'),
  row(`${of}mustChangePassword`, bool, 'Addition: true if the password must be changed before anything else.'),
  row(`${of}active`, bool, 'Addition: `false` if a directory has deactivated the user.'),
]

const ME: readonly FieldRow[] = [
  row('user', object, 'The caller.'),
  ...userRows('user.'),
  row('permissions', list, 'Permissions of the caller; only `ADMIN` for administrators.'),
  row('permissions[].permission', text, 'Name of the permission.'),
  row('permissions[].project', text, 'Omitted for instance permissions.'),
  row('permissions[].environment', text, 'Environment permissions have one entry per environment.'),
  row('feedback', list, 'Feedback requests to the user.'),
  row('feedback[].userId', whole, 'Id of the user.'),
  row('feedback[].neverShow', bool, 'True if the user does not want to be asked again.'),
  row('feedback[].given', orNull(time), 'Time of the answer.'),
  row('feedback[].feedbackId', text, 'Id of the request.'),
  row('splash', object, 'Splash pages that the user has seen.', 'open'),
]

const LIMITS = [
  ...['segmentValues', 'strategySegments', 'constraintValues', 'featureEnvironmentStrategies'],
  ...['constraints', 'environments', 'apiTokens', 'segments'],
]
const NOT_HERE = [
  ...['actionSetActions', 'actionSetsPerProject', 'actionSetFilters', 'actionSetFilterValues'],
  ...['signalEndpoints', 'signalTokensPerEndpoint'],
]

const UI_CONFIG: readonly FieldRow[] = [
  row('name', text, 'Name of the instance.'),
  row(
    'version',
    (value) => /^5\.12\.8\+burgee\.\d+\.\d+\.\d+/.test(String(value)),
    'Version of the Unleash API, with the version of this server as build metadata: `5.12.8+burgee.0.1.0`.',
  ),
  row('environment', is('Open source'), '`Open source`.'),
  row('unleashUrl', (value) => URL.canParse(String(value)), 'Public address of the server.'),
  row('baseUriPath', text, 'Base path of the server.'),
  row('disablePasswordAuth', is(false), 'True if password logins are disabled; `false` by default.'),
  row(
    'emailEnabled',
    is(false),
    'True if invitations and password links are sent by e-mail; `false` if `EMAIL_HOST` is not set.',
  ),
  row('maintenanceMode', is(false), 'True in maintenance mode.'),
  row('segmentValuesLimit', whole, 'As `resourceLimits.segmentValues`.'),
  row('strategySegmentsLimit', whole, 'As `resourceLimits.strategySegments`.'),
  row('resourceLimits', object, 'Limits, as numbers.'),
  ...LIMITS.map((name) =>
    row(`resourceLimits.${name}`, (value) => whole(value) && Number(value) > 0, 'Enforced: 400 beyond it.'),
  ),
  ...NOT_HERE.map((name) => row(`resourceLimits.${name}`, is(0), '0: not available.')),
  row('networkViewEnabled', is(false), '`false`: not available.'),
  row('frontendApiOrigins', texts, 'Origins whose pages may call the frontend API.'),
  row('flags', object, 'Feature switches of the Unleash UI for features that Burgee has; all others are off.', 'open'),
  row('links', list, 'Links of the UI.'),
  row('links[].value', text, 'Name of the link.'),
  row('links[].icon', text, 'Its icon.'),
  row('links[].href', text, 'Address of the link.'),
  row('links[].title', text, 'Text of the link.'),
  row(
    'authenticationType',
    is('enterprise'),
    '`enterprise`, so that the Unleash UI shows the single sign-on settings.',
  ),
  row('versionInfo', object, 'Versions.'),
  row('versionInfo.current', object, 'Version of this server.'),
  row('versionInfo.current.oss', text, 'As `version`.'),
  row(
    'versionInfo.current.enterprise',
    text,
    'As `version`; not empty, so that the Unleash UI shows roles, groups, service accounts, single sign-on, logins and change requests.',
  ),
  row('versionInfo.latest', object, 'Empty: Burgee does not check for newer versions.', 'open'),
  row('versionInfo.isLatest', is(true), '`true`: no newer version is known.'),
  row('versionInfo.instanceId', text, 'Id of the instance, the same on all its servers.'),
]

const EVENTS: readonly FieldRow[] = [
  row('version', is(1), '1.'),
  row('toggleName', text, 'As requested.'),
  row('totalEvents', whole, 'Number of events of the flag, regardless of the page.'),
  row('events', list, 'Newest first; empty if there never was such a flag.'),
  row('events[].id', whole, 'Increases in the order of commits.'),
  row('events[].createdAt', time, 'Time of the change.'),
  row('events[].type', text, 'Type of the event.'),
  row('events[].createdBy', text, 'E-mail address or username of the user, or name of the token.'),
  row('events[].createdByUserId', whole, 'Id of the user; −42 for tokens, −1337 for the server.'),
  row('events[].environment', orNull(text), 'Null if it applies to all.'),
  row('events[].project', orNull(text), 'Project of the flag at that time.'),
  row('events[].featureName', text, 'Name of the flag.'),
  row('events[].data', orNull(object), 'State after the change; null if there is none.', 'open'),
  row('events[].preData', orNull(object), 'State before the change; null if there was none.', 'open'),
  row('events[].tags', tags, 'Tags of the flag after the change.', 'open'),
  row('events[].ip', orNull(text), 'Addition, for administrators: address of the caller.'),
]

const PROBLEM: readonly FieldRow[] = [
  row('id', text, 'Id of this error.'),
  row('name', text, 'Kind of error.'),
  row('message', text, 'Cause of the error, with the property.'),
  row('details', list, 'Addition: the individual reasons.', 'open'),
]

/** Fields by endpoint, as `METHOD /path`; `errors` applies to every error. */
export const FIELDS = {
  'POST /api/admin/playground/advanced': PLAYGROUND,
  'POST /auth/simple/login': userRows(''),
  'GET /api/admin/ui-config': UI_CONFIG,
  'GET /api/admin/events/{featureName}': EVENTS,
  'GET /api/admin/user': ME,
  errors: PROBLEM,
} as const satisfies Readonly<Record<string, readonly FieldRow[]>>
export type FieldsOf = keyof typeof FIELDS

/** Returns the lines of the document: one table per endpoint. */
export function fieldLines(): string[] {
  return Object.entries(FIELDS).flatMap(([of, rows]) => [
    `### ${of === 'errors' ? 'Body of every error' : `Reply of \`${of}\``}`,
    '',
    '| Field | Content |',
    '| --- | --- |',
    ...rows.map(({ field, holds }) => `| \`${field}\` | ${holds} |`),
    '',
  ])
}
