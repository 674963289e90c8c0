import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formatsPlugin from 'ajv-formats'

interface ReplyObject {
  readonly content?: Readonly<Record<string, { readonly schema?: { readonly $ref?: string } }>>
}

/** The parts of an OpenAPI document that replies are checked against. */
export interface ApiDocument {
  readonly servers: readonly { readonly url: string }[]
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly responses: Readonly<Record<string, ReplyObject>> }>>>
  >
}

/** Recorded reply. */
export interface SeenReply {
  readonly method: string
  /** Path, with or without a query. */
  readonly path: string
  readonly status: number
  readonly contentType: string | undefined
  readonly body: string
}

const BODYLESS = new Set([204, 301, 304])

/**
 * Creates a checker that returns the violations of a reply. Undocumented paths may only return 404, and preflight
 * requests are not described.
 */
export function replyChecker(document: ApiDocument): (reply: SeenReply) => string[] {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  formatsPlugin.default(ajv)
  ajv.addSchema(document, 'api')
  const validators = new Map<string, ValidateFunction>()
  /** Cached because compiling a schema takes longer than validating many replies. */
  const validatorOf: ValidatorOf = (pointer) => {
    const known = validators.get(pointer)
    if (known !== undefined) return known
    const made = ajv.getSchema(`api${pointer}`) ?? ajv.compile({ $ref: `api${pointer}` })
    validators.set(pointer, made)
    return made
  }
  const base = (document.servers[0]?.url ?? '/').replace(/\/$/, '')
  const patterns = Object.keys(document.paths)
    .sort()
    .map((path) => ({
      path,
      pattern: new RegExp(`^${path.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&').replaceAll(/\{[^}]+\}/g, '[^/]+')}/?$`, 'i'),
    }))
  return (seen) => {
    if (seen.method === 'OPTIONS' || BODYLESS.has(seen.status)) return []
    const path = (seen.path.split('?', 1)[0] ?? '').slice(base.length)
    const found = patterns.find(({ pattern }) => pattern.test(path))?.path
    const verb = seen.method === 'HEAD' ? 'get' : seen.method.toLowerCase()
    const responses = found === undefined ? undefined : document.paths[found]?.[verb]?.responses
    if (found === undefined || responses === undefined) {
      return seen.status === 404 ? [] : [`${seen.method} ${seen.path}: not described`]
    }
    const pointer = `#/paths/${escapeStep(found)}/${verb}/responses/${seen.status}`
    return replyErrors(validatorOf, pointer, responses[seen.status], seen)
  }
}

/** Returns the validator of the schema at a JSON pointer of the document. */
type ValidatorOf = (pointer: string) => ValidateFunction

function replyErrors(
  validatorOf: ValidatorOf,
  pointer: string,
  reply: ReplyObject | undefined,
  seen: SeenReply,
): string[] {
  const what = `${seen.method} ${seen.path} ${seen.status}`
  if (reply === undefined) return [`${what}: the status is not described`]
  const media = seen.contentType?.split(';', 1)[0] ?? ''
  if (seen.body === '') return []
  const described = reply.content?.[media]
  if (described === undefined) return [`${what}: ${media} is not described`]
  if (media !== 'application/json') return []
  const validate = validatorOf(componentOf(described) ?? `${pointer}/content/${escapeStep(media)}/schema`)
  if (validate(JSON.parse(seen.body))) return []
  return (validate.errors ?? []).map((error) => `${what} ${error.instancePath} ${error.message}`)
}

/**
 * Returns the target of a schema that is only a reference. Most error replies of all routes share one component,
 * compiled once.
 */
function componentOf({ schema = {} }: { readonly schema?: { readonly $ref?: string } }): string | undefined {
  return Object.keys(schema).length === 1 ? schema.$ref : undefined
}

function escapeStep(step: string): string {
  return encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'))
}
