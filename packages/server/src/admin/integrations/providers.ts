import type { IntegrationParameter, IntegrationProvider } from '@burgee/protocol/administration/integration'
import { EVENTS } from '@burgee/protocol/event'

const FLAG_EVENTS = [
  'feature-created',
  'feature-updated',
  'feature-archived',
  'feature-revived',
  'feature-stale-on',
  'feature-stale-off',
  'feature-environment-enabled',
  'feature-environment-disabled',
  'feature-strategy-remove',
  'feature-strategy-update',
  'feature-strategy-add',
  'feature-metadata-updated',
  'feature-variants-updated',
  'feature-environment-variants-updated',
  'feature-project-change',
  'feature-potentially-stale-on',
  'delivery-completed',
  'delivery-overdue',
]

const DOCUMENTATION = 'https://github.com/burgee/burgee/blob/main/docs/integrations.md'

const parameter = (
  name: string,
  displayName: string,
  more: Partial<IntegrationParameter> = {},
): IntegrationParameter => ({ name, displayName, type: 'text', required: false, sensitive: false, ...more })

const HEADERS = parameter('customHeaders', 'Extra headers', {
  placeholder: '{"X-Team": "payments"}',
  description: 'Additional headers: a JSON object of strings.',
  type: 'textfield',
  sensitive: true,
})
const SIGNING = parameter('signingSecret', 'Signing secret', {
  description:
    'With it each request has a header X-Burgee-Signature, by which the receiver knows that it comes from here.',
  sensitive: true,
})
const url = (more: Partial<IntegrationParameter>) =>
  parameter('url', 'URL', { type: 'url', required: true, sensitive: true, ...more })
const template = (placeholder: string) =>
  parameter('bodyTemplate', 'Body template', {
    placeholder,
    description: 'A Mustache template with event and eventJson; without it, the default body is sent.',
    type: 'textfield',
  })

/** Types of receivers with their parameters. The wire protocol defines the names and parameters. */
export const PROVIDERS: readonly IntegrationProvider[] = [
  {
    name: 'webhook',
    displayName: 'Webhook',
    description: 'Sends each event to a URL, as JSON or with your own template.',
    documentationUrl: `${DOCUMENTATION}#webhook`,
    parameters: [
      url({ description: 'URL that receives each event by POST.' }),
      parameter('contentType', 'Content type', { placeholder: 'application/json' }),
      parameter('authorization', 'Authorization', {
        description: 'Value of the header Authorization; the header is not sent if empty.',
        sensitive: true,
      }),
      HEADERS,
      template('{"type": {{#json}}{{event.type}}{{/json}}}'),
      SIGNING,
    ],
    // webhooks can subscribe to every event
    events: [...new Set([...FLAG_EVENTS, ...Object.keys(EVENTS)])],
  },
  {
    name: 'slack',
    displayName: 'Slack',
    description: 'Posts messages to Slack with an incoming webhook.',
    documentationUrl: `${DOCUMENTATION}#slack`,
    parameters: [
      url({ description: 'URL of the incoming webhook.' }),
      parameter('username', 'Username', { placeholder: 'Burgee', description: 'Name that posts the messages.' }),
      parameter('emojiIcon', 'Emoji', { placeholder: ':triangular_flag_on_post:' }),
      parameter('defaultChannel', 'Default channel', {
        description: 'Channel for flags without a tag of the type slack; tags name the channels of others.',
        required: true,
      }),
      HEADERS,
    ],
    events: FLAG_EVENTS,
    tagTypes: [{ name: 'slack', description: 'Slack channel for notifications of a flag.', icon: 'S' }],
  },
  {
    name: 'teams',
    displayName: 'Microsoft Teams',
    description: 'Posts cards to a Microsoft Teams channel with an incoming webhook.',
    documentationUrl: `${DOCUMENTATION}#teams`,
    parameters: [url({ description: 'URL of the incoming webhook.' }), HEADERS],
    events: FLAG_EVENTS,
  },
  {
    name: 'datadog',
    displayName: 'Datadog',
    description: 'Sends events to Datadog.',
    documentationUrl: `${DOCUMENTATION}#datadog`,
    parameters: [
      parameter('url', 'URL', {
        type: 'url',
        placeholder: 'https://api.datadoghq.com/api/v1/events',
        description: 'Events URL of your Datadog site.',
      }),
      parameter('apiKey', 'API key', { required: true, sensitive: true }),
      parameter('sourceTypeName', 'Source type name', { description: 'Sent as source_type_name.' }),
      HEADERS,
      template('{{event.createdBy}}: {{event.type}}'),
    ],
    events: FLAG_EVENTS.filter((type) => type !== 'feature-variants-updated'),
    tagTypes: [{ name: 'datadog', description: 'Tag of events at Datadog.', icon: 'D' }],
  },
]

/** Returns the provider with the given name; undefined if no provider has this name. */
export function findProvider(name: string): IntegrationProvider | undefined {
  return PROVIDERS.find((one) => one.name === name)
}
