import { isIP } from 'node:net'
import { invalid } from '@burgee/kit/input/refusals'
import { headerName, inHeader, textOrEmpty } from '@burgee/kit/options/parsers'
import { type IntegrationProvider, MASK } from '@burgee/protocol/administration/integration'
import type { IntegrationRow } from '@burgee/storage/queries/integrations/integrations'
import { getOrigin } from '../../core/secrets/address-origin.ts'
import { type Secrets, SecretUnreadable } from '../../core/secrets/secrets.ts'
import { isPublicAddress } from './public-address.ts'
import { checkTemplate } from './templates.ts'

/** Parameters as stored. */
export type StoredParameters = Pick<IntegrationRow, 'open_parameters' | 'sealed_parameters'>

/** Context in which parameters are validated. */
export interface ParameterRules {
  readonly provider: IntegrationProvider
  /** Currently stored parameters. Stored parameters, whose values replace masked values. */
  readonly before: StoredParameters | undefined
  readonly secrets: Secrets
  readonly allowPrivate: boolean
}

/** Encryption purpose, the same for all integrations. */
export const SECRET_PURPOSE = 'integration'

/** Header names that are reserved for the HTTP client. */
const CLIENT_HEADERS = new Set(['host', 'content-length', 'transfer-encoding', 'connection', 'upgrade', 'expect', 'te'])
const NONE: StoredParameters = { open_parameters: {}, sealed_parameters: {} }

/**
 * Validates parameters and encrypts secrets. A mask keeps the stored value. Throws ValidationError, which names the
 * parameter, and ConflictError if a secret cannot be stored.
 */
export function toStoredParameters(
  sent: Readonly<Record<string, string>>,
  { provider, before = NONE, secrets, allowPrivate }: ParameterRules,
): StoredParameters {
  rejectMovedSecrets(sent, before, secrets)
  const [open, sealed]: [[string, string][], [string, string][]] = [[], []]
  for (const [name, value] of Object.entries(sent)) {
    const definition = provider.parameters.find((one) => one.name === name)
    const kept = before.sealed_parameters[name]
    if (value === MASK && kept !== undefined) sealed.push([name, kept])
    else if (value === MASK && definition?.sensitive === true) {
      throw createRefusal(name, `"${MASK}" stands for the stored value, but nothing is stored`)
    } else {
      check(name, value, allowPrivate)
      // a parameter without a definition is treated as a secret
      if (definition?.sensitive === false) open.push([name, value])
      else sealed.push([name, secrets.seal(value, SECRET_PURPOSE)])
    }
  }
  const names = new Set([...open, ...sealed].filter(([, value]) => value.trim() !== '').map(([name]) => name))
  for (const { name, required } of provider.parameters) {
    const isBlank = sent[name] !== undefined && sent[name].trim() === ''
    if (required && (isBlank || !names.has(name))) throw createRefusal(name, `is required for ${provider.displayName}`)
  }
  return { open_parameters: Object.fromEntries(open), sealed_parameters: Object.fromEntries(sealed) }
}

/**
 * Ensures that a stored secret is sent only to the origin for which the secret was saved. Throws ValidationError, which
 * names the parameter.
 */
function rejectMovedSecrets(sent: Readonly<Record<string, string>>, before: StoredParameters, secrets: Secrets): void {
  const isMasked = (name: string) => sent[name] === MASK && before.sealed_parameters[name] !== undefined
  const kept = Object.keys(sent).find((name) => name !== 'url' && isMasked(name))
  if (kept === undefined || !isMoved(sent.url, before, secrets)) return
  throw createRefusal(
    kept,
    'must be sent again if the address has another origin: the stored value is not sent to a new origin',
  )
}

/** Returns true if an address has a different origin than the stored address. */
function isMoved(url = '', { open_parameters, sealed_parameters }: StoredParameters, secrets: Secrets): boolean {
  const { url: sealed } = sealed_parameters
  if (url === MASK && sealed !== undefined) return false
  try {
    const before = sealed === undefined ? open_parameters.url : secrets.open(sealed, SECRET_PURPOSE)
    return getOrigin(url) !== getOrigin(before)
  } catch (error) {
    if (error instanceof SecretUnreadable) return true
    throw error
  }
}

/** Returns parameters in the form that replies and events show. */
export function maskParameters({ open_parameters, sealed_parameters }: StoredParameters): Record<string, string> {
  const masks = Object.keys(sealed_parameters).map((name) => [name, MASK])
  return { ...open_parameters, ...Object.fromEntries(masks) }
}

/** Returns decrypted parameters for a call. Throws SecretUnreadable. */
export function decryptParameters(stored: StoredParameters, secrets: Secrets): Record<string, string> {
  const opened = Object.entries(stored.sealed_parameters).map(([name, sealed]) => [
    name,
    secrets.open(sealed, SECRET_PURPOSE),
  ])
  return { ...stored.open_parameters, ...Object.fromEntries(opened) }
}

function check(name: string, value: string, allowPrivate: boolean): void {
  if (value.trim() === '') return
  if (name === 'url') checkUrl(value, allowPrivate)
  if (name === 'customHeaders') checkHeaders(value)
  if (name === 'bodyTemplate') checkBodyTemplate(value)
  if (name === 'authorization' || name === 'contentType' || name === 'apiKey') checkHeaderValue(name, value)
}

/** Validates a URL. Literal addresses are checked here; host names are resolved and checked at each call. */
function checkUrl(text: string, allowPrivate: boolean): void {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw createRefusal('url', 'must be an address that begins with http:// or https://')
  }
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const isPrivate = host === 'localhost' || (isIP(host) !== 0 && !isPublicAddress(host))
  if (isPrivate && !allowPrivate) {
    const how = 'INTEGRATION_ALLOW_PRIVATE_ADDRESSES=true allows them'
    throw createRefusal('url', `must not be a private, loopback or link-local address; ${how}`)
  }
}

function checkHeaders(text: string): void {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    throw createRefusal('customHeaders', 'must be an object of headers as JSON, like {"X-Team": "payments"}')
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    throw createRefusal('customHeaders', 'must be an object of headers as JSON, like {"X-Team": "payments"}')
  }
  for (const [name, value] of Object.entries(parsed)) {
    try {
      headerName.parse(name)
    } catch {
      throw createRefusal('customHeaders', 'contains an invalid header name')
    }
    if (CLIENT_HEADERS.has(name.toLowerCase()))
      throw createRefusal('customHeaders', `must not contain the header ${name}`)
    if (typeof value !== 'string')
      throw createRefusal('customHeaders', `must contain only strings; the value of ${name} is not a string`)
    checkHeaderValue('customHeaders', value)
  }
}

function checkHeaderValue(name: string, value: string): void {
  try {
    inHeader(textOrEmpty).parse(value)
  } catch {
    throw createRefusal(name, 'must fit into an HTTP header')
  }
}

function checkBodyTemplate(template: string): void {
  try {
    checkTemplate(template)
  } catch (error) {
    throw createRefusal(
      'bodyTemplate',
      `is not a valid template: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
}

function createRefusal(name: string, text: string) {
  return invalid(`The parameter "${name}" ${text}.`, `body/parameters/${name}`)
}
