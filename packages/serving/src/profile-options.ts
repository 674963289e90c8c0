import type { OptionTable } from '@burgee/kit/options/options'
import { oneOf } from '@burgee/kit/options/parsers'
import { EVALUATION_PROFILES } from '@burgee/protocol/evaluation-profile'

const COMMON = { env: ['EVALUATION_PROFILE'], parse: oneOf(EVALUATION_PROFILES) } as const

/** Option for the evaluation profile that a server uses and announces to its clients. */
export const SERVER_PROFILE_OPTION = {
  evaluationProfile: {
    ...COMMON,
    default: 'node',
    doc: 'Evaluation profile where SDKs differ: evaluate like the Node SDK, or like the Yggdrasil engine of other SDKs. Edges and proxies in front of the server adopt it.',
  },
} as const satisfies OptionTable

/** Option for the evaluation profile of a client proxy. */
export const PROXY_PROFILE_OPTION = {
  evaluationProfile: {
    ...COMMON,
    defaultDoc: 'as the upstream announces, else node',
    doc: 'Evaluation profile where SDKs differ: evaluate like the Node SDK, or like the Yggdrasil engine of other SDKs.',
  },
} as const satisfies OptionTable

/** Option for the evaluation profile of an edge. */
export const EDGE_PROFILE_OPTION = {
  evaluationProfile: {
    ...COMMON,
    defaultDoc: 'as the upstream announces, else yggdrasil',
    doc: 'Evaluation profile where SDKs differ: evaluate like the Node SDK, or like the Yggdrasil engine of Unleash Edge.',
  },
} as const satisfies OptionTable
