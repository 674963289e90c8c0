import { toOneLine } from '@burgee/kit/one-line'

/** Content of a mail, as text and as HTML. */
export interface Mail {
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** Values to fill into a mail. */
export interface MailDetails {
  /** Name in the greeting; empty for a greeting without a name. */
  readonly name: string
  /** Link for setting a first or new password. */
  readonly link: string
  /** Address of the server. */
  readonly url: string
}

/**
 * Mail templates, keyed by their names in the wire protocol: one for new users, and one for users who reset their
 * password.
 */
export const MAIL_TEMPLATES = {
  'getting-started': ({ name, link, url }: MailDetails): Mail =>
    buildMail('Welcome to Burgee', name, [
      `An account was created for you at ${url}.`,
      { text: 'Set your password', link },
      'The link works once and expires in a day. After that, ask the person who invited you for another link.',
    ]),
  'reset-password': ({ name, link, url }: MailDetails): Mail =>
    buildMail('Reset your Burgee password', name, [
      `Someone, hopefully you, requested a password reset for your account at ${url}.`,
      { text: 'Set a new password', link },
      'The link works once and expires in a day. If you did not request it, do nothing: your password stays unchanged.',
    ]),
} as const satisfies Readonly<Record<string, (details: MailDetails) => Mail>>

/** Name of a mail template. */
export type MailTemplate = keyof typeof MAIL_TEMPLATES

type Paragraph = string | { readonly text: string; readonly link: string }

function buildMail(subject: string, given: string, paragraphs: readonly Paragraph[]): Mail {
  const name = toOneLine(given).trim()
  const greeting = name === '' ? 'Hello,' : `Hello ${name},`
  const all = [greeting, ...paragraphs]
  const lines = all.map((one) => (typeof one === 'string' ? one : `${one.text}:\n${one.link}`))
  return {
    subject,
    text: `${lines.join('\n\n')}\n`,
    html: `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head>
<body style="font-family: sans-serif; line-height: 1.5">
${all.map(toHtml).join('\n')}
</body>
</html>
`,
  }
}

function toHtml(paragraph: Paragraph): string {
  if (typeof paragraph === 'string') return `<p>${escapeHtml(paragraph)}</p>`
  return `<p><a href="${escapeHtml(paragraph.link)}">${escapeHtml(paragraph.text)}</a></p>`
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
}
