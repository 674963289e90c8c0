import { both, type Difference, endsWith, header, isSameViolation, isWording, json, statuses } from './difference.ts'

/** Rejected requests. */
export const REFUSALS: readonly Difference[] = [
  {
    id: 'wording',
    applies: isWording,
    peer: 'Its own texts on pages of status 404, 501 and 503 and in the `error` of a 400.',
    ours: 'Our own texts, in the same place, with the same status and media type.',
    safe: 'SDKs read the status only; the texts are for people.',
  },
  {
    id: 'enricher-message',
    applies: (found, situation) =>
      found.at === 'body' && both(situation, 500) && json(situation.ours.body).error === 'A context enricher failed.',
    peer: 'Tells the caller what a failing context enricher said.',
    ours: 'Tells the caller that one failed, and the log what it said.',
    safe: 'Status 500 both; SDKs do not read the text.',
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
    applies: statuses(500, 202, (situation) => {
      const isReport = endsWith('/client/metrics')(situation)
      return isReport && Buffer.byteLength(situation.request.body ?? '') > 102_400
    }),
    peer: 'Refuses reports above 100 kB.',
    ours: 'Accepts reports up to 1 MB; evaluations up to 100 kB as well, unless an option says otherwise.',
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
