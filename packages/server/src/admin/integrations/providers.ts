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
]

const DOCUMENTATION = 'https://github.com/burgee/burgee/blob/main/docs/integrations.md'

const parameter = (
  name: string,
  displayName: string,
  more: Partial<IntegrationParameter> = {},
): IntegrationParameter => ({ name, displayName, type: 'text', required: false, sensitive: false, ...more })

const HEADERS = parameter('customHeaders', 'Extra headers', {
  placeholder: '{"X-Team": "payments"}',
  description: 'Headers that are sent as well: an object of texts, as JSON.',
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
    description: 'A Mustache template over event and eventJson; without it the body has its usual form.',
    type: 'textfield',
  })

/** Types of receivers with their parameters. Names and parameters: wire protocol. */
export const PROVIDERS: readonly IntegrationProvider[] = [
  {
    name: 'webhook',
    displayName: 'Webhook',
    description: 'Sends each event to an address of yours, as JSON or as your own template makes it.',
    documentationUrl: `${DOCUMENTATION}#webhook`,
    parameters: [
      url({ description: 'Where each event is sent by POST.' }),
      parameter('contentType', 'Content type', { placeholder: 'application/json' }),
      parameter('authorization', 'Authorization', {
        description: 'Value of the header Authorization; no such header without it.',
        sensitive: true,
      }),
      HEADERS,
      template('{"type": {{#json}}{{event.type}}{{/json}}}'),
      SIGNING,
    ],
    // webhooks may subscribe to any event
    events: [...new Set([...FLAG_EVENTS, ...Object.keys(EVENTS)])],
  },
  {
    name: 'slack',
    displayName: 'Slack',
    description: 'Posts messages to Slack by an incoming webhook.',
    documentationUrl: `${DOCUMENTATION}#slack`,
    parameters: [
      url({ description: 'The address of the incoming webhook.' }),
      parameter('username', 'Username', { placeholder: 'Burgee', description: 'Under which messages are posted.' }),
      parameter('emojiIcon', 'Emoji', { placeholder: ':triangular_flag_on_post:' }),
      parameter('defaultChannel', 'Default channel', {
        description: 'For flags that have no tag of the type slack; those go to the channels that the tags name.',
        required: true,
      }),
      HEADERS,
    ],
    events: FLAG_EVENTS,
    tagTypes: [{ name: 'slack', description: 'Channel of Slack that hears of a flag.', icon: 'S' }],
  },
  {
    name: 'teams',
    displayName: 'Microsoft Teams',
    description: 'Posts cards to a channel of Microsoft Teams by an incoming webhook.',
    documentationUrl: `${DOCUMENTATION}#teams`,
    parameters: [url({ description: 'The address of the incoming webhook.' }), HEADERS],
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
        description: 'Where your site of Datadog takes events.',
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

/** Returns a provider by name; undefined if there is none. */
export function findProvider(name: string): IntegrationProvider | undefined {
  return PROVIDERS.find((one) => one.name === name)
}
