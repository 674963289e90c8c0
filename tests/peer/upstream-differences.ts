import type { Discrepancy } from './compare.ts'
import type { Difference } from './difference.ts'

const at =
  (pattern: RegExp) =>
  ({ at }: Discrepancy): boolean =>
    pattern.test(at)

/** Upstream requests, and the handling of replies. */
export const UPSTREAM: readonly Difference[] = [
  {
    id: 'library-headers',
    applies: at(/ header (accept|accept-encoding|accept-language|sec-fetch-mode)$/),
    peer: 'Asks the upstream with `Accept: */*`.',
    ours: 'Asks with `Accept: application/json` and the headers that `fetch` adds.',
    safe: 'The upstream has nothing but JSON for these paths.',
  },
  {
    id: 'default-name',
    applies: (found) =>
      at(/ header (user-agent|unleash-appname)$| appName$/)(found) &&
      found.peer === 'unleash-proxy' &&
      found.ours === 'flag-proxy',
    peer: 'Calls itself `unleash-proxy` upstream when no app name is given.',
    ours: '`flag-proxy`.',
    safe: 'A name in the list of applications; `FLAG_APP_NAME` or `UNLEASH_APP_NAME` sets it.',
  },
  {
    id: 'default-instance',
    applies: (found) => at(/ header unleash-instanceid$| instanceId$/)(found) && /^\S+-\d+-\w+$/.test(found.ours ?? ''),
    peer: 'Makes the same default instance id for every process of a user on a host.',
    ours: 'Makes one of its own for each process.',
    safe: 'Instances can be told apart upstream; `FLAG_INSTANCE_ID` or `UNLEASH_INSTANCE_ID` sets it.',
  },
  {
    id: 'connection-id',
    applies: (found) => at(/(unleash-connection-id|connectionId)$/)(found) && found.ours === '(uuid)',
    peer: 'Names its connection by a UUID when it fetches, and by instance and time when it reports.',
    ours: 'Names it by one and the same UUID.',
    safe: 'An opaque id for the upstream.',
  },
  {
    id: 'sdk-version',
    applies: (found) => at(/unleash-sdk$|sdkVersion$/)(found) && (found.ours?.startsWith('burgee-proxy:') ?? false),
    peer: 'Reports the name and version of the SDK it is built on.',
    ours: 'Reports `burgee-proxy` and its version.',
    safe: 'Shown in the list of applications.',
  },
  {
    id: 'report-headers',
    applies: (found) => at(/^(register|metrics) header unleash-client-spec$|^register header unleash-interval$/)(found),
    peer: 'Registers with the interval "undefined", and reports without the level of the specification.',
    ours: 'Sends the interval of the metrics, and the level with every request.',
    safe: 'The upstream gets what it gets from SDKs.',
  },
  {
    id: 'refused-token',
    applies: (found) => found.at === '/client/features after 401' && found.ours === 'asks again',
    peer: 'Never asks for features again once the upstream has refused its token.',
    ours: 'Keeps asking, later and later apart, and serves what it has meanwhile.',
    safe: 'SDKs see new flags again as soon as the token is accepted.',
  },
  {
    id: 'refused-metrics',
    applies: (found) => found.at === '/client/metrics after 400' && found.ours === 'asks again',
    peer: 'Never sends metrics again once the upstream has refused some.',
    ours: 'Keeps the counts and sends them later, later and later apart.',
    safe: 'SDKs do not notice; the counts are not lost.',
  },
]
