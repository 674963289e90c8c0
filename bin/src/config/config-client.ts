import { compileValidator } from '@burgee/kit/input/validation'
import { escapeNames } from '@burgee/kit/terminal-text'
import {
  ConfigApplyResult,
  ConfigExport,
  type ConfigFile,
  ConfigMistake,
  ConfigPlan,
} from '@burgee/protocol/administration/config-plan'
import { followAnyPort } from '@burgee/serving/upstream/fetch-any-port'
import Type, { type Static, type TSchema } from 'typebox'
import { formatMistake } from './mistake-text.ts'

/** Maximum time of a request. An apply of thousands of flags takes some seconds. */
const LIMIT_MS = 120_000

/** Server with the token that reads and changes its projects. */
export interface ConfigServer {
  readonly url: string
  readonly token: string | undefined
}

/** Project, and the folder of its files, for messages. */
export interface ConfigProject {
  readonly project: string
  readonly folder: string
}

const ErrorBody = Type.Object({
  message: Type.String(),
  mistakes: Type.Optional(Type.Array(ConfigMistake)),
})
const readError = compileValidator(ErrorBody, 'body')

/** Reads the files of a project. */
export function fetchExport(server: ConfigServer, place: ConfigProject, flag: string | undefined) {
  const query = flag === undefined ? '' : `?flag=${encodeURIComponent(flag)}`
  return send(server, place, { method: 'GET', step: `export${query}`, schema: ConfigExport })
}

/** Request body of a plan or apply. */
export interface ConfigBody {
  readonly files: readonly ConfigFile[]
  readonly prune: boolean
  readonly environment?: string
  readonly source?: { readonly repository: string; readonly commit: string }
}

/** Plans the changes of a project. */
export function fetchPlan(server: ConfigServer, place: ConfigProject, body: ConfigBody) {
  return send(server, place, { method: 'POST', step: 'plan', schema: ConfigPlan, body })
}

/** Applies a plan to a project. */
export function sendApply(server: ConfigServer, place: ConfigProject, body: ConfigBody & { readonly plan: string }) {
  return send(server, place, { method: 'POST', step: 'apply', schema: ConfigApplyResult, body })
}

interface ConfigRequest<S extends TSchema> {
  readonly method: 'GET' | 'POST'
  readonly step: string
  readonly schema: S
  readonly body?: object
}

/**
 * Sends a request. Throws an Error that lists mistakes in files with their lines or, for any other failure, names the
 * status.
 */
async function send<S extends TSchema>(
  { url, token }: ConfigServer,
  place: ConfigProject,
  { method, step, schema, body }: ConfigRequest<S>,
): Promise<Static<S>> {
  const base = url.replace(/\/+$/, '')
  const address = new URL(`${base}/api/admin/projects/${encodeURIComponent(place.project)}/config/${step}`)
  const reply = await followAnyPort(address, {
    method,
    headers: {
      accept: 'application/json',
      'user-agent': 'burgee',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token === undefined ? {} : { authorization: token }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(LIMIT_MS),
  }).catch((error: Error) => {
    const { code } = (error.cause ?? error) as { code?: string }
    throw new Error(`Cannot reach ${base} (${code ?? error.name})`)
  })
  const content: unknown = await reply.json().catch(() => undefined)
  if (!reply.ok) throw toError(place, { status: reply.status, retryAfter: reply.headers.get('retry-after') }, content)
  return compileValidator(schema, 'reply')(content) as Static<S>
}

interface Refusal {
  readonly status: number
  readonly retryAfter: string | null
}

function toError({ project, folder }: ConfigProject, { status, retryAfter }: Refusal, content: unknown): Error {
  if (status === 401) return new Error('The token is missing or invalid: pass one with --token or BURGEE_TOKEN')
  const where = `Project "${project}": `
  if (status === 429)
    return new Error(
      `${where}the server gets too many requests (429). Nothing was changed. ${describeRetry(retryAfter)}`,
    )
  try {
    const { message: text, mistakes = [] } = readError(content) as Static<typeof ErrorBody>
    const message = escapeNames(text)
    if (status === 503) return new Error(`${where}${message} ${describeRetry(retryAfter)}`)
    if (mistakes.length === 0) return new Error(`${where}${message}`)
    return new Error(mistakes.map((one) => formatMistake(folder, one)).join('\n'))
  } catch {
    const retry = status === 503 ? `. ${describeRetry(retryAfter)}` : ''
    return new Error(`${where}the server returned ${status}${retry}`)
  }
}

/** Describes when to try again. A proxy in front of the server can send any text as `Retry-After`. */
function describeRetry(retryAfter: string | null): string {
  const seconds = /^\d{1,6}$/.test(retryAfter ?? '') ? Number(retryAfter) : undefined
  const when = seconds === undefined ? 'in a minute' : `in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}`
  return `Try again ${when}.`
}
