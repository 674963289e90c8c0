import { both, type Difference, endsWith, header, isOwnSeries, isSameFeatures, statuses } from './difference.ts'

/** Removes from Burgee's `Vary` what affects only Burgee's replies: the key, and the SDK's capabilities. */
const withoutKey = (vary: string | undefined): string =>
  (vary ?? '')
    .split(', ')
    .filter((name) => !['authorization', 'x-flag-key', 'unleash-client-spec'].includes(name.toLowerCase()))
    .join(', ')

/** Replies with additional or differently expressed information. */
export const REPLIES: readonly Difference[] = [
  {
    id: 'tags-of-pages',
    applies: (found, situation) => found.at === 'header etag' && both(situation, 404),
    peer: 'Sends no `ETag` with a 404 page.',
    ours: 'Sends one with every body.',
    safe: 'A 404 is never answered with 304.',
  },
  {
    id: 'pages-in-frames',
    applies: ({ at, peer, ours }) =>
      (at === 'header x-content-type-options' && peer === undefined) ||
      (at === 'header content-security-policy' &&
        (peer === undefined || peer === "default-src 'none'") &&
        ours?.startsWith("default-src 'none'") === true &&
        ours.includes("frame-ancestors 'none'")),
    peer: 'Sends `text/html` without a content security policy, or with one that says nothing of frames.',
    ours: 'Sends a policy that forbids scripts and frames, and `nosniff`.',
    safe: 'Only browsers that show the reply as a page read it.',
  },
  {
    id: 'vary-of-key',
    applies: (found, situation) =>
      found.at === 'header vary' && !both(situation, 304) && withoutKey(found.ours) === (found.peer ?? ''),
    peer: 'Does not say that the key decides about a reply that caches may keep.',
    ours: 'Names the header of the key in `Vary`.',
    safe: 'For caches between, which would give the reply to callers without a key; SDKs do not read it.',
  },
  {
    id: 'vary-of-304',
    applies: (found, situation) =>
      found.at === 'header vary' &&
      both(situation, 304) &&
      withoutKey(found.ours) === [found.peer, 'Accept-Encoding'].filter(Boolean).join(', '),
    peer: 'Leaves `Vary: Accept-Encoding` away from a 304.',
    ours: 'Sends it, as with the 200 (RFC 9110 §15.4.5).',
    safe: 'For caches; SDKs do not read it.',
  },
  {
    id: 'caches',
    applies: ({ at, peer, ours }) =>
      at === 'header cache-control' && peer === undefined && ours === 'private, no-cache',
    peer: 'Says nothing about keeping replies other than evaluations and features, so that some caches keep them for long.',
    ours: 'Sends `Cache-Control: private, no-cache` with them, failures and health included.',
    safe: 'For caches between and browsers; SDKs do not read it.',
  },
  {
    id: 'retry-after',
    applies: ({ at, peer }, situation) => at === 'header retry-after' && peer === undefined && both(situation, 503),
    peer: 'Does not say when to try again before the first sync.',
    ours: 'Sends `Retry-After: 1` with the 503.',
    safe: 'Whoever does not know the header ignores it.',
  },
  {
    id: 'project',
    applies: (found, { configuration }) => configuration === 'another project' && found.at === 'body',
    peer: 'Serves whatever the upstream sends when a project is named.',
    ours: 'Knows flags of that project only, and parents of these.',
    safe: 'An upstream that knows `project=` sends no other flags.',
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
    id: 'features-without-segments',
    applies: (found, situation) =>
      endsWith('/client/features')(situation) &&
      header(situation, 'unleash-client-spec') === '' &&
      isSameFeatures(found, ({ strategies: _strategies, ...rest }) => rest),
    peer: '`/proxy/client/features` names segments to SDKs that do not say that they know segments.',
    ours: 'Puts the constraints of segments into the strategies for them.',
    safe: 'An SDK that does not know segments takes a strategy with segments for one that is for everybody.',
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
  {
    id: 'docs-document',
    applies: (found, situation) =>
      endsWith('/docs/openapi.json')(situation) &&
      (situation.request.method === 'OPTIONS' || (both(situation, 200) && found.at !== 'header content-type')),
    peer: 'Describes itself in OpenAPI 3.0, without CORS headers and never compressed.',
    ours: 'Describes itself in OpenAPI 3.1, with CORS headers and compression as everywhere.',
    safe: 'For people and generators, under the same address; SDKs do not read it.',
  },
  {
    id: 'docs-page',
    applies: (_found, { request, peer, ours }) =>
      /\/docs\/openapi\/?$/.test(request.path) && peer.status + ours.status === 501,
    peer: 'Shows the page at `/docs/openapi/` and redirects `/docs/openapi` there.',
    ours: 'Shows the page at `/docs/openapi` and redirects `/docs/openapi/` there.',
    safe: 'Browsers follow either way.',
  },
  {
    id: 'docs-other-forms',
    applies: (_found, { request, peer, ours }) =>
      /\/docs\/openapi(\.ya?ml|\/.+)$/.test(request.path) && [200, 500].includes(peer.status) && ours.status === 404,
    peer: 'Has the document as YAML and in parts too, and a page that checks it.',
    ours: 'Has the JSON document only; a test of ours checks it.',
    safe: 'Every tool that reads the YAML reads the JSON.',
  },
]
