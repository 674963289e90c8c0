import type { Discrepancy } from './compare.ts'
import type { Difference } from './difference.ts'

const at =
  (pattern: RegExp) =>
  ({ at }: Discrepancy): boolean =>
    pattern.test(at)

/** Requests to the upstream, and the handling of its replies. */
export const UPSTREAM: readonly Difference[] = [
  {
    id: 'library-headers',
    applies: at(/ header (accept|accept-encoding|accept-language|sec-fetch-mode)$/),
    peer: 'Sends `Accept: */*` to the upstream.',
    ours: 'Sends `Accept: application/json` and the headers that `fetch` adds.',
    safe: 'The upstream serves only JSON on these paths.',
  },
  {
    id: 'default-name',
    applies: (found) =>
      at(/ header (user-agent|unleash-appname)$| appName$/)(found) &&
      found.peer === 'unleash-proxy' &&
      found.ours === 'flag-proxy',
    peer: 'Sends the app name `unleash-proxy` to the upstream if none is configured.',
    ours: 'Sends `flag-proxy`.',
    safe: 'The name only appears in the list of applications; `FLAG_APP_NAME` or `UNLEASH_APP_NAME` sets it.',
  },
  {
    id: 'default-instance',
    applies: (found) => at(/ header unleash-instanceid$| instanceId$/)(found) && /^\S+-\d+-\w+$/.test(found.ours ?? ''),
    peer: 'Uses the same default instance id for all processes of a user on a host.',
    ours: 'Generates a separate default for each process.',
    safe: 'The upstream can distinguish instances; `FLAG_INSTANCE_ID` or `UNLEASH_INSTANCE_ID` sets the id.',
  },
  {
    id: 'connection-id',
    applies: (found) => at(/(unleash-connection-id|connectionId)$/)(found) && found.ours === '(uuid)',
    peer: 'Identifies its connection by a UUID in fetches, and by instance and time in reports.',
    ours: 'Uses the same UUID in both.',
    safe: 'The upstream treats the id as opaque.',
  },
  {
    id: 'sdk-version',
    applies: (found) => at(/unleash-sdk$|sdkVersion$/)(found) && (found.ours?.startsWith('burgee-proxy:') ?? false),
    peer: 'Sends the name and version of its underlying SDK.',
    ours: 'Sends `burgee-proxy` and its version.',
    safe: 'It only appears in the list of applications.',
  },
  {
    id: 'report-headers',
    applies: (found) => at(/^(register|metrics) header unleash-client-spec$|^register header unleash-interval$/)(found),
    peer: 'Registers with the interval "undefined", and omits the version of the client specification from reports.',
    ours: 'Sends the metrics interval, and the version of the client specification with every request.',
    safe: 'SDKs send the same values to the upstream.',
  },
  {
    id: 'refused-token',
    applies: (found) => found.at === '/client/features after 401' && found.ours === 'asks again',
    peer: 'Stops fetching features for good once the upstream rejects its token.',
    ours: 'Retries with increasing delays, and serves its current flags until then.',
    safe: 'SDKs get new flags as soon as the token is accepted.',
  },
  {
    id: 'refused-metrics',
    applies: (found) => found.at === '/client/metrics after 400' && found.ours === 'asks again',
    peer: 'Stops sending metrics for good once the upstream rejects a report.',
    ours: 'Keeps the counts and retries with increasing delays.',
    safe: 'SDKs are not affected, and no counts are lost.',
  },
]
