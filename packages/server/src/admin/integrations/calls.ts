import { createHmac } from 'node:crypto'
import type { Event } from '@burgee/protocol/event'
import { buildMessage, MARKDOWN, SLACK } from './integration-messages.ts'
import { renderTemplate } from './templates.ts'

/** Request to send to a receiver. */
export interface OutgoingCall {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Data from which the requests for a delivery are built. */
export interface CallInput {
  readonly provider: string
  /** Parameters, including secrets. */
  readonly parameters: Readonly<Record<string, string>>
  readonly event: Event
  /** Address of the admin UI, without a trailing slash. */
  readonly baseUrl: string
  /** Milliseconds since 1970. */
  readonly now: number
}

const JSON_TYPE = 'application/json'
const DATADOG_URL = 'https://api.datadoghq.com/api/v1/events'
const TITLE = 'Burgee notification'
const MS_PER_SECOND = 1000

/**
 * Returns the requests that deliver an event, in the order in which they must be sent. Throws if a template exceeds its
 * limits.
 */
export function buildCalls(material: CallInput): OutgoingCall[] {
  const make = CALL_BUILDERS[material.provider]
  if (make === undefined) throw new Error(`There is no provider "${material.provider}"`)
  return make(material)
}

const CALL_BUILDERS: Readonly<Record<string, (material: CallInput) => OutgoingCall[]>> = {
  webhook: (material) => [webhookCall(material)],
  slack: slackCalls,
  teams: (material) => [teamsCall(material)],
  datadog: (material) => [datadogCall(material)],
}

/**
 * Returns the value of the signature header, which allows receivers to verify the sender: `t=<seconds>,v1=<HMAC-SHA256
 * in hex>`.
 */
export function createSignature(secret: string, body: string, now: number): string {
  const seconds = Math.floor(now / MS_PER_SECOND)
  return `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`
}

/** Parses the headers in a JSON parameter, which was validated when it was saved. */
export function parseHeaders(text: string | undefined): Record<string, string> {
  if (text === undefined || text.trim() === '') return {}
  const entries = Object.entries(JSON.parse(text) as Record<string, unknown>)
  return Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), String(value)]))
}

function webhookCall({ parameters, event, baseUrl, now }: CallInput): OutgoingCall {
  const { url = '', contentType, authorization, customHeaders, bodyTemplate, signingSecret } = parameters
  const body = isGiven(bodyTemplate)
    ? renderTemplate(bodyTemplate, event, buildLinks(event, baseUrl))
    : JSON.stringify(event)
  const headers = {
    'content-type': isGiven(contentType) ? contentType : JSON_TYPE,
    ...(isGiven(authorization) ? { authorization } : {}),
    ...parseHeaders(customHeaders),
    ...(isGiven(signingSecret) ? { 'x-burgee-signature': createSignature(signingSecret, body, now) } : {}),
  }
  return { url, headers, body }
}

function slackCalls({ parameters, event, baseUrl }: CallInput): OutgoingCall[] {
  const { url = '', username, emojiIcon, defaultChannel = '', customHeaders } = parameters
  const message = buildMessage(event, SLACK, baseUrl)
  const tagged = event.tags.filter(({ type }) => type === 'slack').map(({ value }) => value)
  return (tagged.length === 0 ? [defaultChannel] : tagged).map((channel) => {
    const body = {
      username: isGiven(username) ? username : 'Burgee',
      icon_emoji: isGiven(emojiIcon) ? emojiIcon : ':triangular_flag_on_post:',
      text: message.text,
      channel: channel.startsWith('#') ? channel : `#${channel}`,
      attachments: message.url === undefined ? [] : [{ actions: [slackButton(message.url)] }],
    }
    return jsonCall(url, body, parseHeaders(customHeaders))
  })
}

const slackButton = (url: string) => ({
  name: 'featureToggle',
  text: 'Open',
  type: 'button',
  value: 'featureToggle',
  style: 'primary',
  url,
})

function teamsCall({ parameters, event, baseUrl }: CallInput): OutgoingCall {
  const { url = '', customHeaders } = parameters
  const message = buildMessage(event, MARKDOWN, baseUrl)
  const facts = [
    { name: 'User', value: event.createdBy },
    { name: 'Action', value: event.type },
  ]
  const target = (uri: string) => ({
    '@type': 'OpenUri',
    name: 'Go to feature',
    targets: [{ os: 'default', uri }],
  })
  const body = {
    themeColor: '0076D7',
    summary: 'Message',
    sections: [{ activityTitle: message.text, activitySubtitle: TITLE, facts }],
    potentialAction: message.url === undefined ? [] : [target(message.url)],
  }
  return jsonCall(url, body, parseHeaders(customHeaders))
}

function datadogCall({ parameters, event, baseUrl }: CallInput): OutgoingCall {
  const { url, apiKey = '', sourceTypeName, customHeaders, bodyTemplate } = parameters
  const { text } = buildMessage(event, MARKDOWN, baseUrl)
  const body = {
    text: isGiven(bodyTemplate)
      ? renderTemplate(bodyTemplate, event, buildLinks(event, baseUrl))
      : `%%% \n ${text} \n %%% `,
    title: TITLE,
    tags: event.tags.map(({ type, value }) => `${type}:${value}`),
    ...(isGiven(sourceTypeName) ? { source_type_name: sourceTypeName } : {}),
  }
  return jsonCall(isGiven(url) ? url : DATADOG_URL, body, { ...parseHeaders(customHeaders), 'dd-api-key': apiKey })
}

function jsonCall(url: string, body: unknown, headers: Readonly<Record<string, string>>): OutgoingCall {
  return { url, headers: { 'content-type': JSON_TYPE, ...headers }, body: JSON.stringify(body) }
}

function buildLinks(event: Event, baseUrl: string): Record<string, string> {
  const { text, url } = buildMessage(event, MARKDOWN, baseUrl)
  return { eventMarkdown: text, featureLink: url ?? '' }
}

function isGiven(text: string | undefined): text is string {
  return text !== undefined && text.trim() !== ''
}
