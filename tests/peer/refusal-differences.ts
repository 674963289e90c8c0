import { both, type Difference, endsWith, header, isSameViolation, isWording, json, statuses } from './difference.ts'

/** Rejected requests. */
export const REFUSALS: readonly Difference[] = [
  {
    id: 'wording',
    applies: isWording,
    peer: 'Uses its own texts on pages with status 404, 501 and 503, and in the `error` of a 400.',
    ours: 'Uses its own wording in the same places, with the same status and media type.',
    safe: 'SDKs only read the status; the texts are for people.',
  },
  {
    id: 'enricher-message',
    applies: (found, situation) =>
      found.at === 'body' && both(situation, 500) && json(situation.ours.body).error === 'A context enricher failed.',
    peer: 'Returns the error message of a failing context enricher to the caller.',
    ours: 'Tells the caller only that an enricher failed, and logs its message.',
    safe: 'The status is 500 in both; SDKs do not read the text.',
  },
  {
    id: 'violation-details',
    applies: isSameViolation,
    peer: 'Reports the first violation, with a `schemaPath` into its own OpenAPI document.',
    ours: 'Reports the same violation first and then further ones, with a `schemaPath` into the schema of that part of the request.',
    safe: 'Status, `error`, `instancePath` and `keyword` of the first violation are the same, and SDKs read none of them.',
  },
  {
    id: 'scalar-body',
    applies: (found, situation) =>
      found.at === 'body' && both(situation, 400) && /^("text"|7|null|true)$/.test(String(situation.request.body)),
    peer: 'Reports a body that is a JSON string, number, boolean or null as a syntax error.',
    ours: 'Reports a schema violation: the body must be an object.',
    safe: 'The status is 400 in both; no SDK sends such a body.',
  },
  {
    id: 'no-body',
    applies: (found, situation) =>
      found.at === 'body' && both(situation, 400) && situation.request.method === 'POST' && !situation.request.body,
    peer: 'Treats a missing body of metrics and registrations as an empty object, and names the first missing member.',
    ours: 'Reports that the body must be an object.',
    safe: 'The status is 400 in both; every SDK sends a body.',
  },
  {
    id: 'too-large',
    applies: statuses(500, 413),
    peer: 'Answers 500 to a body that is too large.',
    ours: 'Answers 413.',
    safe: 'SDKs treat every status except 200 and 304 as a failure.',
  },
  {
    id: 'larger-bodies',
    applies: statuses(500, 202, (situation) => {
      const isReport = endsWith('/client/metrics')(situation)
      return isReport && Buffer.byteLength(situation.request.body ?? '') > 102_400
    }),
    peer: 'Rejects reports above 100 kB.',
    ours: 'Accepts reports up to 1 MB. Evaluations have the same limit of 100 kB unless an option changes it.',
    safe: 'Every body within the lower limit is within the higher one.',
  },
  {
    id: 'encodings',
    applies: (found, situation) =>
      (statuses(500, 415)(found, situation) || statuses(400, 415)(found, situation)) &&
      (header(situation, 'content-encoding') !== '' || header(situation, 'content-type').includes('charset=')),
    peer: 'Answers 500 to an unsupported content encoding or charset, and 400 to UTF-16.',
    ours: 'Answers 415 in each case.',
    safe: 'SDKs send UTF-8, uncompressed or with gzip.',
  },
  {
    id: 'us-ascii',
    applies: statuses(500, 200, (situation) => header(situation, 'content-type').includes('us-ascii')),
    peer: 'Rejects a body with the charset US-ASCII.',
    ours: 'Accepts it: US-ASCII is a subset of UTF-8.',
    safe: 'Burgee accepts everything that the Unleash Proxy accepts, and more.',
  },
  {
    id: 'corrupt-encoding',
    applies: statuses(500, 400, (situation) => header(situation, 'content-encoding') !== ''),
    peer: 'Answers 500 to a body whose compressed data is corrupt.',
    ours: 'Answers 400.',
    safe: 'SDKs treat both as a failure; 400 identifies the client as the cause.',
  },
]
