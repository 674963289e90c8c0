import type { Catalogue } from '../text/languages.ts'

interface Words {
  readonly label: string
  readonly hint?: string
}

const TEMPLATE = '{{event.type}}, {{event.createdBy}}, {{{eventJson}}}, {{#json}}…{{/json}}'

/** Labels of provider parameters by their names on the wire. Other parameters use the server's labels. */
export const PARAMETER_WORDS: Catalogue<Readonly<Record<string, Words>>> = {
  en: {
    url: { label: 'Address', hint: 'Where events are sent. It may contain a secret, so it is not shown again.' },
    contentType: { label: 'Content type' },
    authorization: { label: 'Authorization', hint: 'Value of the header of that name; if empty, it is not sent.' },
    customHeaders: { label: 'Extra headers', hint: 'Sent with each message: an object of strings, as JSON.' },
    bodyTemplate: {
      label: 'Template of the message',
      hint: `Without it the message has its usual form. A Mustache template may use ${TEMPLATE}.`,
    },
    signingSecret: {
      label: 'Signing secret',
      hint: 'With it the receiver can check that a message comes from here.',
    },
    username: { label: 'Name of the sender', hint: 'The name that messages are posted under.' },
    emojiIcon: { label: 'Emoji' },
    defaultChannel: {
      label: 'Channel',
      hint: 'For flags without a tag of the type slack; others go to the channels that their tags name.',
    },
    apiKey: { label: 'API key' },
    sourceTypeName: { label: 'Source', hint: 'What Datadog shows as the source of the events.' },
  },
  de: {
    url: {
      label: 'Adresse',
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
      hint: 'Für Schalter ohne Etikett der Art slack; andere gehen in die Kanäle, die ihre Etiketten nennen.',
    },
    apiKey: { label: 'API-Schlüssel' },
    sourceTypeName: { label: 'Quelle', hint: 'Was Datadog als Quelle der Ereignisse zeigt.' },
  },
}
