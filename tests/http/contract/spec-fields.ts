/**
 * Rules for each field in the replies of the documented endpoints. `docs/compatibility-server/bodies.md` has a row for
 * each.
 */

/** Rule for one field. `[]` is each item of a list, `{}` each value of a map. */
export interface FieldRow {
  readonly field: string
  readonly is: (value: unknown) => boolean
  /** Description in the document. */
  readonly holds: string
  /** A map with caller-defined keys, or an object whose content is not checked. */
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
  row(`${of}.contextName`, text, 'Context field that is looked at.'),
  row(`${of}.operator`, operator, 'One of the fifteen, and the additions of the engine.'),
  row(`${of}.caseInsensitive`, bool, '`false` where nothing is said.'),
  row(`${of}.inverted`, bool, '`false` where nothing is said; turns the result round.'),
  row(`${of}.values`, texts, 'Of operators with several values; else empty.'),
  row(`${of}.value`, text, 'Of operators with one value; else left out.'),
  row(`${of}.result`, bool, 'Whether the context meets it.'),
]

const variantRows = (of: string): FieldRow[] => [
  row(`${of}.name`, text, 'Unique within the flag.'),
  row(`${of}.weight`, (value) => whole(value) && Number(value) >= 0 && Number(value) <= 1000, '0 to 1000.'),
  row(`${of}.weightType`, is('variable', 'fix'), '`variable` or `fix`.'),
  row(`${of}.stickiness`, text, 'Context field that decides.'),
  row(`${of}.payload`, object, 'Left out where there is none.'),
  row(`${of}.payload.type`, is('json', 'csv', 'string', 'number'), '`json`, `csv`, `string` or `number`.'),
  row(`${of}.payload.value`, text, 'Always a text.'),
]

const chosenRows = (of: string): FieldRow[] => [
  row(`${of}.name`, text, '`disabled` where there is none.'),
  row(`${of}.enabled`, bool, '`false` where the flag is off or has no variants.'),
  row(`${of}.payload`, object, 'Left out where there is none.'),
  row(`${of}.payload.type`, text, 'As defined.'),
  row(`${of}.payload.value`, text, 'As defined.'),
]

const RESULT = 'features[].environments{}[]'
const STRATEGY = `${RESULT}.strategies.data[]`

const PLAYGROUND: readonly FieldRow[] = [
  row('input', object, 'What was sent, texts where numbers were sent for texts.'),
  row('input.environments', texts, 'As sent.'),
  row(
    'input.projects',
    (value) => value === '*' || texts(value),
    'As sent: a list, or `*` for all; left out where it was.',
  ),
  row('input.context', object, 'As sent, with what was not evaluated.', 'open'),
  row('features', list, 'Flags of the projects that are not archived.'),
  row('features[].name', text, 'Name of the flag.'),
  row('features[].projectId', text, 'Its project.'),
  row('features[].environments', object, 'By environment, a result for each combination of values.', 'map'),
  row(`${RESULT}.name`, text, 'Name of the flag.'),
  row(`${RESULT}.environment`, text, 'Name of the environment.'),
  row(`${RESULT}.projectId`, text, 'Project of the flag.'),
  row(`${RESULT}.context`, object, 'The one combination that was evaluated, `properties` among the rest.', 'open'),
  row(`${RESULT}.strategies`, object, 'What the strategies came to.'),
  row(
    `${RESULT}.strategies.result`,
    is(true, false, 'unknown'),
    '`unknown` only where one cannot be known and no other is true.',
  ),
  row(`${RESULT}.strategies.data`, list, 'Each strategy; empty where there is none.'),
  row(`${RESULT}.isEnabledInCurrentEnvironment`, bool, 'Whether SDKs get it as enabled there.'),
  row(`${RESULT}.isEnabled`, bool, 'What an SDK would say; `false` where the result is unknown.'),
  row(`${RESULT}.hasUnsatisfiedDependency`, bool, 'An addition: a parent keeps it off.'),
  row(
    `${RESULT}.unsatisfiedDependencies`,
    list,
    'An addition: the parents that keep it off, each `{feature, reason}`; left out where none does.',
    'open',
  ),
  row(`${RESULT}.variant`, object, 'The variant of the context, or the disabled one; never null.'),
  ...chosenRows(`${RESULT}.variant`),
  row(`${RESULT}.variant.feature_enabled`, bool, 'Whether the flag is on.'),
  row(`${RESULT}.feature_enabled`, bool, 'The same, beside the variant.'),
  row(`${RESULT}.variants`, list, 'Variants that the flag has in the environment.'),
  ...variantRows(`${RESULT}.variants[]`),
  row(`${RESULT}.variants[].overrides`, list, 'Who gets it whatever the weight; left out where nobody.', 'open'),
  row(`${RESULT}.variantDecision`, object, 'An addition: how the variant was found.', 'open'),
  row(`${STRATEGY}.name`, text, 'Type of the strategy.'),
  row(`${STRATEGY}.title`, text, 'Left out where it has none.'),
  row(`${STRATEGY}.id`, text, 'Id of the strategy.'),
  row(
    `${STRATEGY}.result`,
    (value) => bool(value) || object(value),
    'A plain boolean, or an object where it was not evaluated in full.',
  ),
  row(
    `${STRATEGY}.result.evaluationStatus`,
    is('incomplete', 'unevaluated'),
    '`incomplete` for a custom strategy, `unevaluated` for a disabled one.',
  ),
  row(`${STRATEGY}.result.enabled`, is(false, 'unknown'), '`false` or `unknown`.'),
  row(`${STRATEGY}.disabled`, bool, 'Whether it is left out of the evaluation.'),
  row(`${STRATEGY}.parameters`, object, 'Texts by name.', 'open'),
  row(`${STRATEGY}.constraints`, list, 'Its own constraints.'),
  ...constraintRows(`${STRATEGY}.constraints[]`),
  row(`${STRATEGY}.segments`, list, 'Its segments.'),
  row(`${STRATEGY}.segments[].id`, whole, 'Id of the segment.'),
  row(`${STRATEGY}.segments[].name`, text, 'Name of the segment.'),
  row(`${STRATEGY}.segments[].result`, bool, 'Whether all of its constraints hold.'),
  row(`${STRATEGY}.segments[].constraints`, list, 'Its constraints, with what each came to.'),
  ...constraintRows(`${STRATEGY}.segments[].constraints[]`),
  row(`${STRATEGY}.links`, object, 'Where to go on.'),
  row(
    `${STRATEGY}.links.edit`,
    (value) => String(value).startsWith('/projects/'),
    'Page of the UI that edits the strategy.',
  ),
  row(`${STRATEGY}.variant`, object, 'An addition: the variant of this strategy.'),
  ...chosenRows(`${STRATEGY}.variant`),
  row(`${STRATEGY}.variants`, list, 'An addition: variants of this strategy.'),
  ...variantRows(`${STRATEGY}.variants[]`),
  row(`${STRATEGY}.decision`, object, 'An addition: bucket and limit of a rollout.', 'open'),
  row(`${STRATEGY}.variantDecision`, object, 'An addition: how its variant was found.', 'open'),
  row('warnings', object, 'Left out where there is nothing to warn of.'),
  row('warnings.invalidContextProperties', texts, 'Fields at the top of the context that are no text.'),
]

const userRows = (of: string): FieldRow[] => [
  row(`${of}id`, whole, 'Id of the user.'),
  row(`${of}isAPI`, is(false), '`false`: a person.'),
  row(`${of}name`, text, 'Left out where it is not set.'),
  row(`${of}email`, text, 'Left out where it is not set.'),
  row(`${of}username`, text, 'Left out where it is not set; unique.'),
  row(`${of}imageUrl`, (value) => String(value).startsWith('https://'), 'Picture, by a hash of the address or name.'),
  row(`${of}loginAttempts`, whole, 'Failed logins since the last that worked.'),
  row(`${of}rootRole`, whole, '1 Admin, 2 Editor, 3 Viewer, or a role that was made.'),
  row(`${of}seenAt`, orNull(time), 'Time of the last login; the reply to a login has the previous one. Null for none.'),
  row(`${of}createdAt`, time, 'When it was made.'),
  row(`${of}accountType`, is('User', 'Service Account'), '`User`, or `Service Account`.'),
  row(`${of}scimId`, orNull(text), 'By which id a directory of people knows it; null where none keeps it.'),
  row(`${of}mustChangePassword`, bool, 'An addition: the password must be changed before anything else.'),
  row(`${of}active`, bool, 'An addition: `false` for who was deactivated by a directory of people.'),
]

const ME: readonly FieldRow[] = [
  row('user', object, 'Who calls.'),
  ...userRows('user.'),
  row('permissions', list, 'What the caller may do; `ADMIN` alone for administrators.'),
  row('permissions[].permission', text, 'Name of the right.'),
  row('permissions[].project', text, 'Left out for rights that hold everywhere.'),
  row('permissions[].environment', text, 'Of rights per environment, once for each.'),
  row('feedback', list, 'What the person was asked.'),
  row('feedback[].userId', whole, 'Id of the person.'),
  row('feedback[].neverShow', bool, 'Not to be asked again.'),
  row('feedback[].given', orNull(time), 'When an answer was given.'),
  row('feedback[].feedbackId', text, 'What was asked.'),
  row('splash', object, 'Pages that the person has seen.', 'open'),
]

const LIMITS = ['segmentValues', 'strategySegments', 'constraintValues']
const NOT_HERE = [
  ...['actionSetActions', 'actionSetsPerProject', 'actionSetFilters', 'actionSetFilterValues'],
  ...['signalEndpoints', 'signalTokensPerEndpoint'],
]

const UI_CONFIG: readonly FieldRow[] = [
  row('name', text, 'Name of the instance.'),
  row(
    'version',
    (value) => /^5\.12\.8\+burgee\.\d+\.\d+\.\d+/.test(String(value)),
    'Whose API this is, and as build metadata the version of this server: `5.12.8+burgee.0.1.0`.',
  ),
  row('environment', is('Open source'), '`Open source`.'),
  row('unleashUrl', (value) => URL.canParse(String(value)), 'Where people reach the server.'),
  row('baseUriPath', text, 'Path below which everything is served.'),
  row(
    'disablePasswordAuth',
    is(false),
    'Whether logins with a password are switched off: `false` here, before that is set.',
  ),
  row(
    'emailEnabled',
    is(false),
    'Whether invitations and links for forgotten passwords are sent by e-mail: `false` here, where `EMAIL_HOST` is not set.',
  ),
  row('maintenanceMode', is(false), 'Whether the server takes no changes at present.'),
  row('segmentValuesLimit', whole, 'As `resourceLimits.segmentValues`.'),
  row('strategySegmentsLimit', whole, 'As `resourceLimits.strategySegments`.'),
  row('resourceLimits', object, 'Numbers.'),
  ...LIMITS.map((name) =>
    row(`resourceLimits.${name}`, (value) => whole(value) && Number(value) > 0, 'Enforced: one more is a 400.'),
  ),
  ...NOT_HERE.map((name) => row(`resourceLimits.${name}`, is(0), '0: there is no such thing here.')),
  row('networkViewEnabled', is(false), '`false`: there is none.'),
  row('frontendApiOrigins', texts, 'Origins whose pages may call the frontend API.'),
  row('flags', object, 'Switches of the established UI whose parts are served here; absent ones are off.', 'open'),
  row('links', list, 'Links of the UI.'),
  row('links[].value', text, 'Name of the link.'),
  row('links[].icon', text, 'Its icon.'),
  row('links[].href', text, 'Where it leads.'),
  row('links[].title', text, 'What it says.'),
  row('authenticationType', is('enterprise'), '`enterprise`: user interfaces offer the settings of single sign-on.'),
  row('versionInfo', object, 'Versions.'),
  row('versionInfo.current', object, 'Of this server.'),
  row('versionInfo.current.oss', text, 'As `version`.'),
  row(
    'versionInfo.current.enterprise',
    text,
    'As `version`: user interfaces show roles, groups, service accounts, single sign-on, logins and change requests where it is not empty.',
  ),
  row('versionInfo.latest', object, 'Empty: nobody is asked for a newer one.', 'open'),
  row('versionInfo.isLatest', is(true), '`true`: no newer one is known.'),
  row('versionInfo.instanceId', text, 'Id of the installation, the same on all its nodes.'),
]

const EVENTS: readonly FieldRow[] = [
  row('version', is(1), '1.'),
  row('toggleName', text, 'As asked.'),
  row('totalEvents', whole, 'Of the flag, whatever the page.'),
  row('events', list, 'Newest first; empty where there never was such a flag.'),
  row('events[].id', whole, 'Rises in the order of commits.'),
  row('events[].createdAt', time, 'When it was done.'),
  row('events[].type', text, 'What was done.'),
  row('events[].createdBy', text, 'E-mail or username of the person, or name of the token.'),
  row('events[].createdByUserId', whole, 'Id of the person; −42 for tokens, −1337 for the server.'),
  row('events[].environment', orNull(text), 'Null where it concerns all.'),
  row('events[].project', orNull(text), 'Project of the flag at that time.'),
  row('events[].featureName', text, 'Name of the flag.'),
  row('events[].data', orNull(object), 'State after; null where there is none.', 'open'),
  row('events[].preData', orNull(object), 'State before; null where there was none.', 'open'),
  row('events[].tags', tags, 'Tags of the flag after it.', 'open'),
  row('events[].ip', orNull(text), 'An addition, for administrators: address of the caller.'),
]

const PROBLEM: readonly FieldRow[] = [
  row('id', text, 'Of this one failure.'),
  row('name', text, 'Kind of failure.'),
  row('message', text, 'What went wrong, and with what.'),
  row('details', list, 'An addition: each reason.', 'open'),
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
