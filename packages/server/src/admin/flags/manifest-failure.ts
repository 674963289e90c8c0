import { type Caller, Reply } from '@burgee/kit/http/route'
import { getPath } from '@burgee/kit/http/url-parts'
import { InvalidRequest, type SchemaError } from '@burgee/kit/input/validation'
import type { ManifestError } from '@burgee/protocol/openfeature/manifest'

type Render = (error: unknown, caller: Caller) => Reply
type Detail = NonNullable<ManifestError['error']['details']>[number]

const MANIFEST = /^\/+openfeature(\/|$)/i
/** Problem name for a name that is already taken. In the manifest API, this is always the key of a flag. */
const NAME_TAKEN = 'NameExistsError'
/** Problem name for a change that a rule forbids. The manifest API reports such a change as a conflict. */
const FORBIDDEN_BY_RULE = 'InvalidOperationError'

/** Error body that all other APIs of this server return. */
interface ErrorBody {
  readonly name?: string
  readonly message?: string
  readonly details?: readonly { readonly message: string; readonly path?: string }[]
}

/**
 * Wraps an error renderer so that errors of the manifest API have the form that its clients expect. Source: Manifest
 * Management API v0.
 */
export function withManifestFailures(render: Render, basePath: string): Render {
  return (error, caller) => {
    const path = getPath(caller.url)
    const reply = render(error, caller)
    const isBelow = path.toLowerCase().startsWith(basePath.toLowerCase())
    if (!isBelow || !MANIFEST.test(path.slice(basePath.length))) return reply
    const { name, message = 'The request failed.', details = [] } = parseErrorBody(reply)
    const status = name === FORBIDDEN_BY_RULE ? 409 : reply.status
    const own =
      error instanceof InvalidRequest
        ? error.errors.map(toSchemaDetail)
        : details.flatMap((detail) => toProblemDetails(name === NAME_TAKEN ? { ...detail, path: 'body/key' } : detail))
    const body: ManifestError = { error: { message, status, ...(own.length === 0 ? {} : { details: own }) } }
    return Reply.json(status, body, getOtherHeaders(reply))
  }
}

function parseErrorBody({ body }: Reply): ErrorBody {
  if (typeof body !== 'string') return {}
  try {
    return JSON.parse(body) as ErrorBody
  } catch {
    return { message: body }
  }
}

function getOtherHeaders({ headers }: Reply): Readonly<Record<string, string>> {
  const { 'content-type': _type, ...others } = headers as Readonly<Record<string, string>>
  return others
}

function toSchemaDetail({ instancePath, keyword, params, message }: SchemaError): Detail {
  const [named] = (params.requiredProperties ?? params.additionalProperties ?? []) as readonly string[]
  const field = named ?? instancePath.split('/')[2]
  return { ...(field === undefined ? {} : { field }), code: keyword, message }
}

/** Converts one detail of an error. The manifest API calls the name of a flag its key. */
function toProblemDetails({ message, path }: { readonly message: string; readonly path?: string }): Detail[] {
  if (path === undefined) return []
  const field = path.replace(/^body\//, '')
  return [{ field: field === 'name' ? 'key' : field, code: 'invalid', message }]
}
