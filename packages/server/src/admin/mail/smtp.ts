import { readCertificate } from '@burgee/kit/options/option-files'
import { OptionsError } from '@burgee/kit/options/options'
import { withTimeout } from '@burgee/kit/with-timeout'
import { createTransport } from 'nodemailer'
import type { MailOptions } from '../../core/options/mail-options.ts'
import type { Mail } from './mail-templates.ts'

/** Mail, with the address of its recipient. */
export interface EmailMessage {
  readonly to: string
  readonly mail: Mail
}

/** Hands a mail to the mail server. Rejects with MailRejected, or with another error if a retry may succeed. */
export type Send = (letter: EmailMessage) => Promise<void>

/** Thrown if the mail server permanently rejects a mail. The message contains no text from the mail. */
export class MailRejected extends Error {
  override readonly name = 'MailRejected'
}

const PORT = 587
const CONNECT_MS = 10_000
const MAX_SILENCE_MS = 20_000
const MAX_DURATION_MS = 60_000
/** Matches a single e-mail address. Lists of addresses and text that could contain a mail header do not match. */
const ADDRESS = /^[^\s@<>,;:"()[\]\\\p{Cc}]+@[^\s@<>,;:"()[\]\\\p{Cc}]+$/u

/**
 * Creates a mail transport from the options, with one connection per mail; returns undefined if there is no host.
 * Throws OptionsError if there is no sender or the CA file cannot be read.
 */
export function createSmtp(options: MailOptions): Send | undefined {
  if (options.emailHost === undefined) return undefined
  const from = getSender(options)
  const transport = createTransport({
    host: options.emailHost,
    port: options.emailPort ?? PORT,
    ...toSecurityOptions(options),
    ...(options.emailUser === undefined
      ? {}
      : { auth: { user: options.emailUser, pass: options.emailPassword ?? '' } }),
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    dnsTimeout: CONNECT_MS,
    socketTimeout: MAX_SILENCE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return async ({ to, mail }) => {
    if (!ADDRESS.test(to)) throw new MailRejected('the address is not a valid e-mail address')
    const sent = transport.sendMail({ from, to: { name: '', address: to }, ...mail })
    await withTimeout(MAX_DURATION_MS, sent).catch((error: unknown) => {
      throw isFinal(error) ? new MailRejected(describeError(error), { cause: error }) : error
    })
  }
}

/**
 * Describes why a mail could not be sent. Uses only error codes and certificate errors, because other error messages
 * from mail servers often contain the address.
 */
export function describeError(error: unknown): string {
  if (error instanceof MailRejected) return error.message
  if (!(error instanceof Error)) return 'it failed'
  const { code, originalCode, command, responseCode } = error as SmtpError
  const reply = responseCode === undefined ? undefined : `the mail server responded with ${responseCode}`
  const at = command === undefined || !/^[A-Z]+( [A-Z]+)?$/.test(command) ? undefined : `at ${command}`
  const parts = [reply, originalCode ?? code, at].filter((part) => part !== undefined)
  return parts.length === 0 ? error.name : parts.join(', ')
}

/** Errors of nodemailer. */
interface SmtpError extends Error {
  readonly code?: string
  /** Error code of the operating system, for connection errors. */
  readonly originalCode?: string
  readonly command?: string
  readonly responseCode?: number
}

/**
 * Error codes about the recipient or the mail itself. Such errors are permanent, whereas login and connection errors
 * may be fixed before the next attempt.
 */
const MAIL_ERRORS = new Set(['EENVELOPE', 'EMESSAGE'])

/** Returns true for permanent failures, that is, for status codes from 500 upward. Source: RFC 5321 §4.2.1 */
function isFinal(error: unknown): boolean {
  const { responseCode = 0, code = '' } = error as SmtpError
  return responseCode >= 500 && MAIL_ERRORS.has(code)
}

function getSender({ emailSender, emailUser }: MailOptions): string {
  if (emailSender !== undefined) return emailSender
  if (emailUser !== undefined && ADDRESS.test(emailUser)) return emailUser
  throw new OptionsError(['EMAIL_SENDER (option "emailSender") is missing: EMAIL_HOST requires it'])
}

function toSecurityOptions({ emailSecure = false, emailStarttls = 'auto', emailUser, emailCaFile }: MailOptions) {
  const isRequired = emailStarttls === 'required' || (emailStarttls === 'auto' && emailUser !== undefined)
  const trust = emailCaFile === undefined ? {} : { tls: { ca: readCertificate('EMAIL_CA_FILE', emailCaFile) } }
  return { secure: emailSecure, requireTLS: isRequired, ignoreTLS: emailStarttls === 'off', ...trust }
}
