/** Parsed version. Build metadata is omitted, because it does not affect the order of versions. */
export interface Semver {
  readonly numbers: readonly [major: number, minor: number, patch: number]
  readonly prerelease: readonly string[]
}

const NUMBER = '(0|[1-9]\\d*)'
const IDENTIFIER = '(?:0|[1-9]\\d*|\\d*[A-Za-z-][0-9A-Za-z-]*)'
const VERSION = new RegExp(
  `^${NUMBER}\\.${NUMBER}\\.${NUMBER}(?:-(${IDENTIFIER}(?:\\.${IDENTIFIER})*))?(?:\\+[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*)?$`,
)
const MAX_LENGTH = 256

/**
 * Parses a version strictly according to semver 2.0: three numbers without leading zeros, each at most 2^53-1; the text
 * may have at most 256 characters. Neither whitespace nor a leading "v" is allowed.
 *
 * @returns undefined for any other text. Never throws. Source: client-specification 14.
 */
export function parseSemver(text: string): Semver | undefined {
  if (text.length > MAX_LENGTH) return undefined
  const match = VERSION.exec(text)
  if (!match) return undefined
  const [major, minor, patch] = [Number(match[1]), Number(match[2]), Number(match[3])]
  if (Math.max(major, minor, patch) > Number.MAX_SAFE_INTEGER) return undefined
  return { numbers: [major, minor, patch], prerelease: match[4]?.split('.') ?? [] }
}
