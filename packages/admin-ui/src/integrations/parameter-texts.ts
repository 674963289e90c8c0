import type { Catalogue } from '../text/languages.ts'

interface Words {
  readonly label: string
  readonly hint?: string
}

const TEMPLATE = '{{event.type}}, {{event.createdBy}}, {{{eventJson}}}, {{#json}}…{{/json}}'

/** Labels of provider parameters by their names on the wire. Parameters that are not listed use the server's labels. */
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
      hint: 'Wohin gesendet wird. Sie kann ein Geheimnis enthalten und wird nicht wieder gezeigt.',
    },
    contentType: { label: 'Art des Inhalts' },
    authorization: { label: 'Authorization', hint: 'Wert der Kopfzeile dieses Namens; ohne ihn fehlt sie.' },
    customHeaders: { label: 'Weitere Kopfzeilen', hint: 'Werden mitgesendet: ein Objekt aus Texten, als JSON.' },
    bodyTemplate: {
      label: 'Vorlage der Nachricht',
      hint: `Ohne sie hat die Nachricht ihre übliche Form. Eine Mustache-Vorlage kennt ${TEMPLATE}.`,
    },
    signingSecret: {
      label: 'Geheimnis für Unterschriften',
      hint: 'Damit kann der Empfänger prüfen, dass eine Nachricht von hier kommt.',
    },
    username: { label: 'Name des Absenders', hint: 'Unter dem Nachrichten erscheinen.' },
    emojiIcon: { label: 'Emoji' },
    defaultChannel: {
      label: 'Kanal',
      hint: 'Für Flags ohne Tag vom Typ slack; andere gehen in die Kanäle ihrer Tags.',
    },
    apiKey: { label: 'API-Schlüssel' },
    sourceTypeName: { label: 'Quelle', hint: 'Was Datadog als Quelle der Ereignisse zeigt.' },
  },
}
