import { both, type Difference, endsWith, header, isOwnSeries, isSameFeatures, statuses } from './difference.ts'

/** Removes the values from Burgee's `Vary` that concern only Burgee's replies: the key, and the SDK's capabilities. */
const withoutKey = (vary: string | undefined): string =>
  (vary ?? '')
    .split(', ')
    .filter((name) => !['authorization', 'x-flag-key', 'unleash-client-spec'].includes(name.toLowerCase()))
    .join(', ')

/** Replies with additional information, or with information in a different form. */
export const REPLIES: readonly Difference[] = [
  {
    id: 'tags-of-pages',
    applies: (found, situation) => found.at === 'header etag' && both(situation, 404),
    peer: 'Sends no `ETag` with a 404 page.',
    ours: 'Sends an `ETag` with every body.',
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
    peer: 'Sends `text/html` without a content security policy, or with a policy that does not restrict frames.',
    ours: 'Sends a policy that forbids scripts and frames, and `nosniff`.',
    safe: 'Only browsers that show the reply as a page read these headers.',
  },
  {
    id: 'vary-of-key',
    applies: (found, situation) =>
      found.at === 'header vary' && !both(situation, 304) && withoutKey(found.ours) === (found.peer ?? ''),
    peer: 'Does not declare that cacheable replies depend on the key.',
    ours: 'Names the key header in `Vary`.',
    safe: 'Intermediate caches would otherwise serve the reply to callers without a key; SDKs do not read the header.',
  },
  {
    id: 'vary-of-304',
    applies: (found, situation) =>
      found.at === 'header vary' &&
      both(situation, 304) &&
      withoutKey(found.ours) === [found.peer, 'Accept-Encoding'].filter(Boolean).join(', '),
    peer: 'Omits `Vary: Accept-Encoding` from a 304.',
    ours: 'Sends it as in the 200 (RFC 9110 §15.4.5).',
    safe: 'Only caches read it; SDKs do not.',
  },
  {
    id: 'caches',
    applies: ({ at, peer, ours }) =>
      at === 'header cache-control' && peer === undefined && ours === 'private, no-cache',
    peer: 'Sends `Cache-Control` only for evaluations and features, so some caches store other replies for a long time.',
    ours: 'Sends `Cache-Control: private, no-cache` with all other replies, including errors and health.',
    safe: 'Only intermediate caches and browsers read it; SDKs do not.',
  },
  {
    id: 'retry-after',
    applies: ({ at, peer }, situation) => at === 'header retry-after' && peer === undefined && both(situation, 503),
    peer: 'Sends no `Retry-After` before the first sync.',
    ours: 'Sends `Retry-After: 1` with the 503.',
    safe: 'Clients that do not know the header ignore it.',
  },
  {
    id: 'project',
    applies: (found, { configuration }) => configuration === 'another project' && found.at === 'body',
    peer: 'With a project configured, serves every flag that the upstream sends.',
    ours: 'Serves only the flags of that project; their parents are evaluated too.',
    safe: 'An upstream that supports `project=` sends no other flags.',
  },
  {
    id: 'x-gzip',
    applies: (found, situation) =>
      found.at === 'header content-encoding' && header(situation, 'accept-encoding') === 'x-gzip',
    peer: 'Does not recognize `x-gzip` in `Accept-Encoding`.',
    ours: 'Treats it as `gzip` (RFC 9110 §8.4.1.3).',
    safe: 'Only clients that request it receive it.',
  },
  {
    id: 'no-cache',
    applies: statuses(200, 304, (situation) => header(situation, 'cache-control') === 'no-cache'),
    peer: 'Never answers 304 to a request with `Cache-Control: no-cache`.',
    ours: 'Answers 304 to a request with the current tag.',
    safe: 'A client that sends the tag has the body already; `no-cache` addresses caches.',
  },
  {
    id: 'head',
    applies: (found, situation) =>
      situation.request.method === 'HEAD' &&
      (found.at === 'header content-length' || statuses(200, 304)(found, situation)),
    peer: 'Answers `HEAD` as if the query were empty, with the length and tag of a different reply.',
    ours: 'Answers `HEAD` with the headers of the `GET` with the same query (RFC 9110 §9.3.2).',
    safe: 'SDKs do not send `HEAD`.',
  },
  {
    id: 'features-with-segments',
    applies: (found, situation) => endsWith('/client/features')(situation) && isSameFeatures(found),
    peer: '`/proxy/client/features` omits `segments` and lists number-like names first.',
    ours: 'Sends the segments, and keeps the features in the order of the upstream.',
    safe: 'Server SDKs need segments to evaluate flags that use them, and ignore the order.',
  },
  {
    id: 'features-without-segments',
    applies: (found, situation) =>
      endsWith('/client/features')(situation) &&
      header(situation, 'unleash-client-spec') === '' &&
      isSameFeatures(found, ({ strategies: _strategies, ...rest }) => rest),
    peer: '`/proxy/client/features` sends references to segments also to SDKs that do not declare support for segments.',
    ours: 'Inlines the constraints of segments into the strategies for these SDKs.',
    safe: 'An SDK without support for segments ignores them, so the strategy would match all users.',
  },
  {
    id: 'series',
    applies: (found, situation) => endsWith('/prometheus')(situation) && isOwnSeries(found),
    peer: 'Exposes three metrics.',
    ours: 'Exposes the same three and additional ones (`burgee_proxy_…`).',
    safe: 'Only Prometheus reads them.',
  },
  {
    id: 'series-before-ready',
    applies: (_found, situation) => endsWith('/prometheus')(situation) && situation.peer.status === 503,
    peer: 'Answers 503 to a request for metrics before the first sync.',
    ours: 'Answers 200 with the metrics; `burgee_proxy_ready` is 0.',
    safe: 'Only Prometheus reads them, and an alert can see that the proxy is not ready.',
  },
  {
    id: 'preflight-with-body',
    applies: statuses(415, 200, ({ request }) => request.method === 'OPTIONS' && request.body !== undefined),
    peer: 'With `cors.preflightContinue`, checks the media type of the body of an `OPTIONS` request.',
    ours: 'Ignores the body.',
    safe: 'Browsers send preflights without a body.',
  },
  {
    id: 'docs-document',
    applies: (found, situation) =>
      endsWith('/docs/openapi.json')(situation) &&
      (situation.request.method === 'OPTIONS' || (both(situation, 200) && found.at !== 'header content-type')),
    peer: 'Serves an OpenAPI 3.0 document, without CORS headers and never compressed.',
    ours: 'Serves an OpenAPI 3.1 document, with CORS headers and compression like all replies.',
    safe: 'People and code generators use it, at the same URL; SDKs do not read it.',
  },
  {
    id: 'docs-page',
    applies: (_found, { request, peer, ours }) =>
      /\/docs\/openapi\/?$/.test(request.path) && peer.status + ours.status === 501,
    peer: 'Serves the page at `/docs/openapi/`, and redirects `/docs/openapi` to it.',
    ours: 'Serves the page at `/docs/openapi`, and redirects `/docs/openapi/` to it.',
    safe: 'Browsers follow both redirects.',
  },
  {
    id: 'docs-other-forms',
    applies: (_found, { request, peer, ours }) =>
      /\/docs\/openapi(\.ya?ml|\/.+)$/.test(request.path) && [200, 500].includes(peer.status) && ours.status === 404,
    peer: 'Also serves the document as YAML and in parts, and a page that validates it.',
    ours: 'Serves only the JSON document; a test validates it.',
    safe: 'Every tool that reads the YAML also reads the JSON.',
  },
]
