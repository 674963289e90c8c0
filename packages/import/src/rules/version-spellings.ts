import type { Semver } from '@burgee/protocol/semver'

/**
 * Relation between two versions. `major` means that the first numbers are equal, `minor` that the first two numbers are
 * equal.
 */
export type VersionRelation = 'equal' | 'less' | 'greater' | 'major' | 'minor'

/** Source that accepts versions in semver 2.0 and also in other notations. */
export type VersionSpelling = 'flagd' | 'launchdarkly'

const ANY = '(?:0|[1-9]\\d*)'
const IDENTIFIER = '(?:0|[1-9]\\d*|\\d*[A-Za-z-][0-9A-Za-z-]*)'
const PRERELEASE = `(?:-${IDENTIFIER}(?:\\.${IDENTIFIER})*)`
const BUILD = '(?:\\+[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*)?'
/** Whitespace that JavaScript's `trim` removes. */
const BLANKS = '[\\s\\v\\pZ\\x{FEFF}]*'

/** Pattern for one number of a version. */
interface NumberTest {
  readonly pattern: string
  readonly takesZero: boolean
}

const ANY_NUMBER: NumberTest = { pattern: ANY, takesZero: true }
type Triple = readonly [NumberTest, NumberTest, NumberTest]

/**
 * Returns an RE2 pattern that matches versions in the source's notation (`v1.2.3`, `1.2`, `1`) if they have the given
 * relation to a version. Returns undefined if no version can have the relation. Two prereleases with the same numbers
 * count as neither less nor greater.
 */
export function buildVersionPattern(
  relation: VersionRelation,
  version: Semver,
  spelling: VersionSpelling,
): string | undefined {
  const forms = listForms(relation, version)
  const parts = forms.flatMap(({ numbers, prerelease }) =>
    spelling === 'flagd' ? buildFlagdPatterns(numbers, prerelease) : buildLaunchDarklyPatterns(numbers, prerelease),
  )
  return parts.length === 0 ? undefined : `^(?:${parts.join('|')})$`
}

/**
 * Pattern for the numbers of a version, and pattern for its prerelease (undefined if the version must be a release).
 */
interface Form {
  readonly numbers: Triple
  readonly prerelease: string | undefined
}

function listForms(relation: VersionRelation, { numbers: [major, minor, patch], prerelease }: Semver): Form[] {
  const [a, b, c] = [matchEqual(major), matchEqual(minor), matchEqual(patch)]
  const either = `${PRERELEASE}?`
  if (relation === 'major') return [{ numbers: [a, ANY_NUMBER, ANY_NUMBER], prerelease: either }]
  if (relation === 'minor') return [{ numbers: [a, b, ANY_NUMBER], prerelease: either }]
  const own = prerelease.length === 0 ? undefined : `-${prerelease.join('.').replaceAll('.', '\\.')}`
  if (relation === 'equal') return [{ numbers: [a, b, c], prerelease: own }]
  const apart = relation === 'greater' ? matchAbove : matchBelow
  const [overMajor, overMinor, overPatch] = [apart(major), apart(minor), apart(patch)]
  const ordered: Form[] = [
    ...(overMajor === undefined ? [] : [{ numbers: [overMajor, ANY_NUMBER, ANY_NUMBER] as const, prerelease: either }]),
    ...(overMinor === undefined ? [] : [{ numbers: [a, overMinor, ANY_NUMBER] as const, prerelease: either }]),
    ...(overPatch === undefined ? [] : [{ numbers: [a, b, overPatch] as const, prerelease: either }]),
  ]
  // a prerelease precedes its release
  if (relation === 'less' && own === undefined) return [...ordered, { numbers: [a, b, c], prerelease: PRERELEASE }]
  return relation === 'greater' && own !== undefined
    ? [...ordered, { numbers: [a, b, c], prerelease: undefined }]
    : ordered
}

/**
 * Returns patterns for versions in flagd, which strips one leading `v` or `V` and accepts versions of one or two
 * numbers.
 */
function buildFlagdPatterns([major, minor, patch]: Triple, prerelease = ''): string[] {
  const whole = `[vV]${BLANKS}v?${major.pattern}\\.${minor.pattern}\\.${patch.pattern}${prerelease}${BUILD}${BLANKS}`
  return prerelease === '' || prerelease.endsWith('?')
    ? [whole, ...buildShortPatterns([major, minor, patch], '[vV]?', '')]
    : [whole]
}

/** Returns patterns for versions in LaunchDarkly, where trailing numbers are optional, even before a prerelease. */
function buildLaunchDarklyPatterns(numbers: Triple, prerelease = ''): string[] {
  return buildShortPatterns(numbers, '', `${prerelease}${BUILD}${BLANKS}`)
}

/** Returns a pattern for versions with only one or two numbers; the missing numbers count as 0. */
function buildShortPatterns([major, minor, patch]: Triple, before: string, behind: string): string[] {
  if (!patch.takesZero) return []
  const second = minor.takesZero ? `(?:\\.${minor.pattern})?` : `\\.${minor.pattern}`
  return [`${before}${major.pattern}${second}${behind}`]
}

function matchEqual(value: number): NumberTest {
  return { pattern: String(value), takesZero: value === 0 }
}

function matchAbove(value: number): NumberTest {
  const digits = String(value)
  const same = [...digits].flatMap((digit, at) =>
    digit === '9' ? [] : [`${digits.slice(0, at)}[${Number(digit) + 1}-9]${matchDigits(digits.length - at - 1)}`],
  )
  return { pattern: `(?:${[`[1-9]\\d{${digits.length},}`, ...same].join('|')})`, takesZero: false }
}

function matchBelow(value: number): NumberTest | undefined {
  if (value === 0) return undefined
  const digits = String(value)
  const shorter = digits.length === 1 ? [] : ['0', `[1-9]\\d{0,${digits.length - 2}}`]
  const same = [...digits].flatMap((digit, at) => {
    const least = at === 0 && digits.length > 1 ? 1 : 0
    const most = Number(digit) - 1
    return most < least ? [] : [`${digits.slice(0, at)}[${least}-${most}]${matchDigits(digits.length - at - 1)}`]
  })
  return { pattern: `(?:${[...shorter, ...same].join('|')})`, takesZero: true }
}

function matchDigits(count: number): string {
  return count === 0 ? '' : `\\d{${count}}`
}
