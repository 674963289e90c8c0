import { isThisMachine } from '@burgee/kit/options/encrypted-addresses'
import { readCertificate } from '@burgee/kit/options/option-files'
import { OptionsError, type OptionTable, type Parsed } from '@burgee/kit/options/options'
import { inHeader, oneOf, type Parser, text } from '@burgee/kit/options/parsers'
import type { EncryptionRule } from './encryption-options.ts'

/** Schemes of receivers, and whether they encrypt. */
const SCHEMES: Readonly<Record<string, boolean>> = {
  'https:': true,
  'http:': false,
  'syslog+tls:': true,
  'syslog:': false,
}

/** URL of a receiver of events. The URL must not contain credentials, because URLs appear in logs. */
const receiverUrl: Parser<string> = {
  expects: 'a URL that begins with https://, http://, syslog+tls:// or syslog:// and contains no credentials',
  parse: (value) => {
    const given = text.parse(value)
    const { protocol, hostname, username, password, pathname, search } = new URL(given)
    const isSyslog = protocol.startsWith('syslog')
    if (SCHEMES[protocol] === undefined || hostname === '' || username !== '' || password !== '') throw new TypeError()
    if (isSyslog && (!/^\/?$/.test(pathname) || search !== '')) throw new TypeError()
    return given
  },
}

/** Options of the export of events to another system. */
export const AUDIT_EXPORT_OPTIONS = {
  auditExportUrl: {
    env: ['AUDIT_EXPORT_URL'],
    parse: receiverUrl,
    defaultDoc: 'no export',
    doc: 'Send every event to this receiver: JSON Lines to an `https://` address, or syslog messages to `syslog+tls://host:6514` or `syslog://host:601`.',
  },
  auditExportAuthorization: {
    env: ['AUDIT_EXPORT_AUTHORIZATION'],
    parse: inHeader(text),
    secret: true,
    doc: 'Header `Authorization` of each request to an `https://` receiver of events.',
  },
  auditExportCaFile: {
    env: ['AUDIT_EXPORT_CA_FILE'],
    parse: text,
    defaultDoc: 'the CA certificates of Node.js',
    doc: 'PEM file of CA certificates trusted for the receiver of events.',
  },
  auditExportStart: {
    env: ['AUDIT_EXPORT_START'],
    parse: oneOf(['new', 'all']),
    default: 'new',
    doc: 'Events to send when the export first begins: only new ones, or all stored ones. A later start continues after the last event that the receiver has taken.',
  },
} as const satisfies OptionTable

type AuditExportOptions = Omit<Parsed<typeof AUDIT_EXPORT_OPTIONS>, 'auditExportStart'> & EncryptionRule

/** Receiver of events, from the options. */
export interface AuditReceiver {
  readonly url: URL
  readonly authorization: string | undefined
  /** Trusted CA certificates in PEM; undefined for the default ones of Node.js. */
  readonly ca: Buffer | undefined
}

/**
 * Returns the receiver of events; undefined without a URL. Throws OptionsError if an option could have no effect, or if
 * `requireEncryption` is set and the connection to another machine would not be encrypted.
 */
export function getAuditReceiver({
  auditExportUrl,
  auditExportAuthorization: authorization,
  auditExportCaFile,
  requireEncryption,
}: AuditExportOptions): AuditReceiver | undefined {
  const url = auditExportUrl === undefined ? undefined : new URL(auditExportUrl)
  if (authorization !== undefined && url?.protocol.startsWith('http') !== true) {
    throw new OptionsError(['AUDIT_EXPORT_AUTHORIZATION needs an AUDIT_EXPORT_URL that begins with https://'])
  }
  if (auditExportCaFile !== undefined && (url === undefined || SCHEMES[url.protocol] !== true)) {
    throw new OptionsError([
      'AUDIT_EXPORT_CA_FILE needs an AUDIT_EXPORT_URL that begins with https:// or syslog+tls://',
    ])
  }
  if (url === undefined) return undefined
  if (requireEncryption === true && SCHEMES[url.protocol] !== true && !isThisMachine(url.hostname)) {
    throw new OptionsError(['REQUIRE_ENCRYPTION needs an AUDIT_EXPORT_URL that begins with https:// or syslog+tls://'])
  }
  const ca = auditExportCaFile === undefined ? undefined : readCertificate('AUDIT_EXPORT_CA_FILE', auditExportCaFile)
  return { url, authorization, ca }
}
