import { ApiError } from '../api/http.ts'
import type { Texts } from './en.ts'
import { describeGeneralError } from './general-error.ts'
import { REASON_TEXTS } from './reasons.ts'
import { FIELD_LABELS, OPERATOR_WORDS } from './wire-names.ts'

type Reason = keyof typeof REASON_TEXTS.en

/**
 * Patterns of server messages, with the reasons that are shown to users. Text captured by the pattern is inserted into
 * the reason.
 */
const REASONS: readonly (readonly [RegExp, Reason])[] = [
  [/must be URL friendly\. You provided "(.*)"/s, 'urlFriendly'],
  [/^There is already an? .* (?:named|with the id|with the description) "(.+)"/s, 'taken'],
  [/^There is already a tag "(.+)" of the type/s, 'taken'],
  [/^There is already a tag type "(.+)"/s, 'taken'],
  [/^There is already a user with that/, 'takenUser'],
  [/ in use, by (.+)\.$/s, 'inUse'],
  [/^This is the last admin/, 'lastAdmin'],
  [/must have at least one owner/, 'lastOwner'],
  [/^The weights of "fix" variants/, 'fixed'],
  [/at least one "variable" variant/, 'variable'],
  [/"(.+)" (?:is used|is given|occurs) twice/s, 'twice'],
  [/^"(.+)" is not a legal value of "(.+)"/s, 'notLegal'],
  [/^"values?" .+ for the operator (\S+)$/s, 'operator'],
  [/ takes (\d+) comments of (\d+) characters together/, 'comments'],
  [/must not (?:hold|have) more than (\d+) (?:items|values)/, 'most'],
  [/^The password must be at least (\d+) characters/, 'short'],
  [/^The password is one of the most common/, 'common'],
  [/^The password only repeats/, 'repeats'],
  [/^The password is a sequence/, 'run'],
  [/^The password must not be the name/, 'own'],
  [/^The new password equals the old one/, 'same'],
  [/^The `(.+)` property is required/, 'required'],
  [/^The `(.+)` property must not have more than (\d+) characters/, 'tooLong'],
  [/^The `(.+)` property must not have fewer than (\d+) characters/, 'tooShort'],
  [/cannot be stored/, 'unstorable'],
  [/^The segment \S+ belongs to another project/, 'otherSegment'],
  [/^The token is also for a project whose tokens you may not remove/, 'sharedToken'],
  [/^The flag name "(.+)" does not match the naming pattern of the project "[^"]*": "(.+?)"\.(?: |$)/s, 'naming'],
  [/cannot be moved: it uses the segment "(.+)" of its/s, 'moveSegment'],
  [/cannot be moved: the project "(.+)" does not use (.+)\.$/s, 'moveEnvironment'],
  [/has reached the maximum number of flags, (\d+)/, 'flagLimit'],
  [/^The flag "(.+)" of another project uses the segment/s, 'usedElsewhere'],
  [/^The flag "(.+)" is the parent of (.+)\.$/s, 'parentOf'],
  [/^The flag "(.+)" has a parent itself/s, 'hasParent'],
  [/^The flag "(.+)" is a parent itself/s, 'isParent'],
  [/^The flag "(.+)" is archived/s, 'archivedFlag'],
  [/^The project "(.+)" is archived/s, 'archivedProject'],
  [/^The default project cannot/, 'defaultProject'],
  [/^"pattern" must be a regular expression/, 'pattern'],
  [/^"example" must match the pattern/, 'example'],
  [/it still has flags/, 'holdsFlags'],
  [/^A flag cannot depend on itself/, 'itself'],
  [/"(.+)" is built in/s, 'builtIn'],
  [/"(.+)" is protected and/s, 'guarded'],
  [/must be in the future/, 'future'],
  [/the maximum per request is (\d+)/, 'evaluations'],
  [/requires change requests/, 'changeRequest'],
  [/in maintenance mode/, 'maintenance'],
  [/^There is no [\w ]+ "([^"]+)"/, 'none'],
]

/** Returns the labels of fields whose names in the API are different. */
const getFieldLabels = ({ language, common, login }: Texts): Readonly<Record<string, string>> => ({
  ...FIELD_LABELS[language],
  name: common.name,
  description: common.description,
  type: common.type,
  project: common.project,
  environment: common.environment,
  password: login.password,
})

/** Describes an error in the user's language. The description never contains text from the server. */
export function describeError(t: Texts, error: unknown): string {
  if (!isRefusal(error)) return describeGeneralError(t, error)
  const reasons = describeReasons(t, error)
  return reasons.length > 0 ? reasons.join(' ') : describeGeneralError(t, error)
}

/** Returns true if the server has rejected a request from a logged-in user. */
const isRefusal = (error: unknown): error is ApiError =>
  error instanceof ApiError && !error.isUnanswered && !error.isLoggedOut

/** Returns the server's message if the translated message is too vague to be helpful; otherwise undefined. */
export function findServerMessage(t: Texts, error: unknown): string | undefined {
  if (!isRefusal(error)) return undefined
  const isVague = error.code === 'ValidationError' || error.code === 'InvalidOperationError'
  return isVague && describeReasons(t, error).every((reason) => isFieldOnly(t, error, reason))
    ? error.message
    : undefined
}

const isFieldOnly = (t: Texts, error: ApiError, reason: string): boolean =>
  getDetails(error).some(({ path }) => reason === t.problems.field(getFieldLabel(t, getFieldName(path))))

interface Detail {
  readonly message: string
  readonly path?: string | undefined
}

function getDetails({ body, message }: ApiError): readonly Detail[] {
  const details = body.details ?? []
  return details.length > 0 ? details : [{ message: body.message ?? message }]
}

/** Returns one sentence for each known reason. */
function describeReasons(t: Texts, error: ApiError): string[] {
  const sentences = getDetails(error).map(({ message, path }) => {
    const field = getFieldName(path)
    // For all other error codes, the general message already describes the problem.
    const isNamed = field !== '' && error.code === 'ValidationError'
    return translateMessage(t, message) ?? (isNamed ? t.problems.field(getFieldLabel(t, field)) : undefined)
  })
  return [...new Set(sentences.filter((one) => one !== undefined))]
}

function translateMessage(t: Texts, message: string): string | undefined {
  for (const [pattern, reason] of REASONS) {
    const found = pattern.exec(message)
    if (found === null) continue
    const text = REASON_TEXTS[t.language][reason] as string | ((...parts: string[]) => string)
    return typeof text === 'string' ? text : text(...found.slice(1).map((part) => translatePart(t, reason, part)))
  }
  return undefined
}

/**
 * Prepares captured text for display: field names become labels, and clauses are reduced to the names that they quote.
 */
function translatePart(t: Texts, reason: Reason, part: string): string {
  if (reason === 'inUse' || reason === 'moveEnvironment')
    return [...part.matchAll(/"([^"]+)"/g)].map(([, name]) => name).join(', ') || part
  if (reason === 'operator') return (OPERATOR_WORDS[t.language] as Readonly<Record<string, string>>)[part] ?? part
  if (/^(required|tooLong|tooShort)$/.test(reason) && !/^\d+$/.test(part)) return getFieldLabel(t, getFieldName(part))
  return part
}

/** Returns the last name in a path such as `body/parameters/rollout`; '' if there is none. */
const getFieldName = (path = ''): string =>
  path
    .split('/')
    .filter((part) => !/^(\d+|body|query|params|headers)?$/.test(part))
    .at(-1) ?? ''

const getFieldLabel = (t: Texts, field: string): string => getFieldLabels(t)[field] ?? field
