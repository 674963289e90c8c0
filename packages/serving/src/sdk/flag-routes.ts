import { matchesEtag } from '@burgee/kit/http/etag'
import { type Caller, type Method, Reply, type Route, routesFor } from '@burgee/kit/http/route'
import { notFound } from '@burgee/kit/input/refusals'
import { type EvaluationProfile, PROFILE_HEADER } from '@burgee/protocol/evaluation-profile'
import { ClientFeatures, Feature } from '@burgee/protocol/feature'
import Type from 'typebox'
import type { ConnectionBook } from '../connections/connection-book.ts'
import { parseRevisionTag } from '../document/revision-tag.ts'
import type { ProfileInUse } from '../upstream/announced-profile.ts'
import { hasSegmentSupport } from './client-spec.ts'
import type { Download, Downloads } from './downloads.ts'
import { FeaturesQuery, type FlagScope, toFlagQuery } from './flag-query.ts'

/** Dependencies that the server-side SDK endpoints have in common. */
export interface ClientRouteDeps<Access> {
  /** Base path of the endpoints. */
  readonly base: string
  readonly tag: string
  readonly permission: string
  /** Names of the documented errors: `search` for endpoints with query parameters, `list` for endpoints without. */
  readonly problems: { readonly search: readonly string[]; readonly list: readonly string[] }
  /** Returns the scope of the caller's token. */
  readonly getScope: (access: Access) => FlagScope
  /** Called for every response that contains flags, and for every 304. */
  readonly downloaded?: (environment: string, result: 'sent' | 'not-modified') => void
  /** Records the revision that each caller has. */
  readonly connections?: ConnectionBook | undefined
}

/** Dependencies of the download endpoints. */
export interface FlagRouteDeps<Access> extends ClientRouteDeps<Access> {
  readonly downloads: Downloads
  /** Evaluation profile that responses with all flags announce to edges and proxies that use this server. */
  readonly profile: ProfileInUse
  /** HTTP methods of the endpoint for all flags; only GET by default. */
  readonly methods?: readonly Method[]
}

/**
 * Headers by profile. Each profile has a single object with headers, because data derived from headers is cached by
 * object identity.
 */
const HEADERS: Readonly<Record<EvaluationProfile, Readonly<Record<string, string>>>> = {
  node: headersFor('node'),
  yggdrasil: headersFor('yggdrasil'),
}

function headersFor(profile: EvaluationProfile): Readonly<Record<string, string>> {
  return { 'content-type': 'application/json; charset=utf-8', [PROFILE_HEADER]: profile }
}

/**
 * Creates the endpoints that return flag definitions to server-side SDKs: all flags of a token, or a single flag.
 * Source: wire protocol
 */
export function flagRoutes<Access>(deps: FlagRouteDeps<Access>): Route<Access>[] {
  const { base, tag, permission, problems, getScope, downloads, profile, methods = ['GET'] } = deps
  const route = routesFor<Access>()
  const downloadOf = (access: Access, query: FeaturesQuery, caller: Caller) =>
    downloads.get(toFlagQuery(getScope(access), query), !hasSegmentSupport(caller))
  return [
    ...methods.map((method) =>
      route({
        method,
        url: `${base}/features`,
        isHot: method === 'GET',
        permission,
        tag,
        summary: 'Returns all flags of the token, for SDKs that evaluate them.',
        query: FeaturesQuery,
        replies: { 200: { description: 'Flags and segments', schema: ClientFeatures } },
        problems: problems.search,
        handle: ({ access, query, caller }) => {
          const found = downloadOf(access, query, caller)
          const reply = (download: Download): Reply => {
            recordDownload(deps, caller, download)
            return new Reply(200, download.content, HEADERS[profile.current])
          }
          return found instanceof Promise ? found.then(reply) : reply(found)
        },
      }),
    ),
    route({
      method: 'GET',
      url: `${base}/features/:featureName`,
      permission,
      tag,
      summary: 'Returns a flag of the token.',
      params: Type.Object({ featureName: Type.String() }),
      query: FeaturesQuery,
      replies: { 200: { description: 'The flag', schema: Feature } },
      problems: [...problems.search, 'NotFoundError'],
      handle: async ({ access, params, query, caller }) => {
        const found = (await downloadOf(access, query, caller)).find(params.featureName)
        if (found === undefined) throw notFound(`There is no flag "${params.featureName}".`)
        return found
      },
    }),
  ]
}

/** Records the result of a download, and the revision that the caller now has. */
function recordDownload<Access>(
  { downloaded, connections }: FlagRouteDeps<Access>,
  caller: Caller,
  { scope, revision, etag }: Download,
): void {
  const tag = caller.headers['if-none-match']
  if (matchesEtag(tag, etag)) {
    downloaded?.(scope.environment, 'not-modified')
    connections?.recordUnchanged(scope, caller, revision)
    return
  }
  downloaded?.(scope.environment, 'sent')
  const had = parseRevisionTag(tag)
  const held = had === undefined ? undefined : { epoch: had.epoch, id: had.number }
  connections?.recordSent(scope, caller, { held, offered: revision })
}
