import { matchesEtag } from '@burgee/kit/http/etag'
import { type Caller, type Method, Reply, type Route, routesFor } from '@burgee/kit/http/route'
import { notFound } from '@burgee/kit/input/refusals'
import { type EvaluationProfile, PROFILE_HEADER } from '@burgee/protocol/evaluation-profile'
import { ClientFeatures, Feature } from '@burgee/protocol/feature'
import Type from 'typebox'
import type { ProfileInUse } from '../upstream/announced-profile.ts'
import { isForSegments } from './client-spec.ts'
import type { Download, Downloads } from './downloads.ts'
import { FeaturesQuery, type FlagScope, wantedFlags } from './flag-query.ts'

/** What the doors for SDKs of servers have in common. */
export interface ClientDoor<Access> {
  /** Path that the endpoints are put behind. */
  readonly base: string
  readonly tag: string
  readonly permission: string
  /** Names of the problems of whatever is asked for by conditions, and of whatever is not. */
  readonly problems: { readonly search: readonly string[]; readonly list: readonly string[] }
  /** What somebody's token is for. */
  readonly scopeOf: (access: Access) => FlagScope
  /** Hears of every reply that is flags, and of every one that says that they are the same. */
  readonly downloaded?: (environment: string, result: 'sent' | 'not-modified') => void
}

/** What downloads stand on. */
export interface FlagDoor<Access> extends ClientDoor<Access> {
  readonly downloads: Downloads
  /** Announced with all flags, for edges and proxies in front. */
  readonly profile: ProfileInUse
  /** By which all flags are asked for; GET alone by default. */
  readonly methods?: readonly Method[]
}

/** One object per profile: what follows from headers is remembered by the object that holds them. */
const HEADERS: Readonly<Record<EvaluationProfile, Readonly<Record<string, string>>>> = {
  node: headersFor('node'),
  yggdrasil: headersFor('yggdrasil'),
}

function headersFor(profile: EvaluationProfile): Readonly<Record<string, string>> {
  return { 'content-type': 'application/json; charset=utf-8', [PROFILE_HEADER]: profile }
}

/** All flags of a token as SDKs of servers evaluate them, and one of them. Source: wire protocol */
export function flagRoutes<Access>(door: FlagDoor<Access>): Route<Access>[] {
  const { base, tag, permission, problems, scopeOf, downloads, downloaded, profile, methods = ['GET'] } = door
  const route = routesFor<Access>()
  const downloadOf = (access: Access, query: FeaturesQuery, caller: Caller) =>
    downloads.get(wantedFlags(scopeOf(access), query), !isForSegments(caller))
  return [
    ...methods.map((method) =>
      route({
        method,
        url: `${base}/features`,
        isHot: method === 'GET',
        permission,
        tag,
        summary: 'All flags of the token, as SDKs evaluate them.',
        query: FeaturesQuery,
        replies: { 200: { description: 'Flags and segments', schema: ClientFeatures } },
        problems: problems.search,
        handle: ({ access, query, caller }) => {
          const download = downloadOf(access, query, caller)
          const reply = ({ content, etag }: Download): Reply => {
            const result = matchesEtag(caller.headers['if-none-match'], etag) ? 'not-modified' : 'sent'
            downloaded?.(scopeOf(access).environment, result)
            return new Reply(200, content, HEADERS[profile.current])
          }
          return download instanceof Promise ? download.then(reply) : reply(download)
        },
      }),
    ),
    route({
      method: 'GET',
      url: `${base}/features/:featureName`,
      permission,
      tag,
      summary: 'One flag of the token.',
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
