import { type Caller, Reply } from '@burgee/kit/http/route'
import { getPath } from '@burgee/kit/http/url-parts'
import { SCIM_ERROR, SCIM_TYPE, type ScimError } from '@burgee/protocol/administration/scim'

type Render = (error: unknown, caller: Caller) => Reply

const SCIM = /^\/+scim(\/|$)/i

/**
 * Wraps an error renderer so that errors of the SCIM API have the format that SCIM clients expect. Source: RFC 7644
 * §3.12
 */
export function withScimFailures(render: Render, basePath: string): Render {
  return (error, caller) => {
    const reply = render(error, caller)
    const path = getPath(caller.url)
    if (!path.toLowerCase().startsWith(basePath.toLowerCase()) || !SCIM.test(path.slice(basePath.length))) return reply
    const { name, message = 'The request failed.', scimType } = parseErrorBody(reply)
    const reason = scimType ?? REASONS[name ?? '']
    const body: ScimError = {
      schemas: [SCIM_ERROR],
      status: String(reply.status),
      detail: message,
      ...(reason === undefined ? {} : { scimType: reason }),
    }
    return new Reply(reply.status, JSON.stringify(body), {
      ...reply.headers,
      'content-type': `${SCIM_TYPE}; charset=utf-8`,
    })
  }
}

const REASONS: Readonly<Record<string, string>> = { NameExistsError: 'uniqueness', ValidationError: 'invalidValue' }

function parseErrorBody({ body }: Reply): {
  readonly name?: string
  readonly message?: string
  readonly scimType?: string
} {
  if (typeof body !== 'string') return {}
  try {
    return JSON.parse(body) as { name?: string; message?: string; scimType?: string }
  } catch {
    return { message: body }
  }
}
