import { isObject } from '@burgee/kit/input/is-object'
import { readTokenForm } from '../tokens/token-syntax.ts'
import type { ValidatedToken } from './upstream-interface.ts'

const TYPES: Readonly<Record<string, ValidatedToken['type']>> = {
  client: 'backend',
  backend: 'backend',
  frontend: 'frontend',
  admin: 'admin',
}
const ALL = '*'
const MAX_NAME_LENGTH = 255
const MAX_PROJECTS = 1000

/**
 * Parses the reply to `POST /edge/validate`: a list of the valid tokens. Counts each token once. Ignores tokens that
 * were not requested, because an upstream can also list tokens that it trusts without a request. Accepts the `type` in
 * upper or lower case. A token whose other fields are malformed gets the type `other`, because it is not known to be
 * invalid. Throws if the reply is not a list, because every token would then count as invalid.
 */
export function readValidatedTokens(body: unknown, requested: readonly string[]): ValidatedToken[] {
  if (!isObject(body) || !Array.isArray(body.tokens)) throw createUnreadableError()
  const wanted = new Set(requested)
  const named = new Set<string>()
  const read: ValidatedToken[] = []
  for (const item of body.tokens) {
    if (!isObject(item) || typeof item.token !== 'string') throw createUnreadableError()
    if (!wanted.has(item.token)) continue
    if (!named.has(item.token)) read.push(readToken(item.token, item))
    named.add(item.token)
  }
  return read
}

function readToken(token: string, item: Readonly<Record<string, unknown>>): ValidatedToken {
  // some upstreams omit the environment; the token's text then contains it
  const { type, environment = readTokenForm(token)?.environment ?? ALL, projects } = item
  const known = typeof type === 'string' ? TYPES[type.toLowerCase()] : undefined
  const isGood = known !== undefined && isName(environment) && isList(projects)
  return isGood
    ? { token, type: known, environment, projects }
    : { token, type: 'other', environment: ALL, projects: [] }
}

function isList(value: unknown): value is string[] {
  return Array.isArray(value) && value.length <= MAX_PROJECTS && value.every(isName)
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= MAX_NAME_LENGTH
}

function createUnreadableError(): Error {
  return new Error('The upstream did not validate the tokens')
}
