import { both, type Difference, endsWith, header, json, statuses } from './difference.ts'

const isEmptyPart = (part: unknown): boolean => part === null || (Array.isArray(part) && part.length === 0)

/** Requests that are interpreted differently. */
export const REQUESTS: readonly Difference[] = [
  {
    id: 'body-of-get',
    applies: statuses(400, 200, ({ request }) => request.method === 'GET' && request.body !== undefined),
    peer: 'Reads the body of a `GET` and refuses it when it is no JSON.',
    ours: 'Ignores it.',
    safe: 'A `GET` has no meaning for a body; no SDK sends one.',
  },
  {
    id: 'media-type-first',
    applies: (_found, { peer, ours, request }) =>
      peer.status === 404 && [400, 415].includes(ours.status) && request.method === 'POST',
    peer: 'Answers 404 outside of `/proxy` before it looks at a body.',
    ours: 'Refuses the body first, on every path.',
    safe: 'There is nothing to call on these paths.',
  },
  {
    id: 'odd-media-types',
    applies: (_found, situation) => {
      const type = header(situation, 'content-type')
      if (situation.request.body === undefined || (type !== '' && type !== 'application/json;')) return false
      return type === '' ? situation.ours.status === 415 : both(situation, 200)
    },
    peer: 'Reads a body whose `Content-Type` is there but empty, and ignores the body of `application/json;`.',
    ours: 'Refuses the first with 415 and reads the second.',
    safe: 'SDKs write `application/json`, with or without a charset.',
  },
  {
    id: 'json-suffix',
    applies: (_found, situation) =>
      situation.peer.status === 415 &&
      situation.ours.status !== 415 &&
      /\+json\b/.test(header(situation, 'content-type')),
    peer: 'Answers 415 to `application/vnd.api+json`.',
    ours: 'Reads the JSON.',
    safe: 'More is accepted, nothing less.',
  },
  {
    id: 'path-forms',
    applies: statuses(404, 200, ({ request }) => ['//proxy', '/%70roxy', '/proxy%2Fall'].includes(request.path)),
    peer: 'Finds nothing under a doubled slash at the start or percent-encoded letters.',
    ours: 'Takes them for the same path.',
    safe: 'More is accepted, nothing less; keys are asked for all the same.',
  },
  {
    id: 'odd-current-time',
    applies: (found, situation) => {
      const sent = json(String(situation.request.body ?? '')) as { context?: { currentTime?: unknown } }
      const time = sent.context?.currentTime
      if (time === true) return found.at === 'body' && both(situation, 200)
      return typeof time === 'object' && time !== null && statuses(200, 400)(found, situation)
    },
    peer: 'Takes a `currentTime` of `true` for one millisecond after 1970, and ignores objects and lists.',
    ours: 'Takes `true` for no time, and answers 400 to objects and lists.',
    safe: 'SDKs send a date as text, or milliseconds.',
  },
  {
    id: 'usage-leniency',
    applies: (found, situation) =>
      statuses(400, 202)(found, situation) &&
      ['/client/metrics', '/client/register'].some((path) => endsWith(path)(situation)),
    peer: 'Refuses metrics without `instanceId` or `bucket`, registrations whose `started` or `environment` is of another type, and null.',
    ours: 'Accepts them.',
    safe: 'More is accepted, nothing less; these members are not used.',
  },
  {
    id: 'usage-status',
    applies: (found, situation) =>
      statuses(200, 202)(found, situation) &&
      ['/client/metrics', '/client/register'].some((path) => endsWith(path)(situation)),
    peer: 'Answers 200 to metrics and registrations.',
    ours: 'Answers 202, as servers do.',
    safe: 'SDKs take any status of success; the Python SDK warns of 200.',
  },
  {
    id: 'empty-contexts',
    applies: (_found, { peer, ours, request }) => {
      const sent = json(String(request.body ?? '')) as { context?: Record<string, unknown> | null; toggles?: unknown }
      const isEmpty = [sent.context, sent.context?.properties, sent.toggles].some(isEmptyPart)
      const isTaken = peer.status === 400 && ours.status !== 400
      return isTaken && (isEmpty || /[?&]properties(%5B%5D|\[\])?=/.test(request.path))
    },
    peer: 'Refuses null and `[]` for a context and its properties, null for `toggles`, and a query of `properties=x`.',
    ours: 'Takes them for no context, no properties and no list.',
    safe: 'Some languages write null for what is left out; more is accepted, nothing less.',
  },
  {
    id: 'mapped-addresses',
    applies: (found, situation) =>
      ['body', 'order'].includes(found.at) && header(situation, 'x-forwarded-for').includes('::ffff:'),
    peer: 'Keeps an IPv4 address in its IPv6 form (`::ffff:192.0.2.1`), which no IPv4 rule matches.',
    ours: 'Reads it as the IPv4 address that it is, whether forwarded or of the connection.',
    safe: 'Only the server sees addresses; flags by address work as they are written.',
  },
  {
    id: 'addresses-with-ports',
    applies: (found, situation) =>
      ['body', 'order'].includes(found.at) && /[\d\]]:\d+\s*$|[[\]"]/.test(header(situation, 'x-forwarded-for')),
    peer: 'Keeps a forwarded address with its port or brackets (`192.0.2.1:4711`), which no rule matches.',
    ours: 'Reads the address without port, brackets, quotes and zone.',
    safe: 'Only the server sees addresses; flags by address work as they are written.',
  },
]
