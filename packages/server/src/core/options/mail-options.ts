import type { OptionTable, Parsed } from '@burgee/kit/options/options'
import { flag, integer, oneOf, type Parser, text } from '@burgee/kit/options/parsers'

/**
 * Sender address: `flags@example.com` or `Flags <flags@example.com>`. Rejects several addresses, and characters that
 * could end a mail header.
 */
const sender: Parser<string> = {
  expects: 'an e-mail address like flags@example.com or Flags <flags@example.com>',
  parse: (value) => {
    const given = text.parse(value)
    const address = /^[^<>"\p{Cc}]*<([^<>]*)>$/u.exec(given)?.[1] ?? given
    if (!/^[^\s@<>,;]+@[^\s@<>,;]+$/.test(address)) throw new TypeError()
    return given
  },
}

/** Ways to use STARTTLS on connections that do not begin with TLS. */
export const STARTTLS = ['auto', 'required', 'off'] as const

/** Options of the mail server. The variables have the names that operators know from Unleash. */
export const MAIL_OPTIONS = {
  emailHost: {
    env: ['EMAIL_HOST'],
    parse: text,
    defaultDoc: 'no mail is sent',
    doc: 'Host of the SMTP server for invitations and password-reset links.',
  },
  emailPort: { env: ['EMAIL_PORT'], parse: integer(1, 65_535), defaultDoc: '587', doc: 'Port of the SMTP server.' },
  emailSecure: {
    env: ['EMAIL_SECURE'],
    parse: flag,
    defaultDoc: 'false',
    doc: 'Use TLS from the first byte, as on port 465; otherwise STARTTLS applies.',
  },
  emailStarttls: {
    env: ['EMAIL_STARTTLS'],
    parse: oneOf(STARTTLS),
    defaultDoc: 'auto',
    doc: 'auto: STARTTLS if the SMTP server offers it, and required if a user is set, so that the password is never sent unencrypted. required: send no mail without it. off: never.',
  },
  emailCaFile: {
    env: ['EMAIL_CA_FILE'],
    parse: text,
    defaultDoc: 'the CA certificates of Node.js',
    doc: 'PEM file of CA certificates trusted for the SMTP server.',
  },
  emailUser: { env: ['EMAIL_USER'], parse: text, doc: 'User at the SMTP server.' },
  emailPassword: { env: ['EMAIL_PASSWORD'], parse: text, secret: true, doc: 'Password at the SMTP server.' },
  emailSender: {
    env: ['EMAIL_SENDER'],
    parse: sender,
    defaultDoc: '`emailUser`, if it is an e-mail address',
    doc: 'Sender of mails: `flags@example.com` or `Flags <flags@example.com>`.',
  },
} as const satisfies OptionTable

/** Values of the mail options. */
export type MailOptions = Parsed<typeof MAIL_OPTIONS>

/** Returns the mail variables that are set even though no mail host is set. */
export function mailOptionsWithoutHost(options: MailOptions): string[] {
  if (options.emailHost !== undefined) return []
  return Object.entries(MAIL_OPTIONS)
    .filter(([name]) => options[name as keyof MailOptions] !== undefined)
    .map(([, { env }]) => env[0])
}
