import { isDeepStrictEqual } from 'node:util'
import { type Discrepancy, parsed, type Situation } from './compare.ts'

/** One way in which we differ from the established proxy, on purpose. */
export interface Difference {
  readonly id: string
  /** Whether this row explains one discrepancy of one request. */
  readonly applies: (found: Discrepancy, situation: Situation) => boolean
  /** What the established proxy does. */
  readonly peer: string
  /** What we do. */
  readonly ours: string
  /** Why no SDK is troubled by it. */
  readonly safe: string
}

const INVALID = 'Request validation failed'

interface Refused {
  readonly error?: unknown
  readonly validation?: readonly { readonly instancePath: string; readonly keyword: string }[]
}

/** Both refuse with these statuses: ours is another one, so type, tag and text follow from it. */
const statuses =
  (peer: number, ours: number, about: (situation: Situation) => boolean = () => true) =>
  (_found: Discrepancy, situation: Situation) =>
    situation.peer.status === peer && situation.ours.status === ours && about(situation)

const header = (situation: Situation, name: string): string =>
  situation.request.headers.find(([key]) => key.toLowerCase() === name)?.[1] ?? ''
const endsWith = (path: string) => (situation: Situation) =>
  situation.request.path.replace(/\/?(\?.*)?$/, '').endsWith(path)
const both = (situation: Situation, status: number): boolean =>
  situation.peer.status === status && situation.ours.status === status
const json = (text: string): Refused => {
  const value = parsed(text)
  return typeof value === 'object' && value !== null ? value : {}
}

/** Texts for people: pages, and the `error` of a JSON body. */
function isWording(found: Discrepancy, situation: Situation): boolean {
  const { peer, ours, request } = situation
  if (found.at !== 'body' || peer.status !== ours.status) return false
  if (peer.headers['content-type']?.startsWith('text/html')) {
    const isPage = both(situation, 404) && ours.body.includes(`Cannot ${request.method} `)
    return isPage || both(situation, 501) || both(situation, 503)
  }
  const [theirs, own] = [json(peer.body), json(ours.body)]
  return both(situation, 400) && [theirs, own].every((one) => typeof one.error === 'string' && one.error !== INVALID)
}

/** Times are checked by a pattern here, by a format there. */
const rule = (keyword: string | undefined): string | undefined => (keyword === 'pattern' ? 'format' : keyword)

/** Both name the same part of the request and the same rule first. */
function isSameViolation(found: Discrepancy, { peer, ours }: Situation): boolean {
  if (found.at !== 'body') return false
  const [theirs, own] = [json(peer.body), json(ours.body)]
  if (theirs.error !== INVALID || own.error !== INVALID) return false
  const [first, ownFirst] = [theirs.validation?.[0], own.validation?.[0]]
  return first?.instancePath === ownFirst?.instancePath && rule(first?.keyword) === rule(ownFirst?.keyword)
}

/** The same features, whatever their order, and nothing else but segments. */
function isSameFeatures(found: Discrepancy): boolean {
  if (found.at !== 'body') return false
  const [theirs, own] = [found.peer, found.ours].map((text) => {
    const { segments: _segments, ...rest } = parsed(text ?? '') as { segments?: unknown; features: { name: string }[] }
    return { ...rest, features: [...rest.features].sort((a, b) => (a.name < b.name ? -1 : 1)) }
  })
  return isDeepStrictEqual(theirs, own)
}

const SERIES = ['last_metrics_update_epoch_timestamp_ms', 'last_metrics_fetch_epoch_timestamp_ms', 'unleash_proxy_up']
const isOwnSeries = (found: Discrepancy): boolean =>
  found.at === 'body' &&
  SERIES.every((name) => found.ours?.includes(`\n${name} `) && found.peer?.includes(`\n${name} `))

const REFUSALS: readonly Difference[] = [
  {
    id: 'wording',
    applies: isWording,
    peer: 'Its own texts on pages of status 404, 501 and 503 and in the `error` of a 400.',
    ours: 'Our own texts, in the same place, with the same status and media type.',
    safe: 'SDKs read the status only; the texts are for people.',
  },
  {
    id: 'violation-details',
    applies: isSameViolation,
    peer: 'Names the first violation, with a `schemaPath` into its own OpenAPI document.',
    ours: 'Names the same violation first, and further ones, with a `schemaPath` into the schema of the part.',
    safe: 'Status, `error`, `instancePath` and `keyword` of the first violation are the same; SDKs read none of them.',
  },
  {
    id: 'scalar-body',
    applies: (found, situation) =>
      found.at === 'body' && both(situation, 400) && /^("text"|7|null|true)$/.test(String(situation.request.body)),
    peer: 'Calls a body that is a JSON text, number, boolean or null a syntax error.',
    ours: 'Calls it a violation: it must be an object.',
    safe: 'Status 400 both; no SDK sends such a body.',
  },
  {
    id: 'no-body',
    applies: (found, situation) =>
      found.at === 'body' && both(situation, 400) && situation.request.method === 'POST' && !situation.request.body,
    peer: 'Takes metrics and registrations without a body for an empty object, and names the first missing member.',
    ours: 'Says that the body must be an object.',
    safe: 'Status 400 both; no SDK leaves the body away.',
  },
  {
    id: 'too-large',
    applies: statuses(500, 413),
    peer: 'Answers 500 to a body that is too large.',
    ours: 'Answers 413.',
    safe: 'SDKs treat any status but 200 and 304 as a failure.',
  },
  {
    id: 'larger-bodies',
    applies: statuses(500, 200, ({ request }) => Buffer.byteLength(request.body ?? '') > 102_400),
    peer: 'Refuses bodies above 100 kB.',
    ours: 'Accepts bodies up to 1 MB.',
    safe: 'Whoever fits into the lower limit fits into the higher one.',
  },
  {
    id: 'encodings',
    applies: (found, situation) =>
      (statuses(500, 415)(found, situation) || statuses(400, 415)(found, situation)) &&
      (header(situation, 'content-encoding') !== '' || header(situation, 'content-type').includes('charset=')),
    peer: 'Answers 500 to a content encoding or charset that it cannot read, and 400 to UTF-16.',
    ours: 'Answers 415 to each of them.',
    safe: 'SDKs send UTF-8, plain or gzip.',
  },
  {
    id: 'us-ascii',
    applies: statuses(500, 200, (situation) => header(situation, 'content-type').includes('us-ascii')),
    peer: 'Refuses a body whose charset is given as US-ASCII.',
    ours: 'Reads it: it is UTF-8 too.',
    safe: 'More is accepted, nothing less.',
  },
  {
    id: 'corrupt-encoding',
    applies: statuses(500, 400, (situation) => header(situation, 'content-encoding') !== ''),
    peer: 'Answers 500 to a body that is corrupt within its encoding.',
    ours: 'Answers 400.',
    safe: 'A failure for the SDK both ways; 400 says whose it is.',
  },
]

const REQUESTS: readonly Difference[] = [
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
      statuses(400, 200)(found, situation) &&
      ['/client/metrics', '/client/register'].some((path) => endsWith(path)(situation)),
    peer: 'Refuses metrics without `instanceId`, and registrations whose `started` or `environment` is of another type.',
    ours: 'Accepts them.',
    safe: 'More is accepted, nothing less; these members are not used.',
  },
  {
    id: 'mapped-addresses',
    applies: (found, situation) =>
      ['body', 'order'].includes(found.at) && header(situation, 'x-forwarded-for').includes('::ffff:'),
    peer: 'Keeps an IPv4 address in its IPv6 form (`::ffff:192.0.2.1`), which no IPv4 rule matches.',
    ours: 'Reads it as the IPv4 address that it is, whether forwarded or of the connection.',
    safe: 'Only the server sees addresses; flags by address work as they are written.',
  },
]

const REPLIES: readonly Difference[] = [
  {
    id: 'tags-of-pages',
    applies: (found, situation) => found.at === 'header etag' && both(situation, 404),
    peer: 'Sends no `ETag` with a 404 page.',
    ours: 'Sends one with every body.',
    safe: 'A 404 is never answered with 304.',
  },
  {
    id: 'vary-of-304',
    applies: (found, situation) =>
      found.at === 'header vary' &&
      both(situation, 304) &&
      found.ours === [found.peer, 'Accept-Encoding'].filter(Boolean).join(', '),
    peer: 'Leaves `Vary: Accept-Encoding` away from a 304.',
    ours: 'Sends it, as with the 200 (RFC 9110 §15.4.5).',
    safe: 'For caches; SDKs do not read it.',
  },
  {
    id: 'x-gzip',
    applies: (found, situation) =>
      found.at === 'header content-encoding' && header(situation, 'accept-encoding') === 'x-gzip',
    peer: 'Does not know `x-gzip` in `Accept-Encoding`.',
    ours: 'Takes it for `gzip` (RFC 9110 §8.4.1.3).',
    safe: 'Only who asks for it gets it.',
  },
  {
    id: 'no-cache',
    applies: statuses(200, 304, (situation) => header(situation, 'cache-control') === 'no-cache'),
    peer: 'Never answers 304 to a request with `Cache-Control: no-cache`.',
    ours: 'Answers 304 to a request that names the current tag.',
    safe: 'Whoever sends the tag has the answer; `no-cache` is meant for caches.',
  },
  {
    id: 'head',
    applies: (found, situation) =>
      situation.request.method === 'HEAD' &&
      (found.at === 'header content-length' || statuses(200, 304)(found, situation)),
    peer: 'Answers `HEAD` as if the query were empty: length and tag are those of another answer.',
    ours: 'Answers `HEAD` with the headers of the `GET` with the same query (RFC 9110 §9.3.2).',
    safe: 'SDKs do not send `HEAD`.',
  },
  {
    id: 'features-with-segments',
    applies: (found, situation) => endsWith('/client/features')(situation) && isSameFeatures(found),
    peer: '`/proxy/client/features` leaves `segments` away and lists number-like names first.',
    ours: 'Sends the segments, and the features in the order of the upstream.',
    safe: 'Server SDKs need the segments to evaluate flags that use them; they ignore the order.',
  },
  {
    id: 'series',
    applies: (found, situation) => endsWith('/prometheus')(situation) && isOwnSeries(found),
    peer: 'Exposes three series.',
    ours: 'Exposes the same three, and our own (`burgee_proxy_…`).',
    safe: 'Only Prometheus reads it.',
  },
  {
    id: 'preflight-with-body',
    applies: statuses(415, 200, ({ request }) => request.method === 'OPTIONS' && request.body !== undefined),
    peer: 'With `cors.preflightContinue` it looks at the media type of the body of an `OPTIONS`.',
    ours: 'Ignores such a body.',
    safe: 'Browsers send no body with a preflight.',
  },
]

/** Every deliberate difference; each one is met by the comparison at least once. */
export const DIFFERENCES: readonly Difference[] = [...REFUSALS, ...REQUESTS, ...REPLIES]
