import { readFileSync } from 'node:fs'
import { OptionsError } from '@burgee/kit/options/options'
import { within } from '@burgee/kit/within'
import { createTransport } from 'nodemailer'
import type { MailOptions } from '../../mail-options.ts'
import type { Mail } from './mail-templates.ts'

/** A mail and whom it goes to. */
export interface Letter {
  readonly to: string
  readonly mail: Mail
}

/** Hands a mail to the mail server. Rejects with MailRefused, or with anything else where it may do better later. */
export type Send = (letter: Letter) => Promise<void>

/** The mail server will not take this mail, however often it is asked. The message holds nothing of the mail. */
export class MailRefused extends Error {
  override readonly name = 'MailRefused'
}

const PORT = 587
const CONNECT_MS = 10_000
const SILENCE_MS = 20_000
const LONGEST_MS = 60_000
/** One address, so that it is neither a list nor a header. */
const ADDRESS = /^[^\s@<>,;:"()[\]\\\p{Cc}]+@[^\s@<>,;:"()[\]\\\p{Cc}]+$/u

/**
 * Sends by the options, each mail on a connection of its own; undefined where there is no host. Throws OptionsError
 * without a sender, and where the file of authorities cannot be read.
 */
export function createSmtp(options: MailOptions): Send | undefined {
  if (options.emailHost === undefined) return undefined
  const from = senderOf(options)
  const transport = createTransport({
    host: options.emailHost,
    port: options.emailPort ?? PORT,
    ...securityOf(options),
    ...(options.emailUser === undefined
      ? {}
      : { auth: { user: options.emailUser, pass: options.emailPassword ?? '' } }),
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    dnsTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return async ({ to, mail }) => {
    if (!ADDRESS.test(to)) throw new MailRefused('the address is none that a mail can be sent to')
    const sent = transport.sendMail({ from, to: { name: '', address: to }, ...mail })
    await within(LONGEST_MS, sent).catch((error: unknown) => {
      throw isFinal(error) ? new MailRefused(reasonOf(error), { cause: error }) : error
    })
  }
}

/**
 * Why a mail could not be sent, by codes alone: what mail servers say in words often holds the address. Certificates
 * are explained, for nobody guesses what is wrong with one.
 */
export function reasonOf(error: unknown): string {
  if (error instanceof MailRefused) return error.message
  if (!(error instanceof Error)) return 'it failed'
  const { code, originalCode, command, responseCode } = error as SmtpError
  const said = responseCode === undefined ? undefined : `the mail server answered ${responseCode}`
  const at = command === undefined || !/^[A-Z]+( [A-Z]+)?$/.test(command) ? undefined : `at ${command}`
  const parts = [said, originalCode ?? code, at].filter((part) => part !== undefined)
  return parts.length === 0 ? error.name : parts.join(', ')
}

/** What nodemailer rejects with. */
interface SmtpError extends Error {
  readonly code?: string
  /** Of the system, where it was the connection. */
  readonly originalCode?: string
  readonly command?: string
  readonly responseCode?: number
}

/** What is refused for good: this reader or this mail, not the login or the connection, which may be set right meanwhile. */
const OF_THE_MAIL = new Set(['EENVELOPE', 'EMESSAGE'])

/** Source: RFC 5321 §4.2.1: answers from 500 on are for good. */
function isFinal(error: unknown): boolean {
  const { responseCode = 0, code = '' } = error as SmtpError
  return responseCode >= 500 && OF_THE_MAIL.has(code)
}

function senderOf({ emailSender, emailUser }: MailOptions): string {
  if (emailSender !== undefined) return emailSender
  if (emailUser !== undefined && ADDRESS.test(emailUser)) return emailUser
  throw new OptionsError(['EMAIL_SENDER (option "emailSender") is missing: EMAIL_HOST asks for mail'])
}

function securityOf({ emailSecure = false, emailStarttls = 'auto', emailUser, emailCaFile }: MailOptions) {
  const isRequired = emailStarttls === 'required' || (emailStarttls === 'auto' && emailUser !== undefined)
  const trust = emailCaFile === undefined ? {} : { tls: { ca: readAuthorities(emailCaFile) } }
  return { secure: emailSecure, requireTLS: isRequired, ignoreTLS: emailStarttls === 'off', ...trust }
}

function readAuthorities(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new OptionsError([`EMAIL_CA_FILE (option "emailCaFile") cannot be read: ${reason}`])
  }
}
