import { EMAIL_PATTERN } from '@burgee/protocol/user'

/** Validated claims of an ID token. */
export interface Person {
  readonly issuer: string
  readonly subject: string
  readonly email: string | undefined
  /** True if the provider has verified the address; undefined if the claims contain neither. */
  readonly isVerified: boolean | undefined
  readonly name: string | null
  /**
   * Groups at the provider; empty if the token has no groups at the configured path, undefined if groups are not
   * synced.
   */
  readonly groups: readonly string[] | undefined
}

const MAX_LENGTHS = { subject: 255, name: 200, email: 254, group: 500 }
const MAX_GROUPS = 5000
const EMAIL = new RegExp(EMAIL_PATTERN)

/** Reads verified claims. Throws TypeError if the claims do not identify a person. */
export function parsePerson(claims: Readonly<Record<string, unknown>>, groupPath: string): Person {
  const { iss, sub, email, email_verified: verified } = claims
  const issuer = parseText(iss, MAX_LENGTHS.subject)
  const subject = parseText(sub, MAX_LENGTHS.subject)
  if (issuer === undefined || subject === undefined) throw new TypeError('The ID token has no subject')
  const address = parseText(email, MAX_LENGTHS.email)
  return {
    issuer,
    subject,
    email: address !== undefined && EMAIL.test(address) ? address : undefined,
    // some providers send a string instead of a boolean
    isVerified: verified === undefined ? undefined : verified === true || verified === 'true',
    name: parseText(claims.name, MAX_LENGTHS.name) ?? null,
    groups: groupPath === '' ? undefined : (getGroups(claims, groupPath) ?? []),
  }
}

/**
 * Throws if the ID token has none of the requested authentication contexts. The check is needed because the request
 * passes through the browser, where the user could remove the contexts.
 */
export function requireAcr(acr: unknown, acrValues: string): void {
  const wanted = acrValues.split(/\s+/).filter((one) => one !== '')
  if (wanted.length === 0 || (typeof acr === 'string' && wanted.includes(acr))) return
  throw new Error('The ID token has none of the `acrValues` as its `acr`')
}

/**
 * Adds the claims of the user-info endpoint to those of an ID token, which take precedence. `email_verified` must refer
 * to the address that is used, so both come from the same source.
 */
export function mergeClaims(
  claims: Readonly<Record<string, unknown>>,
  more: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, unknown>> {
  const merged = { ...more, ...claims }
  const sources = [claims, more].filter(({ email }) => email === merged.email)
  const verified = sources.map((one) => one.email_verified).find((one) => one !== undefined)
  return { ...merged, email_verified: verified }
}

/**
 * Returns the groups in the claim at `path`. First tries the whole path as the name of a top-level claim. If there is
 * no such claim, splits the path at dots into the names of nested properties.
 */
export function getGroups(claims: Readonly<Record<string, unknown>>, path: string): readonly string[] | undefined {
  const found = Object.hasOwn(claims, path) ? claims[path] : path.split('.').reduce(getMember, claims as unknown)
  const list = Array.isArray(found) ? found : typeof found === 'string' ? [found] : undefined
  return list
    ?.map((item) => parseText(item, MAX_LENGTHS.group))
    .filter((item) => item !== undefined)
    .slice(0, MAX_GROUPS)
}

function getMember(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  return (value as Readonly<Record<string, unknown>>)[name]
}

function parseText(value: unknown, longest: number): string | undefined {
  return typeof value === 'string' && value !== '' && value.length <= longest && !/\p{Cc}/u.test(value)
    ? value
    : undefined
}
