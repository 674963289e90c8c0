/** Parsed version. Omits build metadata, which does not affect the order. */
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
 * Parses a version strictly by semver 2.0: three numbers without leading zeros, at most 2^53-1 each; the text can have
 * at most 256 characters. Allows neither whitespace nor a leading "v".
 *
 * @returns undefined for all other text. Never throws. Source: client-specification 14.
 */
export function parseSemver(text: string): Semver | undefined {
  if (text.length > MAX_LENGTH) return undefined
  const match = VERSION.exec(text)
  if (!match) return undefined
  const [major, minor, patch] = [Number(match[1]), Number(match[2]), Number(match[3])]
  if (Math.max(major, minor, patch) > Number.MAX_SAFE_INTEGER) return undefined
  return { numbers: [major, minor, patch], prerelease: match[4]?.split('.') ?? [] }
}
