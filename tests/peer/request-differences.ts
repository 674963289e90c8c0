import { both, type Difference, endsWith, header, json, statuses } from './difference.ts'

const isEmptyPart = (part: unknown): boolean => part === null || (Array.isArray(part) && part.length === 0)

/** Requests that the two proxies interpret differently. */
export const REQUESTS: readonly Difference[] = [
  {
    id: 'body-of-get',
    applies: statuses(400, 200, ({ request }) => request.method === 'GET' && request.body !== undefined),
    peer: 'Reads the body of a `GET` and rejects it unless it is JSON.',
    ours: 'Ignores it.',
    safe: 'The body of a `GET` has no meaning; no SDK sends one.',
  },
  {
    id: 'media-type-first',
    applies: (_found, { peer, ours, request }) =>
      peer.status === 404 && [400, 415].includes(ours.status) && request.method === 'POST',
    peer: 'Outside `/proxy`, answers 404 before it checks the body.',
    ours: 'Checks and rejects the body first, on every path.',
    safe: 'Paths outside `/proxy` have no endpoints.',
  },
  {
    id: 'odd-media-types',
    applies: (_found, situation) => {
      const type = header(situation, 'content-type')
      if (situation.request.body === undefined || (type !== '' && type !== 'application/json;')) return false
      return type === '' ? situation.ours.status === 415 : both(situation, 200)
    },
    peer: 'Reads a body with an empty `Content-Type`, and ignores a body with `application/json;`.',
    ours: 'Rejects the first with 415 and reads the second.',
    safe: 'SDKs send `application/json`, with or without a charset.',
  },
  {
    id: 'json-suffix',
    applies: (_found, situation) =>
      situation.peer.status === 415 &&
      situation.ours.status !== 415 &&
      /\+json\b/.test(header(situation, 'content-type')),
    peer: 'Answers 415 to `application/vnd.api+json`.',
    ours: 'Reads the JSON.',
    safe: 'Burgee accepts everything that the Unleash Proxy accepts, and more.',
  },
  {
    id: 'path-forms',
    applies: statuses(404, 200, ({ request }) => ['//proxy', '/%70roxy', '/proxy%2Fall'].includes(request.path)),
    peer: 'Answers 404 to a path with a leading double slash or percent-encoded letters.',
    ours: 'Treats them as the same path.',
    safe: 'Burgee accepts everything that the Unleash Proxy accepts, and more; the key is still required.',
  },
  {
    id: 'odd-current-time',
    applies: (found, situation) => {
      const sent = json(String(situation.request.body ?? '')) as { context?: { currentTime?: unknown } }
      const time = sent.context?.currentTime
      if (time === true) return found.at === 'body' && both(situation, 200)
      return typeof time === 'object' && time !== null && statuses(200, 400)(found, situation)
    },
    peer: 'Reads a `currentTime` of `true` as one millisecond after 1970-01-01, and ignores objects and lists.',
    ours: 'Ignores `true`, and answers 400 to objects and lists.',
    safe: 'SDKs send a date as a string, or milliseconds.',
  },
  {
    id: 'usage-leniency',
    applies: (found, situation) =>
      statuses(400, 202)(found, situation) &&
      ['/client/metrics', '/client/register'].some((path) => endsWith(path)(situation)),
    peer: 'Rejects metrics without `instanceId` or `bucket`, registrations whose `started` or `environment` has another type, and null.',
    ours: 'Accepts them.',
    safe: 'Burgee accepts everything that the Unleash Proxy accepts, and more; these members are not used.',
  },
  {
    id: 'usage-status',
    applies: (found, situation) =>
      statuses(200, 202)(found, situation) &&
      ['/client/metrics', '/client/register'].some((path) => endsWith(path)(situation)),
    peer: 'Answers 200 to metrics and registrations.',
    ours: 'Answers 202, as Unleash servers do.',
    safe: 'SDKs accept every 2xx status; the Python SDK warns about 200.',
  },
  {
    id: 'empty-contexts',
    applies: (_found, { peer, ours, request }) => {
      const sent = json(String(request.body ?? '')) as { context?: Record<string, unknown> | null; toggles?: unknown }
      const isEmpty = [sent.context, sent.context?.properties, sent.toggles].some(isEmptyPart)
      const isTaken = peer.status === 400 && ours.status !== 400
      return isTaken && (isEmpty || /[?&]properties(%5B%5D|\[\])?=/.test(request.path))
    },
    peer: 'Rejects null and `[]` as a context or its properties, null as `toggles`, and a query of `properties=x`.',
    ours: 'Treats them as no context, no properties and no list.',
    safe: 'Some languages serialize omitted members as null. Burgee accepts everything that the Unleash Proxy accepts, and more.',
  },
  {
    id: 'mapped-addresses',
    applies: (found, situation) =>
      ['body', 'order'].includes(found.at) && header(situation, 'x-forwarded-for').includes('::ffff:'),
    peer: 'Keeps an IPv4 address in its IPv6 form (`::ffff:192.0.2.1`), which no IPv4 rule matches.',
    ours: 'Converts it to IPv4, for forwarded addresses and for the address of the connection.',
    safe: 'SDKs do not see these addresses. Rules for addresses match as written.',
  },
  {
    id: 'addresses-with-ports',
    applies: (found, situation) =>
      ['body', 'order'].includes(found.at) && /[\d\]]:\d+\s*$|[[\]"]/.test(header(situation, 'x-forwarded-for')),
    peer: 'Keeps the port and brackets of a forwarded address (`192.0.2.1:4711`), which no rule matches.',
    ours: 'Removes port, brackets, quotes and zone from the address.',
    safe: 'SDKs do not see these addresses. Rules for addresses match as written.',
  },
]
