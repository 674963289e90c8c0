import { ResponseBodyError } from 'openid-client'

/** OAuth error codes with which a provider rejects the client itself. */
const CLIENT_REJECTED: ReadonlySet<string> = new Set(['invalid_client', 'unauthorized_client'])
const REDIRECT = 300
const UNAUTHORIZED = 401
const SERVER_ERROR = 500
/** Maximum number of causes to inspect: libraries wrap an error a few times. */
const MAX_CAUSES = 8

/** Returns true if the token endpoint rejected the client or its secret. */
export function isClientRejected(error: unknown): boolean {
  if (error instanceof ResponseBodyError && CLIENT_REJECTED.has(error.error)) return true
  return listCauses(error).some((one) => getStatus(one) === UNAUTHORIZED)
}

/** Returns true if the token endpoint accepted the client but rejected the grant. */
export function isGrantRejected(error: unknown): boolean {
  return error instanceof ResponseBodyError && error.status < SERVER_ERROR
}

/**
 * Describes why a provider cannot be used, with error codes and fixed wording; never includes text from the provider.
 */
export function describeFailure(error: unknown): string {
  const chain = listCauses(error)
  if (chain.some((one) => getAttribute(one) === 'issuer')) {
    return 'its document names another issuer: enter the issuer exactly, with or without a slash at its end'
  }
  const status = chain.map(getStatus).find((one) => one !== undefined)
  if (status !== undefined && status < REDIRECT) return 'its answer is not the expected document'
  if (status !== undefined) return `it answers with status ${status}`
  if (chain.some(({ name }) => name === 'TimeoutError' || name === 'AbortError')) return 'it does not answer in time'
  const codes = chain.flatMap((one) => ('code' in one && typeof one.code === 'string' ? [one.code] : []))
  const code = codes.at(-1)
  if (code !== undefined && isCertificateError(code)) return `its certificate is not trusted (${code})`
  return code ?? chain.at(-1)?.message ?? 'it failed'
}

/** Returns the chain of causes of an error; an error from the client library may have a response as its cause. */
function listCauses(error: unknown): readonly { readonly name?: unknown; readonly message?: string }[] {
  const chain: object[] = []
  let next = error
  while (typeof next === 'object' && next !== null && chain.length < MAX_CAUSES) {
    chain.push(next)
    next = 'cause' in next ? next.cause : undefined
  }
  return chain
}

function getStatus(one: object): number | undefined {
  return 'status' in one && typeof one.status === 'number' ? one.status : undefined
}

function getAttribute(one: object): unknown {
  return 'attribute' in one ? one.attribute : undefined
}

function isCertificateError(code: string): boolean {
  return /CERT|SIGNATURE|SELF_SIGNED|ISSUER|ALTNAME|CRL/.test(code)
}
