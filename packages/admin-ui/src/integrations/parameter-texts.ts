import type { Catalogue } from '../text/languages.ts'

interface Words {
  readonly label: string
  readonly hint?: string
}

const TEMPLATE = '{{event.type}}, {{event.createdBy}}, {{{eventJson}}}, {{#json}}…{{/json}}'

/**
 * Labels for provider parameters, keyed by the names in the API. Parameters that are not listed use the label that the
 * server sends.
 */
export const PARAMETER_WORDS: Catalogue<Readonly<Record<string, Words>>> = {
  en: {
    url: { label: 'URL', hint: 'Where events are sent. It may contain a secret, so it is not shown again.' },
    contentType: { label: 'Content type' },
    authorization: { label: 'Authorization', hint: 'Value of the Authorization header; empty: not sent.' },
    customHeaders: { label: 'Extra headers', hint: 'Sent with each message: a JSON object of strings.' },
    bodyTemplate: {
      label: 'Message template',
      hint: `Empty: default message. A Mustache template can use ${TEMPLATE}.`,
    },
    signingSecret: {
      label: 'Signing secret',
      hint: 'Lets the receiver verify that a message comes from this server.',
    },
    username: { label: 'Sender name', hint: 'Name that messages are posted under.' },
    emojiIcon: { label: 'Emoji' },
    defaultChannel: {
      label: 'Channel',
      hint: 'For flags without a tag of type slack; others go to the channels in their tags.',
    },
    apiKey: { label: 'API key' },
    sourceTypeName: { label: 'Source', hint: 'Source that Datadog shows for the events.' },
  },
  de: {
    url: {
      label: 'URL',
      hint: 'Wohin Ereignisse gesendet werden. Sie kann ein Geheimnis enthalten und wird daher nicht wieder angezeigt.',
    },
    contentType: { label: 'Content-Type' },
    authorization: { label: 'Authorization', hint: 'Wert des Authorization-Headers; leer: wird nicht gesendet.' },
    customHeaders: {
      label: 'Zusätzliche Header',
      hint: 'Werden mit jeder Nachricht gesendet: ein JSON-Objekt mit Strings.',
    },
    bodyTemplate: {
      label: 'Nachrichtenvorlage',
      hint: `Leer: Standardnachricht. Eine Mustache-Vorlage kann ${TEMPLATE} verwenden.`,
    },
    signingSecret: {
      label: 'Signaturschlüssel',
      hint: 'Damit kann der Empfänger prüfen, dass eine Nachricht von diesem Server kommt.',
    },
    username: { label: 'Absendername', hint: 'Name, unter dem Nachrichten erscheinen.' },
    emojiIcon: { label: 'Emoji' },
    defaultChannel: {
      label: 'Kanal',
      hint: 'Für Flags ohne Tag vom Typ slack; andere gehen in die Kanäle ihrer Tags.',
    },
    apiKey: { label: 'API-Schlüssel' },
    sourceTypeName: { label: 'Quelle', hint: 'Quelle, die Datadog für die Ereignisse anzeigt.' },
  },
}
